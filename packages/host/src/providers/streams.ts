/** All running streams of a host: opens them, hands each frame to its stream, cancels what nobody wants any more. */
import {
  decode,
  DEADLINES,
  problemsText,
  reasonOf,
  StreamChunkParams,
  StreamEndParams,
  StreamOpenResult,
  type Chunk,
  type Problem,
  type ProviderDescriptor,
  type ProviderRequest,
} from "@reasonix-ts/protocol";
import { CallAborted, CallTimeout, ConnectionClosed, FrameTooLarge, RpcError, type Clock } from "@reasonix-ts/rpc";
import { formatBytes, formatMillis, oneLine } from "@reasonix-ts/text";
import type { InboundTable } from "../inbound.ts";
import type { Sidecar } from "../sidecar.ts";
import { StreamFailure } from "./failure.ts";
import { ProviderStream } from "./stream.ts";

export interface StreamOptions {
  readonly effort?: string;
  readonly signal?: AbortSignal;
}

export interface StreamsParts {
  readonly epoch: string;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
}

export class Streams {
  readonly #parts: StreamsParts;
  readonly #running = new Map<string, ProviderStream>();
  #opened = 0;

  constructor(parts: StreamsParts) {
    this.#parts = parts;
  }

  /** Streams that are open now. */
  get size(): number {
    return this.#running.size;
  }

  /** Routes a sidecar's chunks and ends; one that belongs to no stream of this sidecar is ignored. */
  readonly inbound: InboundTable = (sidecar) => {
    sidecar.peer.onNotification("extension/provider/stream/chunk", (params) => {
      const decoded = decode(StreamChunkParams, params);
      if (decoded.ok) this.#find(sidecar, decoded.value.streamId)?.receive(decoded.value);
      else this.#refuse(sidecar, params, decoded.problems);
    });
    sidecar.peer.onNotification("extension/provider/stream/end", (params) => {
      const decoded = decode(StreamEndParams, params);
      if (decoded.ok) this.#find(sidecar, decoded.value.streamId)?.end(decoded.value);
      else this.#refuse(sidecar, params, decoded.problems);
    });
    void sidecar.gone.then(({ message }) => {
      for (const stream of this.#of(sidecar)) stream.crashed(message);
    });
  };

  /** Opened when it is first read; ends with a StreamFailure for everything but a good end. */
  async *open(
    sidecar: Sidecar,
    descriptor: ProviderDescriptor,
    request: ProviderRequest,
    { effort, signal }: StreamOptions,
  ): AsyncGenerator<readonly Chunk[]> {
    this.#opened += 1;
    const streamId = `stream-${this.#opened}`;
    const { ref, model } = descriptor;
    const stream = new ProviderStream({ ...this.#parts, sidecar, streamId, ref, over: this.#over });
    const abort = (): void => stream.cancel(signal?.reason);
    // Its chunks may come before the answer to the opening does.
    this.#running.set(streamId, stream);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
    const params = {
      streamId,
      providerRef: ref,
      ...(model === undefined ? {} : { model }),
      ...(effort === undefined ? {} : { effort }),
      seqBase: 1,
      generation: sidecar.generation,
      epoch: this.#parts.epoch,
      request,
    };
    try {
      if (this.#running.has(streamId)) await this.#ask(stream, ref, params, signal);
      for (let batch = await stream.take(); batch !== null; batch = await stream.take()) yield batch;
    } finally {
      signal?.removeEventListener("abort", abort);
      stream.cancel(undefined);
    }
  }

  async #ask(
    stream: ProviderStream,
    ref: string,
    params: { readonly [name: string]: unknown },
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const options = { timeoutMillis: DEADLINES.streamOpen, ...(signal === undefined ? {} : { signal }) };
    const { peer, spec, gone } = stream.sidecar;
    const name = `Plugin "${spec.plugin}" did not open a stream of ${ref}`;
    const refused = (text: string, byPeer: boolean): void =>
      stream.notOpened(stream.failure("failed", "provider_failed", this.#parts.redact(text)), byPeer);
    try {
      const result = await peer.request("extension/provider/stream/open", params, options);
      const decoded = decode(StreamOpenResult, result);
      if (!decoded.ok) refused(`${name}: ${problemsText("StreamOpenResult", decoded.problems)}.`, false);
      else if (!decoded.value.accepted) refused(`${name}: it answered that it does not accept the request.`, true);
    } catch (error) {
      if (error instanceof ConnectionClosed) return stream.crashed((await gone).message);
      if (error instanceof CallAborted) return stream.cancel(error.cause);
      if (error instanceof CallTimeout)
        return refused(`${name}: no answer within ${formatMillis(error.timeoutMillis)}.`, false);
      if (error instanceof FrameTooLarge) {
        const size = `${error.bytes} bytes (${formatBytes(error.bytes)})`;
        return refused(
          `${name}: the request has ${size}, more than a frame holds. Compact the conversation and ask again.`,
          true,
        );
      }
      if (!(error instanceof RpcError)) throw error;
      const message = this.#parts.redact(`${name}: ${oneLine(error.message)} (code ${error.code}).`);
      const interrupted = reasonOf(error.data) === "provider_interrupted";
      stream.notOpened(
        interrupted
          ? stream.failure("interrupted", "provider_interrupted", message)
          : stream.failure("failed", "provider_failed", message),
        true,
      );
    }
  }

  /** What is over on this side alone is cancelled on the other, and what still comes of it finds no stream. */
  readonly #over = (stream: ProviderStream, byPeer: boolean): void => {
    this.#running.delete(stream.streamId);
    const { peer, state } = stream.sidecar;
    if (byPeer || state.kind === "gone") return;
    const options = { timeoutMillis: DEADLINES.streamCancel };
    peer.request("extension/provider/stream/cancel", { streamId: stream.streamId }, options).catch((error: unknown) => {
      // Whatever the sidecar makes of it: nobody listens to this stream any more.
      if (error instanceof RpcError || error instanceof CallTimeout || error instanceof ConnectionClosed) return;
      throw error;
    });
  };

  #find(sidecar: Sidecar, streamId: string): ProviderStream | undefined {
    const stream = this.#running.get(streamId);
    return stream?.sidecar === sidecar ? stream : undefined;
  }

  /** A frame that does not say whose it is may be any stream's of this sidecar: all of them have lost a chunk. */
  #refuse(sidecar: Sidecar, params: { readonly [name: string]: unknown }, problems: readonly Problem[]): void {
    const { streamId } = params;
    if (typeof streamId === "string" && streamId !== "") this.#find(sidecar, streamId)?.refuse(problems);
    else for (const stream of this.#of(sidecar)) stream.refuse(problems);
  }

  #of(sidecar: Sidecar): readonly ProviderStream[] {
    return [...this.#running.values()].filter((stream) => stream.sidecar === sidecar);
  }
}

/** A stream that fails before anything was asked. */
// oxlint-disable-next-line require-yield -- it ends before the first chunk
export async function* unavailable(plugin: string, ref: string, message: string): AsyncGenerator<never> {
  throw new StreamFailure({ kind: "unavailable", reason: "provider_failed", plugin, providerRef: ref, message });
}
