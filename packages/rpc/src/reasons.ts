/** The sentences of the reasons for which a connection ends. */
import type { CloseReason } from "./errors.ts";
import { quote } from "./quote.ts";

type Redact = (text: string) => string;

export function protocolError(what: string, line: string | Uint8Array, redact: Redact): CloseReason {
  const shown = quote(line, redact);
  const message = `the other side sent ${what}, where each line must be one JSON-RPC 2.0 message: ${shown}`;
  return { kind: "protocol_error", message, what, quote: shown };
}

/** A good message that must not come now: `what` as its receiver put it. */
export function refusedMessage(what: string, line: string, redact: Redact): CloseReason {
  const shown = quote(line, redact);
  return { kind: "protocol_error", message: `the other side sent ${what}: ${shown}`, what, quote: shown };
}

export function frameTooLarge(bytes: number, complete: boolean, limit: number): CloseReason {
  const size = complete ? `a frame of ${bytes} bytes` : `at least ${bytes} bytes of one frame`;
  const message = `the other side sent ${size}, over the limit of ${limit}`;
  return { kind: "frame_too_large", message, bytes, limit, complete };
}

export function ended(rest: Uint8Array | undefined, redact: Redact): CloseReason {
  const message = "the other side ended its output";
  if (rest === undefined) return { kind: "ended", message };
  const truncated = { bytes: rest.length, quote: quote(rest, redact) };
  return { kind: "ended", message: `${message} in the middle of a frame, after ${rest.length} bytes of it`, truncated };
}

export function broken(cause: unknown): CloseReason {
  return {
    kind: "broken",
    message: `the pipe broke: ${cause instanceof Error ? cause.message : String(cause)}`,
    cause,
  };
}
