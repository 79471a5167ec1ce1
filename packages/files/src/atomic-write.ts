/** Replaces a file whole: whoever reads it, and whenever the power goes, finds the old content or the new. */
import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, realpath, rename, rm, stat, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errnoOf, explainErrno, FileError } from "./file-error.ts";
import { isAlive, startTimeOf } from "./process-identity.ts";

export interface AtomicWriteOptions {
  /** Permission bits of the file, for instance 0o600 for secrets. When absent: those of the file replaced, else the system's default. */
  readonly mode?: number;
}

/**
 * Writes beside the file, flushes, renames over it, flushes the directory. Directories are created; a symbolic link
 * stays and its target is replaced. Throws FileError `write_failed`, with the old content untouched.
 */
export async function writeFileAtomic(
  file: string,
  data: string | Uint8Array,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const target = await realpath(file).catch(() => file);
  try {
    await mkdir(path.dirname(target), { recursive: true });
    const mode = options.mode ?? (await modeOf(target));
    const temporary = temporaryName(target);
    try {
      const handle = await open(temporary, "wx", mode ?? 0o666);
      try {
        await handle.writeFile(data);
        // The mode given to open is cut by the umask; a mode that is asked for or kept is meant exactly.
        if (mode !== null) await handle.chmod(mode);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await renameOver(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  } catch (error) {
    throw new FileError(
      "write_failed",
      file,
      `${file} could not be written: ${explainErrno(error)}. Its content is unchanged.`,
      error,
    );
  }
  await syncDirectory(path.dirname(target));
  // A directory that may be written but not listed keeps its leftovers; the file is written all the same.
  await sweepLeftovers(path.dirname(target), path.basename(target)).catch(() => []);
}

/** Removes what writers that died left beside their files; of one file when its name is given. Returns the names. */
export async function sweepLeftovers(directory: string, baseName?: string): Promise<readonly string[]> {
  const swept: string[] = [];
  for (const name of await readdir(directory)) {
    const parts = TEMPORARY_NAME.exec(name);
    if (parts === null || (baseName !== undefined && parts[1] !== baseName)) continue;
    if (isAlive(Number(parts[2]), parts[3] === "0" ? null : (parts[3] ?? null))) continue;
    await rm(path.join(directory, name), { force: true });
    swept.push(name);
  }
  return swept;
}

/**
 * Makes a rename or a new name in the directory last through a power cut, where the system has a way to: Windows and some
 * network file systems cannot flush a directory, and one that may not be read cannot be opened for it.
 */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  let handle: FileHandle | undefined;
  try {
    handle = await open(directory, "r");
    await handle.sync();
  } catch (error) {
    if (!CANNOT_FLUSH.has(errnoOf(error) ?? ""))
      throw new FileError(
        "write_failed",
        directory,
        `${directory} could not be flushed to the disk: ${explainErrno(error)}.`,
        error,
      );
  } finally {
    await handle?.close();
  }
}

const CANNOT_FLUSH = new Set(["EINVAL", "ENOTSUP", "EACCES", "EPERM"]);

const TEMPORARY_NAME = /^\.(.+)\.(\d+)-(\d+)-[0-9a-f]{12}\.tmp$/;

function temporaryName(target: string): string {
  const owner = `${process.pid}-${startTimeOf(process.pid) ?? "0"}`;
  return path.join(path.dirname(target), `.${path.basename(target)}.${owner}-${randomBytes(6).toString("hex")}.tmp`);
}

async function modeOf(file: string): Promise<number | null> {
  return stat(file).then(
    (stats) => stats.mode & 0o7777,
    () => null,
  );
}

const RENAME_TRIES = 20;

/** On Windows a virus scanner or a reader holds a file for a moment: that is worth waiting a second for. */
async function renameOver(from: string, to: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const passing = process.platform === "win32" && ["EPERM", "EACCES", "EBUSY"].includes(errnoOf(error) ?? "");
      if (!passing || tries === RENAME_TRIES) throw error;
      await delay(50);
    }
  }
}
