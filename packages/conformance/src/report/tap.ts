/** The report as TAP 14; a check that a sidecar should pass, and does not, is a TODO (pure). */
import type { Verdict } from "../checks/check.ts";
import type { Subject } from "./subject.ts";

export function tapReport({ verdicts }: Subject): string {
  const lines = verdicts.flatMap((verdict, index) => verdictLines(verdict, index + 1));
  return `${["TAP version 14", `1..${verdicts.length}`, ...lines].join("\n")}\n`;
}

function verdictLines({ check, outcome, millis }: Verdict, number: number): readonly string[] {
  const name = `${number} - ${escape(`${check.id}: ${check.title}`)}`;
  switch (outcome.kind) {
    case "passed":
      return [`ok ${name} # time=${millis}ms`];
    case "skipped":
      return [`ok ${name} # SKIP ${escape(outcome.why)}`];
    case "failed": {
      const todo = check.level === "should" ? " # TODO it should hold" : "";
      const facts = Object.entries(outcome.finding).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`);
      return [`not ok ${name}${todo}`, "  ---", ...facts, `  requirements: ${JSON.stringify(check.cites)}`, "  ..."];
    }
  }
}

function escape(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("#", "\\#").replaceAll("\n", " ");
}
