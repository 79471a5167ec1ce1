/** The command reasonix-conformance: reads its arguments, judges, reports, and says with its exit code how it went. */
import { CHECKS } from "./checks/all.ts";
import type { Check } from "./checks/check.ts";
import { parseCommand, USAGE, type Command } from "./command.ts";
import { judge } from "./referee.ts";
import { countVerdicts } from "./report/counts.ts";
import { jsonReport } from "./report/json.ts";
import type { Subject } from "./report/subject.ts";
import { tapReport } from "./report/tap.ts";
import { textReport } from "./report/text.ts";
import { findSubject } from "./subject-files.ts";

const REPORTS = { text: textReport, tap: tapReport, json: jsonReport } as const;
const FAILED = 1;
const NOT_JUDGED = 2;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const parsed = parseCommand(args);
  if (parsed.kind === "help") return say(USAGE, 0);
  if (parsed.kind === "usage") return complain(`${parsed.problem}\n\n${USAGE}`);
  const { command } = parsed;
  const checks = chosen(command.only);
  if (checks.length === 0)
    return complain(`--only names no check; there are ${CHECKS.map(({ id }) => id).join(", ")}\n`);
  try {
    const subject = await judgeProgram(command, checks);
    return say(REPORTS[command.report](subject), countVerdicts(subject.verdicts).failed === 0 ? 0 : FAILED);
  } catch (error) {
    return complain(`${error instanceof Error ? error.message : String(error)}\n`);
  }
}

async function judgeProgram(command: Command, checks: readonly Check[]): Promise<Subject> {
  const { program, expectation, manifest } = findSubject(command.program, command.manifest, process.cwd());
  const { timeout } = command;
  const judgement = await judge({ program, environment: process.env, expectation, checks, timeout });
  return { ...judgement, program: [program.command, ...program.args], manifest };
}

function chosen(only: readonly string[]): readonly Check[] {
  if (only.length === 0) return CHECKS;
  return CHECKS.filter(({ id }) => only.some((one) => (one.endsWith(".") ? id.startsWith(one) : id === one)));
}

function say(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}

function complain(text: string): number {
  process.stderr.write(`reasonix-conformance: ${text}`);
  return NOT_JUDGED;
}
