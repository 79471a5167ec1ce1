/** Starts a program in exec form, in a process group of its own, and hands back the means to end all of it. */
import { existsSync } from "node:fs";
import path from "node:path";
import { spawn, type ChildProcessByStdio, type SpawnOptions } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Exit } from "./exit.ts";
import { formatOf } from "./executable-format.ts";
import { readHead } from "./inspect-command.ts";
import { endMarked, lowestDescendantPid, MARKER_VARIABLE, newMarker } from "./marker.ts";
import { settledWithin } from "./settled-within.ts";
import { StartError } from "./start-error.ts";
import { endGroup, groupIsAlive } from "./tree.ts";
import type { WindowsLaunch } from "./windows-launcher.ts";

export interface StartOptions {
  /** An absolute path, a path with a slash, or a name looked up in the PATH of `env`. Never read by a shell. */
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** The whole environment; this process's own when absent. A marker is added to it. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Groups several processes under one marker, made by `newMarker`, for `endMarked`. */
  readonly marker?: string;
  /** Runs a `.cmd`, `.bat` or extensionless launcher on Windows through a safely quoted command processor. */
  readonly windowsLauncher?: boolean;
}

export interface EndOptions {
  /** How long the process may take to leave by itself after its input was closed; 0 kills at once. Default 750. */
  readonly graceMillis?: number;
  /** Sent to the group when the input is closed: SIGTERM for programs that do not watch their input. */
  readonly signal?: NodeJS.Signals;
}

export interface EndReport {
  /** How the process ended; null when the system had not let go of it after the kill (uninterruptible sleep). */
  readonly exit: Exit | null;
  /** True when it had to be killed. */
  readonly killed: boolean;
  /** Pids of its tree that could not be ended. Empty, unless they belong to another user or hang in the kernel. */
  readonly survivors: readonly number[];
}

export interface ManagedProcess {
  readonly pid: number;
  readonly marker: string;
  /** Writing to a process that died fails in the write's callback and as an `error` event, which is listened to. */
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Must be drained, for instance by `tailOf`: a full pipe stops the process. */
  readonly stderr: Readable;
  /** Settles when the process itself has ended; never rejects. Its descendants may live on and hold its pipes. */
  readonly exited: Promise<Exit>;
  /** How it ended, or null while it runs. */
  readonly exit: () => Exit | null;
  /**
   * Closes the input, waits, then kills the tree, and settles when it is gone. Every call shares the first one's work;
   * one with a grace of 0 cuts the waiting of an earlier one short.
   */
  readonly end: (options?: EndOptions) => Promise<EndReport>;
}

/** How long a killed process may take to be reported gone. */
const KILL_DEADLINE_MILLIS = 5_000;

/** Settles when the program runs; throws StartError when the system refused it. */
export async function startProcess(options: StartOptions): Promise<ManagedProcess> {
  const marker = newMarker(options.marker);
  if (await needsShell(options))
    throw new StartError(options.command, Object.assign(new Error(NO_SHEBANG), { code: "ENOEXEC" }));
  const startedAt = performance.now();
  const child = await launch(options, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...(options.env ?? process.env), [MARKER_VARIABLE]: marker },
    stdio: ["pipe", "pipe", "pipe"],
    // A group of its own, so that one signal reaches all of it and none of ours reaches it from the keyboard.
    detached: process.platform !== "win32",
    windowsHide: true,
    shell: false,
  });
  const pid = await started(child, options.command);
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    // A peer that died is told by `exited` and by the write's own callback; here it only must not become uncaught.
    stream.on("error", () => {});
  }
  let exit: Exit | null = null;
  let groupLeft = true;
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) => {
      exit = { code, signal, elapsedMillis: performance.now() - startedAt };
      // Once the group is empty its number is free for others and must not be signalled again.
      groupLeft = process.platform !== "win32" && groupIsAlive(pid);
      resolve(exit);
    });
  });
  let ending: Promise<EndReport> | null = null;
  let hurry = (): void => {};
  const hurried = new Promise<void>((resolve) => {
    hurry = resolve;
  });

  const endAll = async ({ graceMillis = 750, signal }: EndOptions): Promise<EndReport> => {
    if (exit === null) {
      child.stdin.end();
      if (signal !== undefined && graceMillis > 0) await endGroup(pid, signal);
      if (graceMillis > 0) await settledWithin(Promise.race([exited, hurried]), graceMillis);
    }
    const killed = exit === null;
    if (groupLeft) await endGroup(pid);
    const survivors = await endMarked(marker, { fromPid: lowestDescendantPid(pid, performance.now() - startedAt) });
    await settledWithin(exited, KILL_DEADLINE_MILLIS);
    // Descendants may have held these open; nothing more is wanted from them.
    child.stdin.destroy();
    return { exit, killed, survivors };
  };

  return {
    pid,
    marker,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    exit: () => exit,
    end: (end = {}) => {
      if (end.graceMillis === 0) hurry();
      return (ending ??= endAll(end));
    },
  };
}

type PipedChild = ChildProcessByStdio<Writable, Readable, Readable>;

async function launch(
  options: StartOptions,
  spawnOptions: SpawnOptions & { stdio: ["pipe", "pipe", "pipe"] },
): Promise<PipedChild> {
  const args = options.args ?? [];
  try {
    if (options.windowsLauncher === true && process.platform === "win32") {
      const { file, verbatim, args: quoted } = await launcherOf(options);
      return spawn(file, quoted, { ...spawnOptions, windowsVerbatimArguments: verbatim });
    }
    return spawn(options.command, args, spawnOptions);
  } catch (error) {
    // Node throws, instead of emitting, for some faults: NUL in an argument, E2BIG, a missing directory on Windows.
    throw new StartError(options.command, error);
  }
}

async function launcherOf({
  command,
  args = [],
  cwd = process.cwd(),
  env = process.env,
}: StartOptions): Promise<WindowsLaunch> {
  const { windowsCandidates, windowsLaunch } = await import("./windows-launcher.ts");
  // None there: the system is asked for the name as it is, and answers ENOENT.
  const file = windowsCandidates(command, cwd, env).find((candidate) => existsSync(candidate)) ?? command;
  return windowsLaunch(file, args, process.env["ComSpec"]);
}

function started(child: PipedChild, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new StartError(command, error)));
    child.once("spawn", () => {
      // Later errors are failed kills or sends, which their callers see.
      child.removeAllListeners("error").on("error", () => {});
      if (child.pid !== undefined) resolve(child.pid);
    });
  });
}

const NO_SHEBANG = "The file is text, and its first line names no interpreter.";

/**
 * The C library hands an executable text file without an interpreter line to /bin/sh. That would be a shell after all,
 * reading what may be a program in another language, so such a file is refused. A bare name is left to the system.
 */
async function needsShell({ command, cwd }: StartOptions): Promise<boolean> {
  if (process.platform === "win32" || !command.includes("/")) return false;
  const head = await readHead(path.resolve(cwd ?? ".", command));
  return head !== null && head.length > 0 && formatOf(head).type === "text";
}
