/** The reading end of provider streams in the in-memory host. */
import {
  decode,
  problemsText,
  StreamCancelResult,
  StreamChunkParams,
  StreamEndParams,
  type Chunk,
  type ProviderRequest,
  type Schema,
  type Usage,
} from "@reasonix-ts/protocol";
import type { Peer } from "@reasonix-ts/rpc";

export interface StreamOptions {
  readonly effort?: string;
  readonly model?: string;
}

export interface TestStream {
  /** What has come so far. */
  readonly chunks: readonly Chunk[];
  /** Resolves at the end of the stream; rejects when a chunk is out of order or of no legal shape. */
  readonly finished: Promise<StreamOutcome>;
  /** Resolves with whether there was anything left to cancel. */
  cancel(): Promise<boolean>;
}

export interface StreamOutcome {
  readonly chunks: readonly Chunk[];
  /** All text in one. */
  readonly text: string;
  readonly reasoning: string;
  readonly lastSeq: number;
  readonly interrupted: boolean;
  /** The last one counts. */
  readonly usage?: Usage;
  readonly error?: { readonly code: string; readonly message: string };
}

interface Reading {
  readonly chunks: Chunk[];
  readonly settle: (outcome: StreamOutcome | Error) => void;
}

export class TestStreams {
  readonly #peer: Peer;
  readonly #open = new Map<string, Reading>();
  #count = 0;

  constructor(peer: Peer) {
    this.#peer = peer;
    peer.onNotification("extension/provider/stream/chunk", (raw) => this.#take(raw));
    peer.onNotification("extension/provider/stream/end", (raw) => this.#end(raw));
    void peer.closed.then(({ message }) => {
      for (const { settle } of this.#open.values()) settle(new Error(`the stream has no end: ${message}`));
    });
  }

  async open(providerRef: string, request: ProviderRequest, options: StreamOptions): Promise<TestStream> {
    this.#count += 1;
    const streamId = `test-stream-${this.#count}`;
    const chunks: Chunk[] = [];
    const finished = new Promise<StreamOutcome>((resolve, reject) => {
      const settle = (outcome: StreamOutcome | Error): void => {
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      };
      this.#open.set(streamId, { chunks, settle });
    });
    // Who does not look at the end is not told of its failure twice.
    finished.catch(() => undefined);
    await this.#peer.request("extension/provider/stream/open", {
      streamId,
      providerRef,
      seqBase: 1,
      ...options,
      request,
    });
    return {
      chunks,
      finished,
      cancel: async () => {
        const result = await this.#peer.request("extension/provider/stream/cancel", { streamId });
        return checked("extension/provider/stream/cancel result", StreamCancelResult, result).cancelled;
      },
    };
  }

  #take(raw: unknown): void {
    const { streamId, seq, chunk } = checked("stream chunk", StreamChunkParams, raw);
    const reading = this.#open.get(streamId);
    if (reading === undefined) return;
    const wanted = reading.chunks.length + 1;
    if (seq === wanted) reading.chunks.push(chunk);
    else reading.settle(new Error(`chunk ${seq} came where ${wanted} was due`));
  }

  #end(raw: unknown): void {
    const { streamId, lastSeq, interrupted = false } = checked("stream end", StreamEndParams, raw);
    const reading = this.#open.get(streamId);
    if (reading === undefined) return;
    this.#open.delete(streamId);
    const { chunks, settle } = reading;
    if (lastSeq !== chunks.length) settle(new Error(`the end names ${lastSeq} chunks, ${chunks.length} came`));
    else settle(outcomeOf(chunks, interrupted));
  }
}

function outcomeOf(chunks: readonly Chunk[], interrupted: boolean): StreamOutcome {
  const usage = chunks.findLast((chunk) => chunk.usage !== undefined)?.usage;
  const error = chunks.find((chunk) => chunk.error !== undefined)?.error;
  return {
    chunks,
    text: joined(chunks, "text"),
    reasoning: joined(chunks, "reasoning"),
    lastSeq: chunks.length,
    interrupted,
    ...(usage === undefined ? {} : { usage }),
    ...(error === undefined ? {} : { error }),
  };
}

function joined(chunks: readonly Chunk[], type: Chunk["type"]): string {
  return chunks.map((chunk) => (chunk.type === type ? (chunk.text ?? "") : "")).join("");
}

function checked<T>(what: string, schema: Schema<T>, value: unknown): T {
  const decoded = decode(schema, value);
  if (!decoded.ok) throw new TypeError(problemsText(what, decoded.problems));
  return decoded.value;
}
