/** Judges what the sidecars of a started generation tell of themselves; pure. */
import type { ExtensionsReport } from "../extensions/report.ts";
import type { Finding } from "./finding.ts";

export function checkRuntime(report: ExtensionsReport, notices: readonly string[]): readonly Finding[] {
  return [
    ...report.failures.map(({ message }): Finding => ({
      code: "runtime_not_built",
      severity: "error",
      subject: "extensions",
      text: message,
      next: "reasonix plugin disable <name>, or start with --safe",
    })),
    ...report.plugins.flatMap(({ plugin, problem, budgetClamped, catalogueProblems }): readonly Finding[] => [
      ...catalogueProblems.map(({ text }): Finding => ({
        code: "runtime_catalogue",
        severity: "warning",
        subject: `plugin ${plugin}`,
        text: `A model of its catalogue is not used: ${text}`,
        next: "Mend what it answers to extension/provider/catalog.",
      })),
      ...(problem === null
        ? []
        : [
            {
              code: "runtime_failed",
              severity: "error",
              subject: `plugin ${plugin}`,
              text: problem,
              next: `reasonix plugin show ${plugin}, then mend it, or reasonix plugin disable ${plugin}`,
            } as const,
          ]),
      ...(budgetClamped
        ? [
            {
              code: "runtime_budget_cut",
              severity: "warning",
              subject: `plugin ${plugin}`,
              text: "runtime.timeoutMillis is over the ceiling of 60000 and was cut to it.",
              next: "Write at most 60000 in its manifest.",
            } as const,
          ]
        : []),
    ]),
    ...notices
      .filter((text) => !report.plugins.some((plugin) => isTold(text, plugin)))
      .map((text): Finding => ({ code: "runtime_notice", severity: "warning", subject: "extensions", text, next: "" })),
  ];
}

/** Whether a notice says again what the plugin's own findings say. */
function isTold(text: string, { problem, catalogueProblems }: ExtensionsReport["plugins"][number]): boolean {
  if (problem !== null && text.includes(problem)) return true;
  return catalogueProblems.some((one) => text.includes(one.text));
}
