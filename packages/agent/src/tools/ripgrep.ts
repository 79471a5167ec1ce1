/** Runs ripgrep over a directory of the workspace; it honours the ignore files there. */
import { runProgram } from "@reasonix-ts/process";

export type RipgrepResult =
  | { readonly ok: true; readonly text: string; readonly omittedBytes: number }
  | { readonly ok: false; readonly problem: string };

const OUTPUT_BYTES = 8 * 1_048_576;
const TIMEOUT_MILLIS = 60_000;

/** `args` never hold a pattern or path that could be read as an option: callers put them behind `-e` and `--`. */
export async function ripgrep(
  args: readonly string[],
  options: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<RipgrepResult> {
  const { rgPath } = await import("@vscode/ripgrep");
  const result = await runProgram({
    command: rgPath,
    args: ["--no-config", "--color=never", "--no-messages", ...args],
    cwd: options.cwd,
    maxOutputBytes: OUTPUT_BYTES,
    timeoutMillis: TIMEOUT_MILLIS,
    signal: options.signal,
  });
  if (result.outcome === "timed_out") {
    return { ok: false, problem: "The search took more than 60 s; narrow it by path or glob." };
  }
  if (result.outcome === "aborted") return { ok: false, problem: "The search was interrupted." };
  // 0 is matches, 1 is none, 2 an error; an error may come beside matches when one file could not be read.
  if (result.exit?.code === 2 && result.stdout.text === "") {
    return { ok: false, problem: result.stderr.text.trim() || "The search failed." };
  }
  return { ok: true, text: result.stdout.text, omittedBytes: result.stdout.omittedBytes };
}
