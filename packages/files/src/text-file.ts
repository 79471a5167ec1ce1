/** Reads a text file that people edit: UTF-8, with or without one byte order mark. */
import { readFile, stat } from "node:fs/promises";
import { explainErrno, FileError } from "./file-error.ts";

/**
 * Throws FileError: `read_failed` (see its cause), `unsupported_entry` for a pipe, socket or device, which would never
 * begin or never end, `utf16`, `two_byte_order_marks`, `not_utf8`.
 */
export async function readTextFile(file: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    const found = await stat(file);
    if (!found.isFile() && !found.isDirectory()) {
      throw new FileError("unsupported_entry", file, `${file} is no regular file. Put a text file in its place.`);
    }
    bytes = await readFile(file);
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError("read_failed", file, `${file} could not be read: ${explainErrno(error)}.`, error);
  }
  return decodeText(bytes, file);
}

/** The text of the bytes, without its byte order mark. `file` is for the error. */
export function decodeText(bytes: Uint8Array, file: string): string {
  if (looksUtf16(bytes)) {
    throw new FileError("utf16", file, `${file} is encoded as UTF-16. Save it as UTF-8.`);
  }
  const marked = startsWithMark(bytes, 0);
  if (marked && startsWithMark(bytes, 3)) {
    throw new FileError(
      "two_byte_order_marks",
      file,
      `${file} begins with two byte order marks. Save it as UTF-8 without one.`,
    );
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(marked ? bytes.subarray(3) : bytes);
  } catch (error) {
    throw new FileError("not_utf8", file, `${file} is not valid UTF-8. Save it as UTF-8.`, error);
  }
}

function startsWithMark(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf;
}

/** By its mark, or without one by a NUL in the first two bytes, which no text in UTF-8 has. */
function looksUtf16(bytes: Uint8Array): boolean {
  const [a, b] = bytes;
  if (a === undefined || b === undefined) return false;
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || (a === 0) !== (b === 0);
}
