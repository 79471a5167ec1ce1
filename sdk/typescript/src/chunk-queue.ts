/** What a stream has to send: neighbouring pieces of text are joined, long ones cut. */
import { CHUNK_TYPES, type Chunk } from "@reasonix-ts/protocol";
import type { StreamPart } from "./provider.ts";

/** Neighbours are joined up to this many characters. */
const JOINED_CHARS = 16_384;
/** A longer text is cut into pieces of at most this many characters. */
const PIECE_CHARS = 262_144;

interface Flowing {
  readonly type: "text" | "reasoning";
  text: string;
}

type Entry = { readonly kind: "flowing"; readonly chunk: Flowing } | { readonly kind: "whole"; readonly chunk: Chunk };

export class ChunkQueue {
  #entries: Entry[] = [];
  #chars = 0;

  /** Chunks that wait. */
  get length(): number {
    return this.#entries.length;
  }

  /** Characters of text that wait. */
  get chars(): number {
    return this.#chars;
  }

  /** Throws a TypeError for what is no part of a stream. */
  push(part: StreamPart): void {
    if (typeof part === "string") {
      this.#flow("text", part);
      return;
    }
    if (!isPart(part)) throw new TypeError(`the stream yielded ${shown(part)}, wanted a string or a chunk with a type`);
    if (part.type === "text") this.#flow("text", part.text);
    else if (part.type === "reasoning" && part.signature === undefined) this.#flow("reasoning", part.text ?? "");
    else this.#entries.push({ kind: "whole", chunk: part });
  }

  /** The failure of a stream; nothing comes after it. */
  fail(code: "provider_failed" | "provider_interrupted", message: string): void {
    this.#entries.push({ kind: "whole", chunk: { type: "error", error: { code, message } } });
  }

  /** The oldest chunk, or undefined. */
  take(): Chunk | undefined {
    const entry = this.#entries.shift();
    if (entry?.kind === "flowing") this.#chars -= entry.chunk.text.length;
    return entry?.chunk;
  }

  clear(): void {
    this.#entries = [];
    this.#chars = 0;
  }

  #flow(type: Flowing["type"], text: string): void {
    if (text === "") return;
    this.#chars += text.length;
    const last = this.#entries.at(-1);
    if (last?.kind === "flowing" && last.chunk.type === type && last.chunk.text.length + text.length <= JOINED_CHARS) {
      last.chunk.text += text;
      return;
    }
    for (const piece of pieces(text)) this.#entries.push({ kind: "flowing", chunk: { type, text: piece } });
  }
}

/** Cuts a text, never between the two halves of one character. */
function* pieces(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > PIECE_CHARS) {
    const unit = text.charCodeAt(start + PIECE_CHARS - 1);
    const end = start + PIECE_CHARS - (unit >= 0xd800 && unit <= 0xdbff ? 1 : 0);
    yield text.slice(start, end);
    start = end;
  }
  yield start === 0 ? text : text.slice(start);
}

function isPart(part: unknown): boolean {
  const types: readonly unknown[] = CHUNK_TYPES;
  return (
    typeof part === "object" && part !== null && "type" in part && part.type !== "error" && types.includes(part.type)
  );
}

function shown(part: unknown): string {
  const text: string | undefined = JSON.stringify(part);
  return text === undefined ? `a ${typeof part}` : text.slice(0, 80);
}
