/** What doctor finds: a stable code, a subject, what is the case and what to do next. */
import type { FindingCode as PluginFindingCode } from "@reasonix-ts/plugins";

/** Stable names; those of plugins are the ones that `plugin doctor` gives. */
export type FindingCode =
  | "config_unusable"
  | "config_unknown_key"
  | "project_unusable"
  | "project_oversteps"
  | "provider_unknown_key"
  | "provider_key_missing"
  | "model_offline"
  | "model_unavailable"
  | "grants_unusable"
  | "runtime_not_built"
  | "runtime_failed"
  | "runtime_budget_cut"
  | "runtime_catalogue"
  | "runtime_notice"
  | PluginFindingCode;

export interface Finding {
  readonly code: FindingCode;
  /** Errors end doctor with exit code 1, warnings and infos with 0. */
  readonly severity: "error" | "warning" | "info";
  /** The file, provider or plugin that it is about. */
  readonly subject: string;
  readonly text: string;
  /** What to do; empty where nothing is to be done. */
  readonly next: string;
}

const MARKS: { readonly [severity in Finding["severity"]]: string } = {
  error: "error:  ",
  warning: "warning:",
  info: "info:   ",
};

/** A line for what is the case, and one for what to do. */
export function findingLines({ severity, subject, text, next }: Finding): readonly string[] {
  return [`${MARKS[severity]} ${subject}: ${text}`, ...(next === "" ? [] : [`         next: ${next}`])];
}

/** The last line of a report. */
export function summaryLine(findings: readonly Finding[]): string {
  const count = (severity: Finding["severity"]): number =>
    findings.filter((finding) => finding.severity === severity).length;
  const errors = count("error");
  const warnings = count("warning");
  if (errors === 0 && warnings === 0) return "Nothing is wrong.";
  return `${errors} ${errors === 1 ? "error" : "errors"}, ${warnings} ${warnings === 1 ? "warning" : "warnings"}.`;
}

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === "error");
}
