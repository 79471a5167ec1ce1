/** A lock's file on disk: who holds it, how it comes into being whole, when it was last touched. */
import { linkSync, readFileSync, statSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { errnoOf, explainErrno, FileError } from "./file-error.ts";

export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  readonly purpose: string;
  /** ISO 8601. */
  readonly since: string;
  /** Guards against a reused pid; null where the system does not tell. */
  readonly startTime: string | null;
  /** Different for every lock ever taken. */
  readonly nonce: string;
}

/** The file appears with its whole content, by a link, and only if there was none. */
export function createLockFile(lockFile: string, holder: LockHolder): boolean {
  const text = JSON.stringify(holder);
  const draft = `${lockFile}.${holder.nonce}`;
  try {
    writeFileSync(draft, text, { flag: "wx" });
    try {
      linkSync(draft, lockFile);
    } finally {
      unlinkSync(draft);
    }
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    if (NO_LINKS.has(errnoOf(error) ?? "")) return createWithoutLink(lockFile, text);
    throw new FileError(
      "write_failed",
      lockFile,
      `The lock ${lockFile} could not be taken: ${explainErrno(error)}.`,
      error,
    );
  }
}

/** File systems without hard links (FAT, some network shares) answer one of these. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

export function createWithoutLink(lockFile: string, text: string): boolean {
  try {
    writeFileSync(lockFile, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw new FileError(
      "write_failed",
      lockFile,
      `The lock ${lockFile} could not be taken: ${explainErrno(error)}.`,
      error,
    );
  }
}

/** Time since the file was touched; 0 when it is gone, so that nothing is done about it. */
export function idleMillis(lockFile: string): number {
  try {
    return Date.now() - statSync(lockFile).mtimeMs;
  } catch {
    return 0;
  }
}

export function touch(lockFile: string): void {
  try {
    const now = new Date();
    utimesSync(lockFile, now, now);
  } catch {
    // Gone or unreachable: `release` looks at the holder before it removes anything.
  }
}

/** Null when there is no file, or none that names a holder. */
export function readHolder(lockFile: string): LockHolder | null {
  try {
    const value: unknown = JSON.parse(readFileSync(lockFile, "utf8"));
    return isHolder(value) ? value : null;
  } catch {
    return null;
  }
}

function isHolder(value: unknown): value is LockHolder {
  return (
    typeof value === "object" &&
    value !== null &&
    "pid" in value &&
    Number.isInteger(value.pid) &&
    "host" in value &&
    typeof value.host === "string" &&
    "nonce" in value &&
    typeof value.nonce === "string" &&
    "purpose" in value &&
    typeof value.purpose === "string" &&
    "since" in value &&
    typeof value.since === "string" &&
    "startTime" in value &&
    (value.startTime === null || typeof value.startTime === "string")
  );
}
