/** What a sidecar sent on one stream, and whether that is a stream (pure). */
import type { Chunk, StreamChunkParams, StreamEndParams } from "@reasonix-ts/protocol";

export interface StreamRecord {
  readonly chunks: ReadonlyMap<number, Chunk>;
  /** Numbers that came more than once. */
  readonly doubled: readonly number[];
  readonly end: StreamEndParams | null;
}

export const emptyStream: StreamRecord = { chunks: new Map(), doubled: [], end: null };

export function withChunk(record: StreamRecord, { seq, chunk }: StreamChunkParams): StreamRecord {
  if (record.chunks.has(seq)) return { ...record, doubled: [...record.doubled, seq] };
  return { ...record, chunks: new Map(record.chunks).set(seq, chunk) };
}

export function withEnd(record: StreamRecord, end: StreamEndParams): StreamRecord {
  return { ...record, end };
}

/** What is wrong with a stream that has ended, each {what, wanted}; empty for a lawful one. */
export function judgeStream(record: StreamRecord): readonly { readonly what: string; readonly wanted: string }[] {
  const { chunks, doubled, end } = record;
  if (end === null) return [{ what: "the stream has no end", wanted: "extension/provider/stream/end" }];
  const problems = [];
  const missing = firstMissing(chunks, end.lastSeq);
  if (missing !== null)
    problems.push({ what: `chunk ${missing} is missing`, wanted: `every number from 1 to lastSeq ${end.lastSeq}` });
  const beyond = [...chunks.keys()].find((seq) => seq > end.lastSeq);
  if (beyond !== undefined)
    problems.push({ what: `chunk ${beyond} is beyond lastSeq ${end.lastSeq}`, wanted: "lastSeq is the last number" });
  const [twice] = doubled;
  if (twice !== undefined) problems.push({ what: `chunk ${twice} came more than once`, wanted: "each number once" });
  for (const [seq, chunk] of chunks) {
    const lack = lackOf(chunk);
    if (lack !== null) problems.push({ what: `chunk ${seq} of type ${chunk.type} has no ${lack}`, wanted: lack });
  }
  return problems;
}

function firstMissing(chunks: ReadonlyMap<number, Chunk>, lastSeq: number): number | null {
  for (let seq = 1; seq <= lastSeq; seq++) if (!chunks.has(seq)) return seq;
  return null;
}

function lackOf(chunk: Chunk): string | null {
  switch (chunk.type) {
    case "text":
      return chunk.text === undefined ? "text" : null;
    case "reasoning":
      return chunk.text === undefined && chunk.signature === undefined ? "text or signature" : null;
    case "tool_call":
    case "tool_call_start":
      return chunk.toolCall === undefined ? "toolCall" : null;
    case "usage":
      return chunk.usage === undefined ? "usage" : null;
    case "error":
      return chunk.error === undefined ? "error" : null;
    case "tool_call_args_delta":
    case "done":
      return null;
  }
}
