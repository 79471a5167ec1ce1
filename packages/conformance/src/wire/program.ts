/** Starts the program under judgement as a host would, and ends it as a tree. */
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";

export interface Program {
  /** Absolute. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly cwd: string;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
  readonly millis: number;
}

export interface RunningProgram {
  readonly pid: number | null;
  /** Settles when the process is gone; rejects when it could not be started, with what to do. */
  readonly ended: Promise<Ending>;
  /** Settles when, after its end, all that it wrote has been heard; a descendant may hold its stdout for a moment only. */
  readonly heard: Promise<void>;
  write(bytes: Buffer | string): void;
  closeInput(): void;
  /** Stops or resumes reading its stdout. */
  read(on: boolean): void;
  /** The last 4 KiB of its stderr. */
  stderr(): string;
  /** Descendants and the process itself that still run, by the marker in their environment (Linux), else its own pid. */
  alive(): readonly number[];
  /** Kills the group and every marked process. */
  kill(): void;
}

const TAIL_BYTES = 4_096;
const LAST_WORDS_MILLIS = 1_000;
const MARKER = "REASONIX_CONFORMANCE_RUN";

export function startProgram(
  program: Program,
  environment: { readonly [name: string]: string | undefined },
  run: string,
  hear: (bytes: Buffer) => void,
): RunningProgram {
  const started = performance.now();
  const child = spawn(program.command, program.args, {
    cwd: program.cwd,
    env: { ...environment, ...program.env, [MARKER]: run },
    stdio: "pipe",
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  let tail = Buffer.alloc(0);
  child.stdout.on("data", hear);
  child.stderr.on("data", (bytes: Buffer) => {
    tail = Buffer.concat([tail, bytes]).subarray(-TAIL_BYTES);
  });
  // Its death is told by `ended`; a write that comes too late is no event of its own.
  child.stdin.on("error", () => {});
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once("error", (error) => reject(new Error(whyNotStarted(program.command, error))));
    child.once("exit", (code, signal) => resolve({ code, signal, millis: Math.round(performance.now() - started) }));
  });
  ended.catch(() => {});
  const closed = new Promise<void>((resolve) => child.stdout.once("close", () => resolve()));
  const heard = ended.then(
    () => firstOf(closed, LAST_WORDS_MILLIS),
    () => {},
  );
  const pid = child.pid ?? null;
  return {
    pid,
    ended,
    heard,
    write: (bytes) => void child.stdin.write(bytes),
    closeInput: () => void child.stdin.end(),
    read: (on) => void (on ? child.stdout.resume() : child.stdout.pause()),
    stderr: () => tail.toString("utf8"),
    alive: () => marked(run, pid),
    kill: () => {
      if (pid !== null) killTree(pid);
      for (const one of marked(run, pid)) signalQuietly(one);
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
}

/** `exit code 3`, `signal SIGKILL`. */
export function describeEnding({ code, signal }: Ending): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

async function firstOf(promise: Promise<void>, millis: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, millis);
  });
  await Promise.race([promise, waited]);
  clearTimeout(timer);
}

function whyNotStarted(command: string, error: Error): string {
  const code = "code" in error ? error.code : "";
  if (code === "ENOENT") return `${command} does not exist, or the interpreter in its first line does not.`;
  if (code === "EACCES") return `${command} is not executable: run chmod +x on it.`;
  if (code === "ENOEXEC") return `${command} is no program: give it a first line such as #!/usr/bin/env python3.`;
  return `${command} could not be started: ${error.message}`;
}

function killTree(pid: number): void {
  if (process.platform === "win32") spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"], { windowsHide: true });
  else signalQuietly(-pid);
}

function signalQuietly(pid: number): void {
  try {
    process.kill(pid, constants.signals.SIGKILL);
  } catch {
    // It is gone already, which is what was wanted.
  }
}

function marked(run: string, own: number | null): readonly number[] {
  if (process.platform !== "linux") return own !== null && isAlive(own) ? [own] : [];
  const entry = `${MARKER}=${run}`;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => environmentOf(name).split("\0").includes(entry))
    .map(Number);
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    // Gone meanwhile, or another user's: not ours.
    return "";
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
