/** Appends records to a file of JSON lines: whole lines, in order, and nothing torn after a crash. */
import { mkdir, open, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { explainErrno, FileError } from "./file-error.ts";

export interface AppendOptions {
  /** Permission bits for a file that is created; 0o600 by default. */
  readonly mode?: number;
  /** `each`: a record is on the disk when its promise settles. `close` (default): flushed by `sync` and `close`. */
  readonly flush?: "each" | "close";
}

export interface AppendFile {
  /** Bytes of a torn last line that were removed when the file was opened. */
  readonly repairedBytes: number;
  /** Settles when the line is written. Records come out in the order of the calls; those that wait go in one write. */
  readonly append: (record: unknown) => Promise<void>;
  /** Flushes what was appended so far to the disk. */
  readonly sync: () => Promise<void>;
  /** Writes what waits, flushes and closes. Later appends fail with `closed`. A second call does nothing. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the file, creates it with its directories, and removes a torn last line. One writer at a time: hold a lock where
 * several are possible.
 */
export async function openAppend(file: string, options: AppendOptions = {}): Promise<AppendFile> {
  const handle = await opening(file, options.mode ?? 0o600);
  let size: number;
  let repairedBytes: number;
  try {
    const found = (await handle.stat()).size;
    size = await endOfLastLine(handle, found);
    repairedBytes = found - size;
    if (repairedBytes > 0) await handle.truncate(size);
  } catch (error) {
    await handle.close();
    throw failed(file, error);
  }
  let waiting: string[] = [];
  /** The last thing that was begun; everything new is chained to it, so that there is one write at a time. */
  let last: Promise<void> = Promise.resolve();
  let batch: Promise<void> | null = null;
  let closing: Promise<void> | null = null;

  const writeWaiting = async (): Promise<void> => {
    batch = null;
    const lines = Buffer.from(waiting.join(""));
    waiting = [];
    try {
      await writeWhole(handle, lines, size);
      if (options.flush === "each") await handle.datasync();
      size += lines.length;
    } catch (error) {
      // Half a batch would tear the next line: the file goes back to where it was.
      await handle.truncate(size).catch(() => {});
      throw failed(file, error);
    }
  };
  const after = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };

  return {
    repairedBytes,
    append(record) {
      if (closing !== null)
        return Promise.reject(new FileError("closed", file, `${file} is closed: open it again to append.`));
      const line = JSON.stringify(record);
      if (line === undefined)
        return Promise.reject(new TypeError(`A record for ${file} must be a JSON value, not ${typeof record}.`));
      waiting.push(`${line}\n`);
      return (batch ??= after(writeWaiting));
    },
    sync: () => after(() => handle.datasync()),
    close() {
      closing ??= after(async () => {
        try {
          await handle.datasync();
        } finally {
          await handle.close();
        }
      });
      return closing;
    },
  };
}

async function opening(file: string, mode: number): Promise<FileHandle> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    // Not O_APPEND: a write goes to where the last whole line ends, also after a failed one.
    return await open(file, "r+", mode)
      .catch(() => open(file, "wx+", mode))
      .catch(() => open(file, "r+", mode));
  } catch (error) {
    throw failed(file, error);
  }
}

async function writeWhole(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}

const LOOK_BACK_BYTES = 65_536;
const LF = 0x0a;

/** Where the last line end is, plus one; 0 when there is none. */
async function endOfLastLine(handle: FileHandle, size: number): Promise<number> {
  const buffer = Buffer.alloc(LOOK_BACK_BYTES);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - LOOK_BACK_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, end - start, start);
    const at = buffer.subarray(0, bytesRead).lastIndexOf(LF);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}

function failed(file: string, error: unknown): FileError {
  return new FileError("write_failed", file, `${file} could not be appended to: ${explainErrno(error)}.`, error);
}
