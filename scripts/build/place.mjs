/** Puts built files in place so that a program that runs meanwhile never sees half a file. */
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A running program may still load a chunk of an older build; after this many milliseconds it is taken away. */
const STALE_AFTER = 60 * 60 * 1000;

/**
 * Writes what changed, by rename, with `mode`; removes what is no longer built. Files: absolute path and bytes. Resolves
 * to whether anything was written.
 */
export async function placeFiles(outdir, files, { mode, staleAfter = STALE_AFTER }) {
  const written = await Promise.all(files.map((file) => placeFile(file, mode)));
  await removeStale(outdir, new Set(files.map((file) => file.path)), Date.now() - staleAfter);
  return written.includes(true);
}

async function placeFile({ path, bytes }, mode) {
  const present = await readFile(path).catch(() => null);
  if (present !== null && present.equals(bytes)) {
    await chmod(path, mode);
    return false;
  }
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.draft`;
  await writeFile(draft, bytes, { mode });
  await chmod(draft, mode);
  await rename(draft, path);
  return true;
}

async function removeStale(outdir, wanted, oldest) {
  const entries = await readdir(outdir, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || wanted.has(path)) continue;
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs <= oldest) await rm(path, { force: true });
  }
}
