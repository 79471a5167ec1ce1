/** Everything that can end a call or a connection, as facts: a tag, data and one sentence. */

/** Why a connection is over. The first reason given stays; later ones are ignored. */
export type CloseReason =
  /** This side asked for it. */
  | { readonly kind: "closed"; readonly message: string; readonly cause?: unknown }
  /** The other side ended its output; `truncated` holds what came of an unfinished last line. */
  | { readonly kind: "ended"; readonly message: string; readonly truncated?: Truncated }
  /** The other side sent `what`, which is not this protocol. `quote` is escaped, redacted, at most 80 bytes. */
  | { readonly kind: "protocol_error"; readonly message: string; readonly what: string; readonly quote: string }
  /** The other side sent a longer frame than `limit`. `bytes` is what had arrived, `complete` whether that is all. */
  | {
      readonly kind: "frame_too_large";
      readonly message: string;
      readonly bytes: number;
      readonly limit: number;
      readonly complete: boolean;
    }
  /** A pipe failed, for example with EPIPE. */
  | { readonly kind: "broken"; readonly message: string; readonly cause?: unknown };

/** The unfinished last line of an input that ended. */
export interface Truncated {
  readonly bytes: number;
  readonly quote: string;
}

/** The `error` member of a reply. */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Codes that JSON-RPC 2.0 itself defines. */
export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const;

/** An error reply: thrown to the caller of `request`, and what a handler throws to choose its own reply. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: unknown;

  constructor(error: ErrorObject, options?: ErrorOptions) {
    super(error.message, options);
    this.code = error.code;
    this.data = error.data;
  }
}

/** The connection ended before the reply came, or was over before the call was made. */
export class ConnectionClosed extends Error {
  override readonly name = "ConnectionClosed";
  readonly method: string;
  readonly reason: CloseReason;

  constructor(method: string, reason: CloseReason) {
    super(`${method}: the connection is closed: ${reason.message}`, {
      cause: "cause" in reason ? reason.cause : undefined,
    });
    this.method = method;
    this.reason = reason;
  }
}

/** No reply came within the deadline. A reply that still comes is ignored. */
export class CallTimeout extends Error {
  override readonly name = "CallTimeout";
  readonly method: string;
  readonly timeoutMillis: number;

  constructor(method: string, timeoutMillis: number) {
    super(`${method}: no reply within ${timeoutMillis} ms`);
    this.method = method;
    this.timeoutMillis = timeoutMillis;
  }
}

/** The caller's signal fired; `cause` is the signal's reason. */
export class CallAborted extends Error {
  override readonly name = "CallAborted";
  readonly method: string;

  constructor(method: string, cause: unknown) {
    super(`${method}: the caller gave up waiting`, { cause });
    this.method = method;
  }
}

/** A frame this side was asked to write is longer than it would accept. Nothing was written; the connection lives. */
export class FrameTooLarge extends Error {
  override readonly name = "FrameTooLarge";
  readonly method: string;
  readonly bytes: number;
  readonly limit: number;

  constructor(method: string, bytes: number, limit: number) {
    super(`${method}: a frame of ${bytes} bytes is over the limit of ${limit}; send less, or send it in pieces`);
    this.method = method;
    this.bytes = bytes;
    this.limit = limit;
  }
}
