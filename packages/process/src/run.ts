/** Runs a program to its end with caps on output and time, and ends its tree on every path. */
import { captureOf, type Captured } from "./capture.ts";
import type { Exit } from "./exit.ts";
import { settledWithin } from "./settled-within.ts";
import { startProcess, type StartOptions } from "./spawn.ts";

export interface RunOptions extends StartOptions {
  /** Written to its input, which is then closed. */
  readonly input?: string | Uint8Array;
  /** Kept of each output; 1 MiB by default. Above it the middle is left out and the program goes on. */
  readonly maxOutputBytes?: number;
  /** Then the tree is ended: with SIGTERM first, and killed after `graceMillis`. No limit when absent. */
  readonly timeoutMillis?: number;
  /** Between SIGTERM and the kill after a timeout or an abort; 500 by default. */
  readonly graceMillis?: number;
  readonly onStdout?: (piece: Buffer) => void;
  readonly onStderr?: (piece: Buffer) => void;
  readonly signal?: AbortSignal;
}

export interface RunResult {
  /** `exited`: by itself, with any code. The other two were ended by us, and `exit` tells how. */
  readonly outcome: "exited" | "timed_out" | "aborted";
  /** Null only when the system would not let go of the process. */
  readonly exit: Exit | null;
  readonly stdout: Captured;
  readonly stderr: Captured;
}

const OUTPUT_BYTES = 1_048_576;

/** After the program's own end, descendants that hold its pipes get this long to finish a last line. */
const DRAIN_MILLIS = 200;

/** Throws StartError when the program did not start; every other end is a result. Descendants left behind are ended. */
export async function runProgram(options: RunOptions): Promise<RunResult> {
  options.signal?.throwIfAborted();
  const child = await startProcess(options);
  const cap = options.maxOutputBytes ?? OUTPUT_BYTES;
  const stdout = captureOf(child.stdout, cap, options.onStdout);
  const stderr = captureOf(child.stderr, cap, options.onStderr);
  child.stdin.end(options.input);

  const outcome = await firstOf(child.exited, options.timeoutMillis, options.signal);
  const byForce = { graceMillis: options.graceMillis ?? 500, signal: "SIGTERM" } as const;
  if (outcome === "exited") await settledWithin(Promise.all([stdout.ended, stderr.ended]), DRAIN_MILLIS);
  const { exit } = await child.end(outcome === "exited" ? { graceMillis: 0 } : byForce);
  await settledWithin(Promise.all([stdout.ended, stderr.ended]), DRAIN_MILLIS);
  child.stdout.destroy();
  child.stderr.destroy();
  return { outcome, exit, stdout: stdout.read(), stderr: stderr.read() };
}

function firstOf(
  exited: Promise<unknown>,
  timeoutMillis: number | undefined,
  signal: AbortSignal | undefined,
): Promise<RunResult["outcome"]> {
  return new Promise((resolve) => {
    const settle = (outcome: RunResult["outcome"]): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(outcome);
    };
    const onAbort = (): void => settle("aborted");
    const timer = timeoutMillis === undefined ? undefined : setTimeout(() => settle("timed_out"), timeoutMillis);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    void exited.then(() => settle("exited"));
  });
}
