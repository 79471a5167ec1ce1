/** Finds the files that a path or glob of a package stands for, never outside the root. */
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { resolveInside } from "../package/read-inside.ts";
import type { Note } from "./contribution.ts";

const LEFT_OUT = new Set([".git", "node_modules"]);
const DEEPEST = 8;
const MOST = 20_000;

/** Files below the declared paths whose path `wanted` accepts, relative to the root, sorted; each once. */
export async function filesOf(
  root: string,
  declared: readonly string[],
  wanted: (relative: string) => boolean,
  note: Note,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const written of declared) {
    const before = found.size;
    if (/[*?[\]{}]/.test(written)) {
      const picomatch = (await import("picomatch")).default;
      const matches = picomatch(written.replace(/^\.\//, ""), { dot: true });
      for (const file of await walk(root, baseOf(written), note)) if (matches(file) && wanted(file)) found.add(file);
      if (found.size === before) note(written, "nothing matches it", "warning");
      continue;
    }
    const place = await resolveInside(root, written);
    if (!place.ok) {
      note(written, place.problem);
      continue;
    }
    if (await isFile(place.file)) found.add(written);
    else for (const file of await walk(root, written, note)) if (wanted(file)) found.add(file);
  }
  return [...found].sort();
}

/** All regular files below a folder, links followed only where they stay inside. */
async function walk(root: string, folder: string, note: Note): Promise<readonly string[]> {
  const files: string[] = [];
  const pending: (readonly [string, number])[] = [[folder === "." ? "" : folder, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [at, depth] = next;
    const entries = await readdir(path.join(root, at), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (LEFT_OUT.has(entry.name)) continue;
      const relative = at === "" ? entry.name : `${at}/${entry.name}`;
      if (files.length >= MOST) {
        note(folder, `more than ${MOST} files are below it`, "warning");
        return files;
      }
      if (entry.isDirectory()) {
        if (depth < DEEPEST) pending.push([relative, depth + 1]);
      } else if (entry.isFile()) {
        files.push(relative);
      } else if (entry.isSymbolicLink()) {
        const place = await resolveInside(root, relative);
        if (!place.ok) note(relative, place.problem);
        else if (await isFile(place.file)) files.push(relative);
      }
    }
  }
  return files;
}

/** The folder before the first part with a wildcard. */
function baseOf(glob: string): string {
  const parts = glob.split("/");
  const first = parts.findIndex((part) => /[*?[\]{}]/.test(part));
  return (
    parts
      .slice(0, first)
      .filter((part) => part !== ".")
      .join("/") || "."
  );
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
