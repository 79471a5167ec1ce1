/** Reads a file of JSON lines record by record, and says what could not be read. */
import { open, type FileHandle } from "node:fs/promises";
import { errnoOf, explainErrno, FileError } from "./file-error.ts";

export interface RecordFault {
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

export interface ReadReport {
  readonly records: number;
  /** Bytes after the last line end: a line that was torn by a crash, or is being written. */
  readonly droppedBytes: number;
  /** Whole lines that are no JSON. They were skipped. At most 100 are listed. */
  readonly faults: readonly RecordFault[];
}

/**
 * Calls `visit` with each record in order. A file that does not exist has no records. Memory is one line. Throws
 * FileError `read_failed`, or what `visit` throws.
 */
export async function readRecords(
  file: string,
  visit: (record: unknown, line: number) => void,
  signal?: AbortSignal,
): Promise<ReadReport> {
  const faults: RecordFault[] = [];
  let records = 0;
  let line = 0;
  const take = (bytes: Buffer): void => {
    line++;
    const text = bytes.toString("utf8");
    if (text.trim() === "") return;
    let record: unknown;
    try {
      record = JSON.parse(text);
    } catch (error) {
      if (faults.length < MOST_FAULTS)
        faults.push({ line, message: error instanceof Error ? error.message : String(error) });
      return;
    }
    records++;
    visit(record, line);
  };
  const droppedBytes = await eachLine(file, take, signal);
  return { records, droppedBytes, faults };
}

const MOST_FAULTS = 100;
const READ_BYTES = 262_144;
const LF = 0x0a;

/** Returns the number of bytes after the last line end. */
async function eachLine(file: string, take: (line: Buffer) => void, signal: AbortSignal | undefined): Promise<number> {
  const handle = await opened(file);
  if (handle === null) return 0;
  try {
    /** Pieces of a line that goes over several reads. */
    let pieces: Buffer[] = [];
    for (;;) {
      signal?.throwIfAborted();
      const bytes = await nextBytes(handle, file);
      if (bytes.length === 0) return pieces.reduce((sum, piece) => sum + piece.length, 0);
      let start = 0;
      for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
        take(pieces.length === 0 ? bytes.subarray(start, end) : Buffer.concat([...pieces, bytes.subarray(start, end)]));
        pieces = [];
        start = end + 1;
      }
      if (start < bytes.length) pieces.push(bytes.subarray(start));
    }
  } finally {
    await handle.close();
  }
}

async function opened(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, "r");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw unreadable(file, error);
  }
}

async function nextBytes(handle: FileHandle, file: string): Promise<Buffer> {
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, null);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): FileError {
  return new FileError("read_failed", file, `${file} could not be read: ${explainErrno(error)}.`, error);
}
