/** Which message is a line? Decided from its bytes alone (pure). */

export type JsonObject = { readonly [member: string]: unknown };

export type Frame =
  | { readonly kind: "request"; readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown }
  | { readonly kind: "result"; readonly id: number; readonly result: unknown }
  | { readonly kind: "error"; readonly id: number; readonly error: WireFailure };

export interface WireFailure {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

export type Reading =
  | { readonly kind: "blank" }
  | { readonly kind: "frame"; readonly frame: Frame }
  /** `wanted` completes the sentence "wanted …". */
  | { readonly kind: "broken"; readonly what: string; readonly wanted: string };

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function readFrame(bytes: Buffer): Reading {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return broken("bytes that are no UTF-8", "JSON text in UTF-8");
  }
  if (/^[\t\r ]*$/.test(text)) return { kind: "blank" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return broken("a line that is no JSON", "one JSON-RPC 2.0 object a line on stdout, and logs on stderr");
  }
  if (Array.isArray(value)) return broken("a batch", "one object a line");
  return isJsonObject(value) ? readEnvelope(value) : broken("JSON that is no object", "a JSON-RPC 2.0 object");
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readEnvelope(envelope: JsonObject): Reading {
  const { jsonrpc, method, params } = envelope;
  if (jsonrpc !== "2.0") return broken(`"jsonrpc": ${JSON.stringify(jsonrpc)}`, '"jsonrpc": "2.0"');
  const hasId = Object.hasOwn(envelope, "id");
  const hasResult = Object.hasOwn(envelope, "result");
  const hasError = Object.hasOwn(envelope, "error");
  const { id } = envelope;
  if (hasId && (typeof id !== "number" || !Number.isInteger(id)))
    return broken(`"id": ${JSON.stringify(id)}`, "an integer as id, the one of the request");
  if (method !== undefined) {
    if (typeof method !== "string") return broken("a method that is no string", "a method of the contract");
    if (hasResult || hasError) return broken("a method beside a result or an error", "a call or a reply, not both");
    if (typeof id === "number") return { kind: "frame", frame: { kind: "request", id, method, params } };
    return { kind: "frame", frame: { kind: "notification", method, params } };
  }
  if (hasResult && hasError) return broken("a result beside an error", "one of the two");
  if (typeof id !== "number") return broken("a reply without an id", "the id of the request");
  if (hasResult) return { kind: "frame", frame: { kind: "result", id, result: envelope["result"] } };
  if (!hasError) return broken("neither method, result nor error", "a call or a reply");
  return readFailure(id, envelope["error"]);
}

function readFailure(id: number, error: unknown): Reading {
  if (!isJsonObject(error)) return broken("an error that is no object", "an error with code and message");
  const { code, message, data } = error;
  if (typeof code !== "number" || !Number.isInteger(code) || typeof message !== "string")
    return broken("an error without an integer code and a message", "an error with code and message");
  return { kind: "frame", frame: { kind: "error", id, error: { code, message, data } } };
}

function broken(what: string, wanted: string): Reading {
  return { kind: "broken", what, wanted };
}
