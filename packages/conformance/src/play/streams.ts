/** What came on each stream that was opened. */
import { decode, StreamChunkParams, StreamEndParams } from "@reasonix-ts/protocol";
import type { JsonObject } from "../wire/frame.ts";
import type { Fault } from "./inbound.ts";
import { emptyStream, withChunk, withEnd, type StreamRecord } from "./stream-record.ts";

export class Streams {
  readonly #records = new Map<string, StreamRecord>();

  /** Says that a stream is about to be opened. */
  expect(streamId: string): void {
    this.#records.set(streamId, emptyStream);
  }

  get(streamId: string): StreamRecord | undefined {
    return this.#records.get(streamId);
  }

  hasEnded(streamId: string): boolean {
    return (this.#records.get(streamId)?.end ?? null) !== null;
  }

  /** Takes a notification whose params have been judged; other methods are none of its business. */
  note(method: string, params: JsonObject): Fault | null {
    if (method === "extension/provider/stream/chunk") {
      const chunk = decode(StreamChunkParams, params);
      return chunk.ok ? this.#add(chunk.value.streamId, (record) => withChunk(record, chunk.value)) : null;
    }
    if (method === "extension/provider/stream/end") {
      const end = decode(StreamEndParams, params);
      return end.ok ? this.#add(end.value.streamId, (record) => withEnd(record, end.value)) : null;
    }
    return null;
  }

  #add(streamId: string, change: (record: StreamRecord) => StreamRecord): Fault | null {
    const record = this.#records.get(streamId);
    if (record === undefined)
      return { what: `stream "${streamId}" was never opened`, wanted: "the streamId of stream/open" };
    this.#records.set(streamId, change(record));
    if (record.end === null) return null;
    return { what: `something came on stream "${streamId}" after its end`, wanted: "the end is the last" };
  }
}
