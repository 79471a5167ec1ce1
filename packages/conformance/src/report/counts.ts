/** Counts verdicts: what failed, what is lost, what did not apply. */
import type { Verdict } from "../checks/check.ts";

export interface Counts {
  readonly passed: number;
  /** Checks that a sidecar must pass. */
  readonly failed: number;
  /** Checks that it should pass. */
  readonly warned: number;
  readonly skipped: number;
}

export type Mark = "ok" | "FAIL" | "warn" | "skip";

export function markOf({ check, outcome }: Verdict): Mark {
  switch (outcome.kind) {
    case "passed":
      return "ok";
    case "skipped":
      return "skip";
    case "failed":
      return check.level === "must" ? "FAIL" : "warn";
  }
}

export function countVerdicts(verdicts: readonly Verdict[]): Counts {
  const marks = verdicts.map(markOf);
  const count = (mark: Mark): number => marks.filter((one) => one === mark).length;
  return { passed: count("ok"), failed: count("FAIL"), warned: count("warn"), skipped: count("skip") };
}
