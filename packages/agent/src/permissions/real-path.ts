/** Where a path ends when its links are followed, also for a file that is not there yet. */
import { lstat, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../tools/paths.ts";

const MAX_LINKS = 40;

/** Follows every link of the part that exists; what does not exist yet is kept as written. Throws on a loop of links. */
export async function realPathOf(absolute: string, links = 0): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "ENOTDIR") throw error;
  }
  const target = await danglingTarget(absolute);
  if (target !== null) {
    if (links >= MAX_LINKS) throw new Error(`${absolute} goes through more than ${MAX_LINKS} links.`);
    return await realPathOf(path.resolve(path.dirname(absolute), target), links + 1);
  }
  const parent = path.dirname(absolute);
  if (parent === absolute) return absolute;
  return path.join(await realPathOf(parent, links), path.basename(absolute));
}

/** A link whose target is missing would be created there by a write. */
async function danglingTarget(absolute: string): Promise<string | null> {
  try {
    return (await lstat(absolute)).isSymbolicLink() ? await readlink(absolute) : null;
  } catch {
    // Nothing is there: nothing is linked.
    return null;
  }
}

/** Whether `inner` is `outer` or lies below it; both absolute and free of links. */
export function isInside(outer: string, inner: string): boolean {
  const relative = path.relative(outer, inner);
  return relative === "" || (relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}
