/** One HTTP exchange with a provider: a request out, batches of server-sent events in, trouble as a `ModelFailure`. */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { Connection } from "./connection.ts";
import type { Endpoint } from "./endpoint.ts";
import { failureOf } from "./explain.ts";
import { isHeaderValue } from "./settings.ts";
import type { Trouble } from "./trouble.ts";

export interface Call {
  /** Appended to the path of `base_url`. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: (key: string | null) => { readonly [name: string]: string };
  readonly body: string;
}

/** What one wire format makes of events. Chunks go to `out`; what comes back is trouble, or null. */
export interface Decoder<Chunk> {
  read(event: EventSourceMessage, out: Chunk[]): Trouble | null;
  /** True once the answer is whole and nothing more is expected. */
  readonly done: boolean;
  /** At the end of the stream: what was kept for it, or `cut` when the answer is not whole. */
  finish(out: Chunk[]): Trouble | null;
}

/** An event larger than this is no piece of an answer. */
const LARGEST_EVENT = 16 * 1024 * 1024;

/** Yields what one network read brought, as one batch. Ends the connection however the iteration ends. */
export async function* exchange<Chunk>(
  endpoint: Endpoint,
  call: Call,
  decoder: Decoder<Chunk>,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Chunk[]> {
  const headers = { ...call.headers(keyOf(endpoint)), ...lowerCase(endpoint.settings.headers ?? {}) };
  const connection = new Connection(endpoint, signal);
  try {
    const body = await connection.open(urlOf(endpoint.settings.base_url, call.path), headers, call.body);
    let batch: Chunk[] = [];
    let trouble: Trouble | null = null;
    const parser = createParser({
      maxBufferSize: LARGEST_EVENT,
      onEvent: (event) => {
        if (!decoder.done) trouble ??= decoder.read(event, batch);
      },
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") trouble ??= { kind: "malformed", data: "an event over 16 MiB" };
      },
    });
    const text = new TextDecoder();
    while (!decoder.done && trouble === null) {
      const bytes = await connection.read(body);
      if (bytes === null) {
        // A last event may lack its closing blank line; one that was cut is found out by `finish`.
        parser.feed(`${text.decode()}\n\n`);
        if (isMalformed(trouble)) trouble = null;
        break;
      }
      parser.feed(text.decode(bytes, STREAM));
      if (batch.length === 0) continue;
      const full = batch;
      batch = [];
      yield full;
    }
    trouble ??= decoder.finish(batch);
    if (batch.length > 0) yield batch;
    if (trouble !== null) throw failureOf(endpoint, trouble);
    await connection.drain(body);
  } finally {
    connection.close();
  }
}

const STREAM = { stream: true } as const;

function isMalformed(trouble: Trouble | null): boolean {
  return trouble?.kind === "malformed";
}

function keyOf(endpoint: Endpoint): string | null {
  const environmentName = endpoint.settings.api_key_env;
  if (environmentName === undefined) return null;
  const key = endpoint.apiKey(environmentName)?.trim() ?? "";
  if (key === "") throw failureOf(endpoint, { kind: "key_missing", environmentName });
  if (!isHeaderValue(key)) throw failureOf(endpoint, { kind: "key_unusable", environmentName });
  return key;
}

/** Two spellings of one name would be sent as one header with two values. */
function lowerCase(headers: { readonly [name: string]: string }): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** A query in `base_url` stays where it is. */
function urlOf(base: string, path: string): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  return url;
}
