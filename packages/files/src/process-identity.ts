/** Tells one process from another that later got the same number. */
import { readFileSync } from "node:fs";

/** Whether that process is alive. `startTime` (see below) guards against a number that was given away again. */
export function isAlive(pid: number, startTime: string | null): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there and belongs to another user.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  const stat = statOf(pid);
  if (stat === null) return process.platform !== "linux";
  return stat.state !== "Z" && (startTime === null || stat.startTime === startTime);
}

/** When a process started, in clock ticks since boot, as text. Null where the system does not tell. */
export function startTimeOf(pid: number): string | null {
  return statOf(pid)?.startTime ?? null;
}

function statOf(pid: number): { readonly state: string; readonly startTime: string } | null {
  if (process.platform !== "linux") return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field, the name in parentheses, may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", startTime: fields[19] ?? "" };
  } catch {
    return null;
  }
}
