/** Reads the vectors, with their shapes. */
import { readFileSync } from "node:fs";

export interface FrameVector {
  readonly name: string;
  readonly text?: string;
  readonly base64?: string;
  readonly repeat?: { readonly head: string; readonly fill: string; readonly count: number; readonly tail: string };
  readonly messages: readonly object[];
  readonly end: "open" | "protocol_error" | "frame_too_large";
}

export interface Vectors {
  readonly frames: { readonly limit: number; readonly vectors: readonly FrameVector[] };
  readonly dtos: {
    readonly vectors: readonly {
      readonly schema: string;
      readonly value: unknown;
      readonly problems: readonly string[];
    }[];
  };
  readonly content: {
    readonly pageBytes: number;
    readonly vectors: readonly ContentVector[];
    readonly offsets: readonly { readonly offset: number | string; readonly outcome: string }[];
  };
  readonly streams: { readonly vectors: readonly StreamVector[] };
}

export interface ContentVector {
  readonly name: string;
  readonly text: string;
  readonly times: number;
  readonly totalBytes: number;
  readonly sha256: string;
  readonly pages: readonly {
    readonly offset: number;
    readonly bytes: number;
    readonly sha256: string;
    readonly nextOffset?: number;
  }[];
}

export interface StreamVector {
  readonly name: string;
  readonly arrivals: readonly number[];
  readonly lastSeq: number;
  readonly text: string;
  readonly outcome: "complete" | "interrupted";
  readonly missing?: number;
}

export function readVectors(): Vectors {
  return { frames: read("frames"), dtos: read("dtos"), content: read("content"), streams: read("streams") };
}

export function bytesOf({ text, base64, repeat }: FrameVector): Buffer {
  if (text !== undefined) return Buffer.from(text);
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  if (repeat === undefined) throw new Error("a vector has text, base64 or repeat");
  return Buffer.from(`${repeat.head}${repeat.fill.repeat(repeat.count)}${repeat.tail}`);
}

/** The files are this package's own: their shape is what the tests then try. */
function read<K extends keyof Vectors>(name: K): Vectors[K] {
  const value: Vectors[K] = JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), "utf8"));
  return value;
}
