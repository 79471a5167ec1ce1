/** Puts the chunks of one stream into their order, whatever the order in which they come (pure: no time, no I/O). */
import { BOUNDS, type Chunk } from "@reasonix-ts/protocol";

/** More chunks wait behind a hole than may wait. */
export interface Overflow {
  readonly kind: "overflow";
  /** The number that the others wait for. */
  readonly missing: number;
  readonly chunks: number;
  readonly bytes: number;
}

/** The end contradicts what came before it. */
export interface WrongEnd {
  readonly kind: "wrong_end";
  readonly lastSeq: number;
  /** Chunks that were in order by then, or the end that was told before. */
  readonly already: number;
}

/** Numbers start at 1 and have no holes. A number that came before is dropped, as is one beyond the end. */
export class Assembler {
  readonly #ahead = new Map<number, { readonly chunk: Chunk; readonly bytes: number }>();
  #aheadBytes = 0;
  #next = 1;
  #lastSeq: number | null = null;

  /** The number that is missing while others wait for it or the end says that it was sent; null without a hole. */
  get missing(): number | null {
    if (this.#ahead.size > 0) return this.#next;
    return this.#lastSeq !== null && this.#next <= this.#lastSeq ? this.#next : null;
  }

  /** Whether the end was told. */
  get ended(): boolean {
    return this.#lastSeq !== null;
  }

  /** Whether the end was told and everything before it came. */
  get complete(): boolean {
    return this.#lastSeq !== null && this.#next > this.#lastSeq;
  }

  /** Appends to `out` what is now in order. */
  push(seq: number, chunk: Chunk, out: Chunk[]): Overflow | null {
    if (seq !== this.#next) return this.#keep(seq, chunk);
    if (this.#lastSeq !== null && seq > this.#lastSeq) return null;
    out.push(chunk);
    this.#next += 1;
    if (this.#ahead.size > 0) this.#drain(out);
    return null;
  }

  /** `lastSeq` freezes the end; 0 ends a stream without chunks. The same end may be told twice. */
  end(lastSeq: number): WrongEnd | null {
    if (this.#lastSeq !== null)
      return lastSeq === this.#lastSeq ? null : { kind: "wrong_end", lastSeq, already: this.#lastSeq };
    if (lastSeq < this.#next - 1) return { kind: "wrong_end", lastSeq, already: this.#next - 1 };
    this.#lastSeq = lastSeq;
    for (const seq of this.#ahead.keys()) if (seq > lastSeq) this.#take(seq);
    return null;
  }

  #keep(seq: number, chunk: Chunk): Overflow | null {
    if (seq < this.#next || this.#ahead.has(seq) || (this.#lastSeq !== null && seq > this.#lastSeq)) return null;
    const bytes = sizeOf(chunk);
    this.#ahead.set(seq, { chunk, bytes });
    this.#aheadBytes += bytes;
    if (this.#ahead.size <= BOUNDS.streamBufferChunks && this.#aheadBytes <= BOUNDS.streamBufferBytes) return null;
    return { kind: "overflow", missing: this.#next, chunks: this.#ahead.size, bytes: this.#aheadBytes };
  }

  #drain(out: Chunk[]): void {
    for (let chunk = this.#take(this.#next); chunk !== null; chunk = this.#take(this.#next)) {
      out.push(chunk);
      this.#next += 1;
    }
  }

  #take(seq: number): Chunk | null {
    const entry = this.#ahead.get(seq);
    if (entry === undefined) return null;
    this.#ahead.delete(seq);
    this.#aheadBytes -= entry.bytes;
    return entry.chunk;
  }
}

/** About how much memory a chunk keeps: its texts in UTF-8 or a little less, and an allowance for the rest. */
export function sizeOf(chunk: Chunk): number {
  return 64 + (chunk.text?.length ?? 0) + (chunk.signature?.length ?? 0) + (chunk.toolCall?.arguments.length ?? 0);
}
