/** Runs a command to its end and tells how long that took. */
import { spawnSync } from "node:child_process";

export interface Command {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** What must be in its standard output. */
  readonly says?: string;
}

const MILLIS = 120_000;

/** Milliseconds from its start to its end. Throws when it fails: a command that did nothing is fast. */
export function timeCommand({ words, env, cwd, says = "" }: Command): number {
  const [program = "", ...args] = words;
  const started = performance.now();
  const { status, error, stdout, stderr } = spawnSync(program, args, { env, cwd, encoding: "utf8", timeout: MILLIS });
  const millis = performance.now() - started;
  if (error !== undefined) throw error;
  if (status !== 0 || !stdout.includes(says)) {
    throw new Error(`${words.join(" ")} ended with ${status} and said\n${stdout.slice(0, 2_000)}${stderr}`);
  }
  return millis;
}
