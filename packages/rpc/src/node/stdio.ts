/** A transport over two Node streams: a child's pipes, or this process's own stdin and stdout. */
import { isAscii, isUtf8, transcode } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import type { TextCodec } from "../codec.ts";
import type { PeerOptions } from "../options.ts";
import { createPeer, type Peer } from "../peer.ts";
import type { Transport, Wire, WireListener } from "../wire.ts";

export interface StdioStreams {
  /** What the other side writes. Must not be read by anybody else, and have no encoding set. */
  readonly input: Readable;
  /** What the other side reads. */
  readonly output: Writable;
}

/** A peer on two streams. It reads from the next task on, so that handlers can be added first. */
export function connectStdio(streams: StdioStreams, options?: PeerOptions): Peer {
  return createPeer(stdioTransport(streams), options);
}

/** After a write failed the input may still hold replies and the end: so long it is read on, in milliseconds. */
const lastWords = 50;

export function stdioTransport({ input, output }: StdioStreams): Transport {
  return { codec: nodeCodec, open: (listener) => open(input, output, listener) };
}

function open(input: Readable, output: Writable, listener: WireListener): Wire {
  /** The listener has heard of the end. Output may still go on. */
  let over = false;
  let destroyed = false;
  let progress = 0;
  let lastWordsTimer: NodeJS.Timeout | undefined;

  const finish = (tell: () => void): void => {
    if (over) return;
    over = true;
    clearTimeout(lastWordsTimer);
    input.off("data", received);
    tell();
  };
  const received = (bytes: Buffer): void => listener.received(bytes);
  const ended = (): void => finish(() => listener.ended());
  const failed = (cause: unknown): void => finish(() => listener.failed(cause));
  const writeFailed = (cause: unknown): void => {
    if (input.readableEnded || input.destroyed) failed(cause);
    // One more turn of the loop, so that a late timer does not overtake input that is there.
    else lastWordsTimer ??= setTimeout(() => setImmediate(() => failed(cause)), lastWords);
  };
  const outputClosed = (): void => {
    if (!output.writableFinished) writeFailed(new Error("the other side's input is closed"));
  };
  const progressed = (): void => {
    progress += 1;
  };

  input.on("data", received);
  input.on("end", ended);
  input.on("close", ended);
  // The error listeners stay for good: a late EPIPE must never become an uncaught exception.
  input.on("error", failed);
  output.on("error", writeFailed);
  output.on("close", outputClosed);

  return {
    write: (frames) => {
      if (!output.writable) return;
      output.write(frames);
      // An empty write behind what waits tells when the pipe has taken it.
      if (output.writableLength > 0) output.write("", progressed);
    },
    pending: () => output.writableLength,
    progress: () => progress,
    whenIdle: (run) => {
      if (output.writable)
        output.write("", (error) => {
          if (!destroyed && (error === undefined || error === null)) run();
        });
    },
    // Ticks set in a microtask run when no microtask is left.
    soon: (run) => queueMicrotask(() => process.nextTick(run)),
    pause: () => {
      input.pause();
    },
    resume: () => {
      if (!over) input.resume();
    },
    end: () => {
      if (output.writable) output.end();
    },
    destroy: () => {
      over = true;
      destroyed = true;
      clearTimeout(lastWordsTimer);
      input.off("data", received);
      input.off("end", ended);
      input.off("close", ended);
      output.off("close", outputClosed);
      input.destroy();
      output.destroy();
    },
  };
}

/** Up to this many bytes the plain decoder wins; above it, looking first at what kind of text it is. */
const plainUpTo = 400;
const replacement = "\uFFFD";

/** UTF-8 by way of Node's buffers. */
export const nodeCodec: TextCodec = {
  decode: (bytes, start, end) => {
    const buffer = asBuffer(bytes);
    if (end - start > plainUpTo) return decodeLong(buffer.subarray(start, end));
    const text = buffer.toString("utf8", start, end);
    // Malformed bytes become U+FFFD, so text without it was well-formed.
    return text.includes(replacement) && !isUtf8(buffer.subarray(start, end)) ? undefined : text;
  },
  byteLength: (text) => Buffer.byteLength(text),
  allocate: (size) => Buffer.allocUnsafeSlow(size),
};

/** Node 20's UTF-8 decoder is ten times slower than this once text is not ASCII. */
function decodeLong(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString("latin1");
  return isUtf8(bytes) ? transcode(bytes, "utf8", "utf16le").toString("utf16le") : undefined;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
