/** Reads regular files only: a pipe or a device would never end, or never begin. */
import { readFile, stat } from "node:fs/promises";

export type RegularFile =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "too_large"; readonly size: number }
  /** A pipe, a socket, a device. */
  | { readonly kind: "special" };

/** Throws the system's error, also for a directory. */
export async function readRegular(file: string, maxBytes: number): Promise<RegularFile> {
  const found = await stat(file);
  if (found.isFile() && found.size > maxBytes) return { kind: "too_large", size: found.size };
  if (!found.isFile() && !found.isDirectory()) return { kind: "special" };
  return { kind: "bytes", bytes: await readFile(file) };
}
