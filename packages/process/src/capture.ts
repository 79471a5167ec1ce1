/** Collects the output of a program up to a cap, keeping its beginning and its end. */
import type { Readable } from "node:stream";

export interface Captured {
  /** What was kept, decoded as UTF-8; where bytes are missing a line of its own says how many. */
  readonly text: string;
  /** What was kept: the first half of the cap, then the last. */
  readonly bytes: Buffer;
  readonly totalBytes: number;
  readonly omittedBytes: number;
}

export interface Capture {
  readonly read: () => Captured;
  readonly ended: Promise<void>;
}

/** Drains the stream at once; memory stays within a few times the cap. */
export function captureOf(stream: Readable, maxBytes: number, onData?: (piece: Buffer) => void): Capture {
  const headSize = Math.ceil(maxBytes / 2);
  const tailSize = maxBytes - headSize;
  const head: Buffer[] = [];
  let headBytes = 0;
  let tail: Buffer[] = [];
  let tailBytes = 0;
  let total = 0;
  stream.on("data", (piece: Buffer) => {
    total += piece.length;
    const forHead = piece.subarray(0, headSize - headBytes);
    if (forHead.length > 0) head.push(forHead);
    headBytes += forHead.length;
    const rest = piece.subarray(forHead.length);
    if (rest.length > 0) tail.push(rest);
    tailBytes += rest.length;
    if (tailBytes > 2 * tailSize + 65_536) {
      tail = [Buffer.concat(tail).subarray(tailBytes - tailSize)];
      tailBytes = tailSize;
    }
    onData?.(piece);
  });
  const ended = new Promise<void>((resolve) => {
    stream.once("end", resolve);
    stream.once("close", resolve);
    stream.once("error", () => resolve());
  });
  return {
    ended,
    read() {
      const wholeHead = Buffer.concat(head);
      const wholeTail = Buffer.concat(tail).subarray(Math.max(0, tailBytes - tailSize));
      const cut = total > wholeHead.length + wholeTail.length;
      const first = cut ? withoutHalfCharacter(wholeHead) : wholeHead;
      const last = cut ? wholeTail.subarray(continuationBytes(wholeTail)) : wholeTail;
      const omittedBytes = total - first.length - last.length;
      const bytes = Buffer.concat([first, last]);
      const text = cut
        ? `${first.toString("utf8")}\n[${omittedBytes} bytes left out]\n${last.toString("utf8")}`
        : bytes.toString("utf8");
      return { text, bytes, totalBytes: total, omittedBytes };
    },
  };
}

/** Bytes at the beginning that continue a character whose first byte is missing; at most three are one's. */
function continuationBytes(bytes: Buffer): number {
  let count = 0;
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++;
  return count;
}

/** Without a last character whose bytes are not all there. Bytes that are no UTF-8 stay as they are. */
function withoutHalfCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return size > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
