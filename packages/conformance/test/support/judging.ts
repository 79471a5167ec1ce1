/** Runs the referee in this process over an impostor or another program. */
import { fileURLToPath } from "node:url";
import { CHECKS } from "../../src/checks/all.ts";
import type { Verdict } from "../../src/checks/check.ts";
import { OPEN_EXPECTATION, type Expectation } from "../../src/play/expectation.ts";
import { judge, type Judgement } from "../../src/referee.ts";
import { markOf } from "../../src/report/counts.ts";

export function impostorPath(name: string): string {
  return fileURLToPath(new URL(`../../impostors/${name}.mjs`, import.meta.url));
}

export interface JudgeOptions {
  readonly only?: readonly string[];
  readonly timeout?: number | null;
  readonly expectation?: Partial<Expectation>;
}

const ONE_POINT: Partial<Expectation> = { plugin: "impostor", intercepts: ["input.receive"] };

async function judgeProgram(
  command: string,
  args: readonly string[],
  { only = [], timeout = null, expectation = {} }: JudgeOptions = {},
): Promise<Judgement> {
  const checks = only.length === 0 ? CHECKS : CHECKS.filter(({ id }) => only.includes(id));
  if (only.length > checks.length) throw new Error(`no such check among ${only.join(", ")}`);
  return judge({
    program: { command, args, env: {}, cwd: process.cwd() },
    environment: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
    expectation: { ...OPEN_EXPECTATION, ...expectation },
    checks,
    timeout,
  });
}

export function judgeImpostor(name: string, args: readonly string[], options: JudgeOptions): Promise<Judgement> {
  return judgeProgram(process.execPath, [impostorPath(name), ...args], { expectation: ONE_POINT, ...options });
}

/** `id: what` of everything that did not pass, `should` included. */
export function complaints(verdicts: readonly Verdict[]): readonly string[] {
  return verdicts.flatMap((verdict) => {
    const { outcome, check } = verdict;
    return outcome.kind === "failed" ? [`${markOf(verdict)} ${check.id}: ${outcome.finding.what}`] : [];
  });
}
