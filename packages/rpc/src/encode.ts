/** Frame texts: each is one JSON object and a line feed, put together without serialising anything twice. */
import { errorCodes, type ErrorObject } from "./errors.ts";

const text = Symbol("rawJson");

/** JSON text that is ready to be spliced into frames. */
export interface RawJson {
  readonly [text]: string;
}

/** What may stand as `params` or `_meta`: a plain object, or the JSON text of one. */
export type Members = object | RawJson;

/**
 * Marks `json` as serialised already, so that one payload can go into many frames for the price of a splice.
 * The caller vouches that it is JSON. Throws a TypeError if it holds a line feed, which would end the frame.
 */
export function rawJson(json: string): RawJson {
  if (json.includes("\n")) throw new TypeError("raw JSON text must be on one line: it holds a line feed");
  return { [text]: json };
}

/**
 * As `rawJson`, for text that JSON.stringify wrote or that was put together of such texts: it can hold no line feed
 * and is not searched for one, because a search makes V8 copy a spliced text of 60 KiB into one piece first.
 */
export function writtenJson(json: string): RawJson {
  return { [text]: json };
}

/** The JSON text of a value; throws a TypeError for what JSON cannot say. */
function jsonText(value: unknown): string {
  if (typeof value === "object" && value !== null && text in value) return (value as RawJson)[text]; // told by the symbol
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined) throw new TypeError(`a ${typeof value} has no JSON text`);
  return json;
}

export function requestFrame(
  id: number,
  method: string,
  params: Members | undefined,
  meta: Members | undefined,
): string {
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${members(params, meta)}}\n`;
}

export function notificationFrame(method: string, params: Members | undefined, meta: Members | undefined): string {
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${members(params, meta)}}\n`;
}

/** A notification whose frame is made once, however many connections it goes to. */
export interface WrittenNotification {
  readonly method: string;
  readonly frame: string;
  /** Length of the frame in UTF-8, once somebody has counted it. */
  bytes: number | undefined;
}

export function writtenNotification(method: string, params?: Members, meta?: Members): WrittenNotification {
  return { method, frame: notificationFrame(method, params, meta), bytes: undefined };
}

/** A handler that answers nothing answers `null`: a reply must have a result. */
export function resultFrame(id: number, result: unknown): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result === undefined ? "null" : jsonText(result)}}\n`;
}

/** A code that is no integer would make the reply unreadable: it becomes that of an internal error. */
export function errorFrame(id: number | null, error: ErrorObject): string {
  const data = error.data === undefined ? "" : `,"data":${jsonText(error.data)}`;
  const code = Number.isSafeInteger(error.code) ? error.code : errorCodes.internalError;
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":${JSON.stringify(error.message)}${data}}}\n`;
}

function members(params: Members | undefined, meta: Members | undefined): string {
  const head = params === undefined ? "" : `,"params":${objectText(params)}`;
  return meta === undefined ? head : `${head},"_meta":${objectText(meta)}`;
}

function objectText(value: Members): string {
  if (Array.isArray(value)) throw new TypeError("params must be an object, not an array");
  return jsonText(value);
}
