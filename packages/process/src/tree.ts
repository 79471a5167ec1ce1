/** Ends a whole process group; asks and signals single processes without ever throwing at one that is gone. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** Sends SIGKILL, or a gentler signal, to every process of the group; on Windows ends the tree by force. */
export async function endGroup(leaderPid: number, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
  if (process.platform !== "win32") {
    signalProcess(-leaderPid, signal);
    return;
  }
  const [file, ...args] = taskkillArguments(leaderPid);
  await new Promise<void>((resolve) => {
    const taskkill = spawn(file, args, { stdio: "ignore", windowsHide: true });
    taskkill.once("error", () => resolve());
    taskkill.once("exit", () => resolve());
  });
}

/** The Windows command that ends a process and its descendants: `/T` for the tree, `/F` because a request is ignored. */
export function taskkillArguments(pid: number): readonly [string, ...string[]] {
  return ["taskkill", "/PID", String(pid), "/T", "/F"];
}

/** Whether a process of the group is left. A dead one that nobody has collected yet does not count on Linux. */
export function groupIsAlive(leaderPid: number): boolean {
  return signalProcess(-leaderPid, 0);
}

/** Whether the process runs. One that ended and waits to be collected by its parent does not. */
export function processIsAlive(pid: number): boolean {
  return signalProcess(pid, 0) && !isZombie(pid);
}

/** False when there is no such process or group. One of another user's is there, but cannot be signalled. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may hold anything, so the state is what follows the last one.
    const state = stat[stat.lastIndexOf(")") + 2];
    return state === "Z" || state === "X";
  } catch {
    // It went away between the two looks.
    return true;
  }
}
