/** Keeps the last bytes of a stream and drains it always, so that its writer never blocks. */
import type { Readable } from "node:stream";
import { settledWithin } from "./settled-within.ts";

export interface TailOptions {
  /** Bytes kept; 16 KiB by default. */
  readonly maxBytes?: number;
  /** Told of every piece as it comes, for logs that follow along. Must not throw. */
  readonly onData?: (piece: Buffer) => void;
}

export interface Tail {
  /**
   * What came last, as text: bytes that are no UTF-8 become replacement characters, a progress line shows its last
   * state, and where the beginning was lost the text starts at a word or line that is whole. Not redacted.
   */
  readonly text: () => string;
  /** All bytes that ever came. */
  readonly totalBytes: () => number;
  /** Settles when the stream has ended or was destroyed. */
  readonly ended: Promise<void>;
  /** The same, but waits at most this long: descendants of a dead process may hold the stream open. */
  readonly drained: (withinMillis: number) => Promise<void>;
}

const TAIL_BYTES = 16 * 1_024;

/** Starts to drain the stream at once. Memory is `maxBytes`, whatever comes. */
export function tailOf(stream: Readable, options: TailOptions = {}): Tail {
  const size = options.maxBytes ?? TAIL_BYTES;
  const ring = Buffer.alloc(size);
  let total = 0;
  stream.on("data", (piece: Buffer) => {
    const kept = piece.subarray(Math.max(0, piece.length - size));
    const at = (total + piece.length - kept.length) % size;
    const first = kept.copy(ring, at);
    kept.copy(ring, 0, first);
    total += piece.length;
    options.onData?.(piece);
  });
  const ended = new Promise<void>((resolve) => {
    if (stream.destroyed || stream.readableEnded) resolve();
    stream.once("end", resolve);
    stream.once("close", resolve);
    stream.once("error", () => resolve());
  });
  return {
    ended,
    drained: async (withinMillis) => {
      await settledWithin(ended, withinMillis);
    },
    totalBytes: () => total,
    text() {
      if (total <= size) return readable(ring.subarray(0, total));
      const start = total % size;
      return readable(fromWholeWord(Buffer.concat([ring.subarray(start), ring.subarray(0, start)])));
    },
  };
}

function readable(bytes: Buffer): string {
  return bytes
    .toString("utf8")
    .replaceAll("\r\n", "\n")
    .replace(/[^\n\r]*\r(?=[^\n\r])/g, "")
    .replaceAll("\r", "\n");
}

/** Half a secret at the cut would not be recognised as one, so the first, broken line goes, or else the broken word. */
function fromWholeWord(bytes: Buffer): Buffer {
  const lineEnd = bytes.subarray(0, bytes.length / 2).findIndex((byte) => byte === LF || byte === CR);
  if (lineEnd >= 0) return bytes.subarray(lineEnd + 1);
  const space = bytes.subarray(0, bytes.length / 2).indexOf(SPACE);
  if (space >= 0) return bytes.subarray(space + 1);
  let start = 0;
  while (start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
