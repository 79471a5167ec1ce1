/** Puts a finished directory in the place of another: after a crash the old or the new one is there, whole. */
import { existsSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { syncDirectory } from "./atomic-write.ts";
import { explainErrno, FileError } from "./file-error.ts";

/**
 * Moves `staged`, a sibling on the same file system, to `target`. What was there is moved aside first and removed
 * after. A crash between the two moves is undone by `recoverSwap`. Call both under the lock of the target.
 */
export async function swapTree(staged: string, target: string): Promise<void> {
  await recoverSwap(target);
  const aside = asideName(target);
  const replaces = existsSync(target);
  try {
    // Synchronous, so that nothing of ours comes between them.
    if (replaces) renameSync(target, aside);
    renameSync(staged, target);
  } catch (error) {
    if (replaces && existsSync(aside) && !existsSync(target)) renameSync(aside, target);
    throw new FileError(
      "write_failed",
      target,
      `${target} could not be replaced: ${explainErrno(error)}. It is unchanged.`,
      error,
    );
  }
  await syncDirectory(path.dirname(target));
  await rm(aside, { recursive: true, force: true });
}

/** Finishes what a crash interrupted: restores the old directory when the new one did not arrive, else removes it. */
export async function recoverSwap(target: string): Promise<"restored" | "removed" | "nothing"> {
  const aside = asideName(target);
  if (!existsSync(aside)) return "nothing";
  if (!existsSync(target)) {
    renameSync(aside, target);
    await syncDirectory(path.dirname(target));
    return "restored";
  }
  await rm(aside, { recursive: true, force: true });
  return "removed";
}

/** Hidden, and beside the target: a rename does not cross file systems. */
function asideName(target: string): string {
  return path.join(path.dirname(target), `.${path.basename(target)}.replaced`);
}
