/** Which JSON-RPC 2.0 message a line is. Strict: what is not exactly one message is `broken`, with the reason. */
import type { ErrorObject } from "./errors.ts";

export type JsonObject = { readonly [member: string]: unknown };

export type Envelope =
  | {
      readonly kind: "request";
      readonly id: number;
      readonly method: string;
      readonly params: JsonObject | undefined;
      readonly meta: JsonObject | undefined;
    }
  | {
      readonly kind: "notification";
      readonly method: string;
      readonly params: JsonObject | undefined;
      readonly meta: JsonObject | undefined;
    }
  | { readonly kind: "result"; readonly id: number; readonly result: unknown }
  | { readonly kind: "error"; readonly id: number; readonly error: ErrorObject }
  /** An error reply to something the other side could not read: `id` is null. */
  | { readonly kind: "unaddressed_error"; readonly error: ErrorObject }
  /** A request or notification whose `params` is there and is no object. `id` is undefined for a notification. */
  | { readonly kind: "invalid_params"; readonly id: number | undefined; readonly method: string; readonly got: string }
  | Broken;

export interface Broken {
  readonly kind: "broken";
  /** What came, as the end of a sentence: `a batch (JSON array)`. */
  readonly what: string;
}

/** Reads one line. Never throws. */
export function readEnvelope(line: string): Envelope {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return broken("text that is not JSON");
  }
  if (typeof value !== "object" || value === null) return broken(`a bare ${nameOf(value)}`);
  if (Array.isArray(value)) return broken("a batch (JSON array)");
  return classify(value as JsonObject); // an object that JSON.parse made
}

function classify(frame: JsonObject): Envelope {
  const { id, method } = frame;
  if (frame["jsonrpc"] !== "2.0") return broken(`a "jsonrpc" member that is ${described(frame["jsonrpc"])}, not "2.0"`);
  if (method === undefined) return classifyReply(frame, id);
  if (typeof method !== "string") return broken(`a "method" that is ${described(method)}, not a string`);
  if ("result" in frame || "error" in frame) return broken('a "method" together with a "result" or "error"');
  if (id !== undefined && !isId(id)) return broken(`an "id" that is ${described(id)}, not an integer`);
  const { params } = frame;
  if (params !== undefined && !isObject(params)) return { kind: "invalid_params", id, method, got: nameOf(params) };
  const meta = isObject(frame["_meta"]) ? frame["_meta"] : undefined;
  return id === undefined
    ? { kind: "notification", method, params, meta }
    : { kind: "request", id, method, params, meta };
}

function classifyReply(frame: JsonObject, id: unknown): Envelope {
  const hasResult = "result" in frame;
  if ("error" in frame) {
    if (hasResult) return broken('a "result" and an "error" together');
    const error = readError(frame["error"]);
    if (error === undefined) return broken('an "error" that is not {code: integer, message: string}');
    if (id === null) return { kind: "unaddressed_error", error };
    return isId(id) ? { kind: "error", id, error } : badReplyId(id);
  }
  if (!hasResult) return broken('an object with no "method", "result" or "error"');
  return isId(id) ? { kind: "result", id, result: frame["result"] } : badReplyId(id);
}

function readError(error: unknown): ErrorObject | undefined {
  if (!isObject(error)) return undefined;
  const { code, message, data } = error;
  if (typeof code !== "number" || !Number.isInteger(code) || typeof message !== "string") return undefined;
  return data === undefined ? { code, message } : { code, message, data };
}

function badReplyId(id: unknown): Broken {
  return broken(`a reply whose "id" is ${described(id)}, not an integer`);
}

function broken(what: string): Broken {
  return { kind: "broken", what };
}

/** Ids are integers that every JSON reader keeps exact. */
function isId(id: unknown): id is number {
  return Number.isSafeInteger(id);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function described(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "number") return `the number ${value}`;
  return value === null ? "null" : `of type ${nameOf(value)}`;
}
