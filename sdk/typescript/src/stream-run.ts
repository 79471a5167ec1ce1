/** One stream from its opening to its end: pulls parts from the author's function, numbers and sends them. */
import type { StreamOpenParams } from "@reasonix-ts/protocol";
import { FrameTooLarge } from "@reasonix-ts/rpc";
import { ChunkQueue } from "./chunk-queue.ts";
import type { StreamContext } from "./context.ts";
import { LinkContext } from "./link-context.ts";
import type { Link } from "./link.ts";
import { messageOf } from "./log.ts";
import type { Outflow, Source } from "./outflow.ts";
import { ProviderInterrupted, type Provider, type StreamPart } from "./provider.ts";

/** With this much waiting the author's function is not asked for more. */
const FULL_CHUNKS = 128;
const FULL_CHARS = 65_536;

export class StreamRun implements Source {
  readonly #link: Link;
  readonly #outflow: Outflow;
  readonly #streamId: string;
  readonly #queue = new ChunkQueue();
  readonly #wanted = new AbortController();
  readonly #over: () => void;
  readonly #firstSeq: number;
  #nextSeq: number;
  #state: "producing" | "draining" | "over" = "producing";
  #interrupted = false;
  #makeRoom: (() => void) | undefined;
  #stopProducer: (() => void) | undefined;

  /** `over` is called once, when the end was sent or the connection is gone. */
  constructor(link: Link, outflow: Outflow, params: StreamOpenParams, over: () => void) {
    this.#link = link;
    this.#outflow = outflow;
    this.#streamId = params.streamId;
    this.#firstSeq = Math.max(params.seqBase, 1);
    this.#nextSeq = this.#firstSeq;
    this.#over = over;
  }

  /** Never rejects: what goes wrong is told in the stream. */
  async produce(provider: Provider, params: StreamOpenParams): Promise<void> {
    const lost = (): void => this.#finish();
    this.#link.signal.addEventListener("abort", lost, { once: true });
    try {
      const context = new RunningStream(this.#link, this.#wanted.signal, params);
      const parts = iterate(await provider.stream(params.request, context));
      this.#stopProducer = () => void parts.return?.().catch(() => undefined);
      if (this.#state === "over") this.#stopProducer();
      for (let step = await parts.next(); step.done !== true; step = await parts.next()) {
        if (this.#state === "over") return;
        if (isDone(step.value)) break;
        this.#queue.push(step.value);
        this.#outflow.ready(this);
        if (this.#isFull()) await this.#room();
      }
      this.#conclude(null);
    } catch (error) {
      this.#conclude(error);
    } finally {
      this.#link.signal.removeEventListener("abort", lost);
    }
  }

  /** Stops at once: what waits is dropped, and the end says that the stream was cut short. */
  cancel(): void {
    if (this.#state === "over") return;
    this.#queue.clear();
    this.#interrupted = true;
    this.#sendEnd();
    this.#stopProducer?.();
  }

  sendOne(): boolean {
    const chunk = this.#state === "over" ? undefined : this.#queue.take();
    if (chunk !== undefined) this.#sendChunk(chunk);
    if (this.#state === "draining" && this.#queue.length === 0) this.#sendEnd();
    return this.#queue.length > 0;
  }

  ticked(): void {
    if (this.#isFull()) return;
    this.#makeRoom?.();
    this.#makeRoom = undefined;
  }

  #sendChunk(chunk: object): void {
    try {
      const sent = this.#link.peer.notify("extension/provider/stream/chunk", {
        streamId: this.#streamId,
        seq: this.#nextSeq,
        chunk,
      });
      if (sent) this.#nextSeq += 1;
    } catch (error) {
      if (!(error instanceof FrameTooLarge)) throw error;
      this.#queue.clear();
      this.#fail(error);
    }
  }

  #conclude(error: unknown): void {
    if (this.#state !== "producing") return;
    if (error === null) this.#queue.push({ type: "done" });
    else this.#fail(error);
    this.#state = "draining";
    this.#outflow.ready(this);
  }

  #fail(error: unknown): void {
    this.#state = "draining";
    this.#interrupted = error instanceof ProviderInterrupted;
    const code = this.#interrupted ? "provider_interrupted" : "provider_failed";
    this.#queue.fail(code, this.#link.redact(messageOf(error)));
  }

  #sendEnd(): void {
    const end = { streamId: this.#streamId, lastSeq: this.#nextSeq - 1 };
    this.#link.peer.notify("extension/provider/stream/end", this.#interrupted ? { ...end, interrupted: true } : end);
    this.#finish();
  }

  #finish(): void {
    if (this.#state === "over") return;
    this.#state = "over";
    this.#outflow.forget(this);
    this.#wanted.abort(new Error(`the stream ${this.#streamId} is over`));
    this.#makeRoom?.();
    this.#over();
  }

  #isFull(): boolean {
    return this.#queue.length >= FULL_CHUNKS || this.#queue.chars >= FULL_CHARS;
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#makeRoom = resolve;
    });
  }
}

class RunningStream extends LinkContext implements StreamContext {
  readonly streamId: string;
  readonly ref: string;
  readonly effort?: string;
  readonly model?: string;

  constructor(link: Link, signal: AbortSignal, { streamId, providerRef, effort, model }: StreamOpenParams) {
    super(link, signal);
    this.streamId = streamId;
    this.ref = providerRef;
    if (effort !== undefined) this.effort = effort;
    if (model !== undefined) this.model = model;
  }
}

type Parts = AsyncIterable<StreamPart> | Iterable<StreamPart>;

/** One iterator for both kinds, whose `return` can be called from outside while `next` is pending. */
function iterate(parts: Parts): AsyncIterator<StreamPart> {
  if (Symbol.asyncIterator in parts) return parts[Symbol.asyncIterator]();
  const iterator = parts[Symbol.iterator]();
  return {
    next: () => Promise.resolve(iterator.next()),
    return: () => Promise.resolve(iterator.return?.() ?? { done: true, value: undefined }),
  };
}

function isDone(part: StreamPart): boolean {
  return typeof part === "object" && part.type === "done";
}
