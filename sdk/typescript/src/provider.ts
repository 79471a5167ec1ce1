/** Models that an extension brings: a descriptor and a function that streams. */
import type { ProviderDescriptor, ProviderRequest, ToolCall, Usage } from "@reasonix-ts/protocol";
import type { Session, StreamContext } from "./context.ts";
import type { Awaitable } from "./handlers.ts";

export interface Provider {
  /**
   * What the host shows and counts with; never credentials. A `ref` without the prefix `plugin/` is put below the
   * plugin's own name: `chat/large` becomes `plugin/acme/chat/large`.
   */
  readonly descriptor: ProviderDescriptor;
  readonly stream: StreamFunction;
}

/**
 * Answers one request. Chunks are numbered, joined and sent for you, and `done` is added at the end. Stop when
 * `context.signal` fires. A thrown error ends the stream as failed; its message is redacted and shown.
 */
export type StreamFunction = (
  request: ProviderRequest,
  context: StreamContext,
) => Awaitable<AsyncIterable<StreamPart> | Iterable<StreamPart>>;

/** Either the models, or a function that finds them while the host waits for the handshake (10 s at most, please). */
export type Providers = readonly Provider[] | ((session: Session) => Awaitable<readonly Provider[]>);

/** A chunk, or a string as short for a chunk of text. */
export type StreamPart = string | ProviderChunk;

export type ProviderChunk =
  | { readonly type: "text"; readonly text: string }
  /** `signature` is opaque and comes back to the provider with the reasoning. */
  | { readonly type: "reasoning"; readonly text?: string; readonly signature?: string }
  /** A tool call begins; its arguments are still to come. */
  | { readonly type: "tool_call_start"; readonly toolCall: ToolCall }
  /** Progress only: `argChars` characters of arguments have arrived. */
  | { readonly type: "tool_call_args_delta"; readonly toolCall?: ToolCall; readonly argChars: number }
  /** The whole call: nothing runs before it. */
  | { readonly type: "tool_call"; readonly toolCall: ToolCall }
  /** The last one counts. */
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "done" };

/** An error of a stream that broke off, so that the host may ask again, other than one that was refused. */
export class ProviderInterrupted extends Error {
  override readonly name = "ProviderInterrupted";
}
