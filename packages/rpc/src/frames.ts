/** Bytes in, lines out: one frame a line, in linear time however the bytes are cut, never more than the limit held. */
import type { TextCodec } from "./codec.ts";

/** The cap on one frame: bytes of JSON text, line end not counted. */
export const defaultFrameLimit = 8_388_608;

export type FrameFault =
  /** Over the limit: `bytes` had arrived when it was noticed; `complete` tells whether the line end was among them. */
  | { readonly kind: "too_large"; readonly bytes: number; readonly complete: boolean }
  | { readonly kind: "not_utf8"; readonly line: Uint8Array };

export interface FrameSink {
  /** One non-empty line without its line end. Return false to stop until `resume`. */
  frame(text: string): boolean;
  /** The input cannot be read on. Nothing more is emitted. */
  fault(fault: FrameFault): void;
}

const lineFeed = 10;
const carriageReturn = 13;
/** A holding buffer larger than this is given back as soon as its frame is out. */
const keptCapacity = 65_536;
const firstCapacity = 4_096;

export class FrameReader {
  readonly #codec: TextCodec;
  readonly #limit: number;
  readonly #sink: FrameSink;
  /** The start of a frame whose end has not come: the first `#length` bytes of `#held`. */
  #held: Uint8Array | undefined;
  #length = 0;
  /** What was pushed and not looked at because the sink said stop. */
  #waiting: Uint8Array[] = [];
  #stopped = false;
  #done = false;

  constructor(codec: TextCodec, limit: number, sink: FrameSink) {
    this.#codec = codec;
    this.#limit = limit;
    this.#sink = sink;
  }

  /** Takes the next bytes of the input. What must outlive the call is copied. */
  push(chunk: Uint8Array): void {
    if (this.#done) return;
    if (this.#stopped) this.#waiting.push(chunk);
    else this.#read(chunk);
  }

  /** Goes on after the sink said stop. */
  resume(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    while (!this.#stopped && !this.#done) {
      const chunk = this.#waiting.shift();
      if (chunk === undefined) return;
      this.#read(chunk);
    }
  }

  /** True while pushed bytes wait for `resume`. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** The input ended: what is there of an unfinished line, if anything. */
  end(): Uint8Array | undefined {
    const rest = this.#length > 0 && !this.#done ? this.#held?.subarray(0, this.#length) : undefined;
    this.stop();
    return rest;
  }

  /** Lets go of all that is held and reads no more. */
  stop(): void {
    this.#done = true;
    this.#held = undefined;
    this.#length = 0;
    this.#waiting = [];
  }

  #read(chunk: Uint8Array): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, start);
      if (end === -1) break;
      const goOn = this.#length === 0 ? this.#emit(chunk, start, end) : this.#finish(chunk, start, end);
      start = end + 1;
      if (this.#done) return;
      if (!goOn) {
        this.#stopped = true;
        if (start < chunk.length) this.#waiting.unshift(chunk.subarray(start));
        return;
      }
    }
    if (start < chunk.length) this.#hold(chunk, start, chunk.length);
  }

  /** A line whose start is held: joins both before decoding. */
  #finish(chunk: Uint8Array, start: number, end: number): boolean {
    if (!this.#append(chunk, start, end, true)) return false;
    const held = this.#held;
    const length = this.#length;
    this.#length = 0;
    if (held === undefined) return true;
    if (held.length > keptCapacity) this.#held = undefined;
    return this.#emit(held, 0, length);
  }

  #hold(chunk: Uint8Array, start: number, end: number): void {
    this.#append(chunk, start, end, false);
  }

  /** False when the frame is over the limit: then nothing was copied and the fault is out. */
  #append(chunk: Uint8Array, start: number, end: number, complete: boolean): boolean {
    const total = this.#length + (end - start);
    // A carriage return that may belong to the line end is not counted.
    const last = end > start ? chunk[end - 1] : this.#held?.[this.#length - 1];
    const counted = last === carriageReturn ? total - 1 : total;
    if (counted > this.#limit) {
      this.#fail({ kind: "too_large", bytes: counted, complete });
      return false;
    }
    const held = this.#room(total);
    held.set(start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end), this.#length);
    this.#length = total;
    return true;
  }

  /** A holding buffer with room for `total` bytes; doubling keeps the copying linear. */
  #room(total: number): Uint8Array {
    const held = this.#held;
    if (held !== undefined && held.length >= total) return held;
    const capacity = Math.min(Math.max(firstCapacity, total * 2), this.#limit + 1);
    const grown = this.#codec.allocate(Math.max(capacity, total));
    if (held !== undefined && this.#length > 0) grown.set(held.subarray(0, this.#length));
    this.#held = grown;
    return grown;
  }

  #emit(bytes: Uint8Array, start: number, lineEnd: number): boolean {
    const end = lineEnd > start && bytes[lineEnd - 1] === carriageReturn ? lineEnd - 1 : lineEnd;
    if (end === start) return true;
    if (end - start > this.#limit) {
      this.#fail({ kind: "too_large", bytes: end - start, complete: true });
      return false;
    }
    const text = this.#codec.decode(bytes, start, end);
    if (text === undefined) {
      this.#fail({ kind: "not_utf8", line: bytes.subarray(start, end) });
      return false;
    }
    return this.#sink.frame(text);
  }

  #fail(fault: FrameFault): void {
    this.stop();
    this.#sink.fault(fault);
  }
}
