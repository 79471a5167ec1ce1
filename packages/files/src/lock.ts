/** A lock between processes: a file beside the one that is locked, which names its holder. */
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { explainErrno, FileError } from "./file-error.ts";
import { createLockFile, idleMillis, readHolder, touch, type LockHolder } from "./lock-file.ts";
import { isAlive, startTimeOf } from "./process-identity.ts";

export interface LockOptions {
  /** How long to wait for the holder before `lock_timeout`; 10 s by default. */
  readonly waitMillis?: number;
  /** What the lock is held for, shown to those who wait: `plugin install starter`. */
  readonly purpose?: string;
  readonly signal?: AbortSignal;
}

export interface Lock {
  readonly file: string;
  /** Lets the next one in. A second call does nothing. */
  readonly release: () => void;
}

/**
 * Runs `work` while `<file>.lock` is held: read the state inside it, not before. Waits for a living holder, takes over
 * from a dead one. Throws FileError `lock_timeout`, naming holder and file, or what `work` throws.
 */
export async function withLock<Result>(
  file: string,
  work: () => Promise<Result> | Result,
  options: LockOptions = {},
): Promise<Result> {
  const lock = await acquireLock(file, options);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** The lock itself, for work that is no single function. Must be released on every path. */
export async function acquireLock(file: string, options: LockOptions = {}): Promise<Lock> {
  const { waitMillis = 10_000, purpose = "", signal } = options;
  const lockFile = `${file}.lock`;
  const until = performance.now() + waitMillis;
  makeDirectory(file);
  for (let pause = 2; ; pause = Math.min(pause * 2, 100)) {
    signal?.throwIfAborted();
    const mine = tryTake(lockFile, purpose);
    if (mine !== null) return held(file, lockFile, mine);
    if (performance.now() >= until) throw timedOut(file, lockFile, waitMillis);
    // Waiters that woke together would meet again: each sleeps a little differently.
    await delay(pause * (0.5 + Math.random()), undefined, signal === undefined ? {} : { signal });
  }
}

const TOUCH_MILLIS = 10_000;
/** A holder on another machine cannot be asked whether it lives; one that stopped touching its file does not. */
const FOREIGN_STALE_MILLIS = 6 * TOUCH_MILLIS;
/** A lock file without a readable holder belongs to a process that is writing it, unless it stays so. */
const UNREADABLE_STALE_MILLIS = 10_000;
/** Taking over is done under a lock of its own, whose holder may die as well, and so on; three times in a row is no accident. */
const DEEPEST_TAKEOVER = 3;

function held(file: string, lockFile: string, mine: LockHolder): Lock {
  const timer = setInterval(() => touch(lockFile), TOUCH_MILLIS);
  timer.unref();
  let released = false;
  return {
    file,
    release() {
      if (released) return;
      released = true;
      clearInterval(timer);
      if (readHolder(lockFile)?.nonce === mine.nonce) rmSync(lockFile, { force: true });
    },
  };
}

/** One attempt, without waiting. All of it is synchronous, so that a takeover lock is held for microseconds only. */
function tryTake(lockFile: string, purpose: string, depth = 0): LockHolder | null {
  const holder: LockHolder = {
    pid: process.pid,
    host: hostname(),
    purpose,
    since: new Date().toISOString(),
    startTime: startTimeOf(process.pid),
    nonce: randomBytes(12).toString("hex"),
  };
  if (createLockFile(lockFile, holder)) return holder;
  const seen = readHolder(lockFile);
  if (!isAbandoned(lockFile, seen) || depth === DEEPEST_TAKEOVER) return null;
  const takeover = `${lockFile}.takeover`;
  const guard = tryTake(takeover, purpose, depth + 1);
  if (guard === null) return null;
  try {
    // Another may have taken over between the look and the guard; under the guard nobody else removes the file.
    const now = readHolder(lockFile);
    if (now?.nonce === seen?.nonce && isAbandoned(lockFile, now)) rmSync(lockFile, { force: true });
  } finally {
    rmSync(takeover, { force: true });
  }
  return createLockFile(lockFile, holder) ? holder : null;
}

function isAbandoned(lockFile: string, holder: LockHolder | null): boolean {
  if (holder === null) return idleMillis(lockFile) > UNREADABLE_STALE_MILLIS;
  if (holder.host !== hostname()) return idleMillis(lockFile) > FOREIGN_STALE_MILLIS;
  return !isAlive(holder.pid, holder.startTime);
}

function makeDirectory(file: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
  } catch (error) {
    throw new FileError("write_failed", file, `${file} could not be locked: ${explainErrno(error)}.`, error);
  }
}

function timedOut(file: string, lockFile: string, waitMillis: number): FileError {
  const holder = readHolder(lockFile);
  const who =
    holder === null
      ? "a process that left no name"
      : `process ${holder.pid} on ${holder.host}${holder.purpose === "" ? "" : ` (${holder.purpose})`} since ${holder.since}`;
  return new FileError(
    "lock_timeout",
    file,
    `${file} is locked by ${who}; waited ${waitMillis} ms. Let it finish, or end it and remove ${lockFile}.`,
  );
}
