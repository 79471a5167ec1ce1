/** The report as one JSON object, for programs (pure). */
import { countVerdicts, markOf } from "./counts.ts";
import type { Subject } from "./subject.ts";

export function jsonReport(subject: Subject): string {
  const { program, manifest, declaration, verdicts } = subject;
  const counts = countVerdicts(verdicts);
  const checks = verdicts.map((verdict) => ({
    ...verdict.check,
    result: RESULTS[markOf(verdict)],
    millis: verdict.millis,
    ...(verdict.outcome.kind === "failed" ? { finding: verdict.outcome.finding } : {}),
    ...(verdict.outcome.kind === "skipped" ? { why: verdict.outcome.why } : {}),
    ...(verdict.outcome.kind === "passed" && verdict.outcome.remark !== null ? { remark: verdict.outcome.remark } : {}),
  }));
  return `${JSON.stringify({ program, manifest, declaration, conforms: counts.failed === 0, counts, checks }, null, 2)}\n`;
}

const RESULTS = { ok: "passed", FAIL: "failed", warn: "warned", skip: "skipped" } as const;
