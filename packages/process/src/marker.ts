/**
 * Finds processes by a marker in their environment: a child that left its process group (setsid) or lost its parent
 * still carries the environment it was started with. Works where /proc does, which is Linux.
 */
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { processIsAlive, signalProcess } from "./tree.ts";

/** The environment variable that carries the marker. */
export const MARKER_VARIABLE = "REASONIX_PROCESS_TREE";

/** A marker of this process, or one below another: a sweep for `parent` finds what carries `parent.child` too. */
export function newMarker(parent?: string): string {
  return `${parent ?? String(process.pid)}.${randomBytes(8).toString("hex")}`;
}

/**
 * Pids of the living processes that carry this marker or one below it, this process apart. Empty without /proc. With
 * `fromPid` only those with that pid or a higher one are looked at.
 */
export function findMarked(marker: string, fromPid = 0): readonly number[] {
  if (process.platform !== "linux") return [];
  const entry = Buffer.from(`${MARKER_VARIABLE}=${marker}`);
  const found: number[] = [];
  for (const name of processNames()) {
    const pid = Number(name);
    if (!(pid >= fromPid) || pid === process.pid) continue;
    if (carries(readEnvironment(pid), entry) && processIsAlive(pid)) found.push(pid);
  }
  return found;
}

/**
 * Ends every process that carries the marker, again and again until none is left: one that forks while it is looked for
 * is met on the next pass. Returns the pids that were still alive when `deadlineMillis` (2 s) had passed.
 */
export async function endMarked(
  marker: string,
  { deadlineMillis = 2_000, fromPid = 0 }: { readonly deadlineMillis?: number; readonly fromPid?: number } = {},
): Promise<readonly number[]> {
  const until = performance.now() + deadlineMillis;
  // One that is on its way out has no environment any more and is still there for a moment.
  let dying: readonly number[] = [];
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    const alive = [...new Set([...findMarked(marker, fromPid), ...dying.filter(processIsAlive)])];
    if (alive.length === 0 || performance.now() >= until) return alive;
    for (const pid of alive) signalProcess(pid, "SIGKILL");
    dying = alive;
    await delay(pause);
  }
}

/** Time in which pids cannot have gone all the way round: thousands of starts a second would be needed. */
const NO_WRAP_MILLIS = 10_000;

/**
 * The lowest pid that a descendant of this process can have. Pids are given out in ascending order, so those of a young
 * process lie above its own, unless the count has begun anew, which the pid given out last shows.
 */
export function lowestDescendantPid(pid: number, ageMillis: number): number {
  if (process.platform !== "linux" || ageMillis > NO_WRAP_MILLIS) return 0;
  return lastPidGivenOut() >= pid ? pid : 0;
}

/** 0 where the system hides it: then every process is looked at. */
function lastPidGivenOut(): number {
  try {
    return Number(readFileSync("/proc/loadavg", "latin1").trimEnd().split(" ").at(-1));
  } catch {
    return 0;
  }
}

/** Without /proc, in a bare sandbox, no escapee can be found; the group was ended all the same. */
function processNames(): readonly string[] {
  try {
    return readdirSync("/proc");
  } catch {
    return [];
  }
}

const NOTHING = Buffer.alloc(0);

function readEnvironment(pid: number): Buffer {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    // Gone since the listing, or another user's: neither was started by us.
    return NOTHING;
  }
}

/** The entry must begin the environment or follow a NUL, and end there or go on below the marker. */
function carries(environment: Buffer, entry: Buffer): boolean {
  for (let at = environment.indexOf(entry); at >= 0; at = environment.indexOf(entry, at + 1)) {
    const next = environment[at + entry.length];
    const ends = next === undefined || next === 0 || next === DOT;
    if (ends && (at === 0 || environment[at - 1] === 0)) return true;
  }
  return false;
}

const DOT = 0x2e;
