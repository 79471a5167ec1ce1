/** Reads files of a package without ever leaving its root, and without waiting on what is no file. */
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import path from "node:path";
import { isInnerPath } from "../manifest/fields.ts";
import { decodeText, JSON_FILE_BYTES } from "../manifest/json-text.ts";

export type BytesInside =
  | { readonly ok: true; readonly bytes: Buffer; readonly file: string }
  | { readonly ok: false; readonly missing: boolean; readonly problem: string };

/** `relative` is a path of the package, with `/`. `problem` names the file and what to do. */
export async function readInside(root: string, relative: string, maxBytes = JSON_FILE_BYTES): Promise<BytesInside> {
  const place = await resolveInside(root, relative);
  if (!place.ok) return place;
  try {
    // A FIFO with no writer would block an open without O_NONBLOCK for ever.
    const handle = await open(place.file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return fault(`${relative} is no regular file`);
      if (stats.size > maxBytes) return fault(`${relative} has ${stats.size} bytes, and at most ${maxBytes} are read`);
      return { ok: true, bytes: await handle.readFile(), file: place.file };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return fault(`${relative} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export type TextInside =
  | { readonly ok: true; readonly text: string; readonly file: string }
  | { readonly ok: false; readonly missing: boolean; readonly problem: string };

/** The same as text: UTF-8, where one byte order mark is taken off. */
export async function readTextInside(root: string, relative: string): Promise<TextInside> {
  const read = await readInside(root, relative);
  if (!read.ok) return read;
  const decoded = decodeText(read.bytes);
  if (decoded.ok) return { ok: true, text: decoded.text, file: read.file };
  return fault(`${relative}: ${decoded.received} came, wanted ${decoded.wanted}`);
}

export type PlaceInside =
  | { readonly ok: true; readonly file: string }
  | { readonly ok: false; readonly missing: boolean; readonly problem: string };

/** The absolute place of a path of the package, links followed; a fault when it is not there or ends outside the root. */
export async function resolveInside(root: string, relative: string): Promise<PlaceInside> {
  if (!isInnerPath(relative)) return fault(`${JSON.stringify(relative)} is no path inside the package`);
  const place = path.join(root, ...relative.split("/"));
  const real = await realpath(place).catch(() => null);
  if (real === null) return { ok: false, missing: true, problem: `${relative} does not exist` };
  const realRoot = await realpath(root);
  if (real !== realRoot && !real.startsWith(realRoot.endsWith(path.sep) ? realRoot : realRoot + path.sep)) {
    return fault(`${relative} is a link that leads out of the package`);
  }
  return { ok: true, file: place };
}

function fault(problem: string): { readonly ok: false; readonly missing: false; readonly problem: string } {
  return { ok: false, missing: false, problem };
}
