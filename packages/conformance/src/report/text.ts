/** The report for people: a line a check, and under a failure what was sent, came, and was wanted (pure). */
import type { Verdict } from "../checks/check.ts";
import type { FindingFacts } from "../finding.ts";
import { REQUIREMENTS } from "../requirements.ts";
import { countVerdicts, markOf } from "./counts.ts";
import type { Subject } from "./subject.ts";

export function textReport(subject: Subject): string {
  const tried = subject.verdicts.filter(({ outcome }) => outcome.kind !== "skipped");
  const parts = [headText(subject), ...tried.map(verdictText), "", ...skippedLines(subject.verdicts), sumText(subject)];
  return `${parts.join("\n")}\n`;
}

function headText({ program, manifest, declaration }: Subject): string {
  const declared =
    declaration === null ? "it did not get through its handshake" : `${declaration.name} ${declaration.version}`;
  const against = manifest === null ? "no manifest: every point and capability is offered" : `manifest ${manifest}`;
  return `${program.join(" ")}\n${declared}; ${against}\n`;
}

function verdictText(verdict: Verdict): string {
  const { check, outcome } = verdict;
  const line = `${markOf(verdict).padEnd(5)}${check.id.padEnd(30)} ${check.title}`;
  switch (outcome.kind) {
    case "passed":
      return outcome.remark === null ? line : `${line} (${outcome.remark})`;
    case "skipped":
      return line;
    case "failed": {
      const lines = [...findingLines(outcome.finding), ...ruleLines(check.cites)];
      return [line, ...lines.map((one) => `       ${one}`)].join("\n");
    }
  }
}

/** What did not apply, a line a cause. */
function skippedLines(verdicts: readonly Verdict[]): readonly string[] {
  const byCause = new Map<string, string[]>();
  for (const { check, outcome } of verdicts) {
    if (outcome.kind !== "skipped") continue;
    byCause.set(outcome.why, [...(byCause.get(outcome.why) ?? []), check.id]);
  }
  return [...byCause].map(([why, ids]) => `not tried, because ${why}: ${ids.join(", ")}`);
}

function findingLines({ what, wanted, got, after, sent, stderr = [] }: FindingFacts): readonly string[] {
  return [
    `what:   ${what}`,
    ...(after === undefined ? [] : [`after:  ${after}`]),
    ...(sent === undefined ? [] : [`sent:   ${sent}`]),
    ...(got === undefined ? [] : [`came:   ${got}`]),
    `wanted: ${wanted}`,
    ...stderr.map((line, index) => `${index === 0 ? "stderr:" : "       "} ${line}`),
  ];
}

/** The promises that a failure breaks, in words. */
function ruleLines(cites: readonly string[]): readonly string[] {
  return REQUIREMENTS.filter(({ id }) => cites.includes(id)).map(
    ({ id, sentence }, index) => `${index === 0 ? "rule:  " : "       "} ${id} ${sentence}`,
  );
}

function sumText({ verdicts }: Subject): string {
  const { passed, failed, warned, skipped } = countVerdicts(verdicts);
  const end = failed > 0 ? "It does not conform." : "It conforms.";
  return `${passed} passed, ${failed} failed, ${warned} ${warned === 1 ? "warning" : "warnings"}, ${skipped} did not apply. ${end}`;
}
