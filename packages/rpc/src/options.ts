/** What a peer can be told: limits, policies and hooks, all optional. */
import type { Clock } from "./clock.ts";
import type { Deadline } from "./deadline.ts";
import type { Members } from "./encode.ts";
import type { Envelope, JsonObject } from "./envelope.ts";
import type { ErrorObject } from "./errors.ts";

export interface CallOptions {
  /** Milliseconds until the call rejects with CallTimeout; none by default. Ignored beside `deadline`. */
  readonly timeoutMillis?: number;
  /** A deadline whose clock the caller can hold. */
  readonly deadline?: Deadline;
  /** Becomes the frame member `_meta` beside `params`. */
  readonly meta?: Members | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface NotifyOptions {
  /** Becomes the frame member `_meta` beside `params`. */
  readonly meta?: Members;
}

/** The call a request handler answers. */
export interface InboundCall {
  readonly id: number;
  readonly method: string;
  /** The frame member `_meta`, if it is an object. */
  readonly meta: JsonObject | undefined;
  /** Fires when the connection closes; its reason is a ConnectionClosed. */
  readonly signal: AbortSignal;
}

/** The notification a handler hears. */
export interface InboundNotification {
  readonly method: string;
  readonly meta: JsonObject | undefined;
}

/** Gives the result, or throws: an RpcError becomes the error reply as it is, anything else passes `describeError`. */
export type RequestHandler = (params: JsonObject, call: InboundCall) => unknown;

export type NotificationHandler = (params: JsonObject, notification: InboundNotification) => void | Promise<void>;

export interface NotificationOptions {
  /**
   * Nothing more is read until the handler's promise settles: back-pressure on the sender.
   * Such a handler must not wait for a reply on the same connection, which could not be read.
   */
  readonly holdsReading?: boolean;
}

/** Why a request is answered with an error. */
export type Problem =
  | { readonly kind: "unknown_method"; readonly method: string }
  | { readonly kind: "invalid_params"; readonly method: string; readonly got: string }
  | { readonly kind: "handler_failed"; readonly method: string; readonly error: unknown }
  | { readonly kind: "reply_too_large"; readonly method: string; readonly bytes: number; readonly limit: number };

/** An observation was dropped because the lane was full. */
export interface Saturation extends ObservationStats {
  /** Method of the first observation of this burst that was dropped. */
  readonly method: string;
}

/** Something waits to be written and nothing was taken. */
export interface Stall {
  /** How long nothing was taken, in milliseconds. */
  readonly millis: number;
}

export interface ObservationStats {
  readonly queuedFrames: number;
  readonly queuedBytes: number;
  /** Since the connection began. */
  readonly dropped: number;
}

export type Direction = "in" | "out";

export interface PeerOptions {
  /** Bytes of JSON text in one frame, both directions; 8,388,608 by default. */
  readonly frameLimit?: number;
  /** The observation lane; by default 256 frames, 8 MiB, at most 64 KiB handed to the pipe at a time. */
  readonly observations?: { readonly frames?: number; readonly bytes?: number; readonly batchBytes?: number };
  /** Inbound requests that may run at once; at the limit nothing is read until one is answered. 1,024 by default. */
  readonly inboundCalls?: number;
  /** Take an error reply with `id: null` for a debug line; otherwise it ends the connection. False by default. */
  readonly acceptUnaddressedErrors?: boolean;
  /** The error reply for a problem; by default the code and sentence of JSON-RPC 2.0, with nothing of a thrown error. */
  readonly describeError?: (problem: Problem) => ErrorObject;
  /**
   * Sees every message before it is dispatched. A string ends the connection with `protocol_error`; it says what
   * came, to stand after "the other side sent": `a request before the handshake was over`.
   */
  readonly inspect?: (message: Envelope) => string | undefined;
  /** Sees every frame; costs nothing when absent. `in` without, `out` with its line feed. */
  readonly trace?: (direction: Direction, frame: string) => void;
  /** Takes secrets out of foreign text before it is quoted. */
  readonly redact?: (text: string) => string;
  /** One line for each thing that was ignored. */
  readonly debug?: (line: string) => void;
  /** A notification handler failed. Without it the error is thrown on its own, like that of an event listener. */
  readonly handlerFailed?: (error: unknown, method: string) => void;
  /** An observation was dropped: once a burst; a burst ends when the lane is empty. */
  readonly saturated?: (saturation: Saturation) => void;
  /** A call or reply waits and the pipe took nothing for `stallMillis` (10,000 by default); repeated while it lasts. */
  readonly stalled?: (stall: Stall) => void;
  readonly stallMillis?: number;
  readonly clock?: Clock;
}
