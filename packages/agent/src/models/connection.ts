/** A connection to a provider: opened with one request, read to its end, closed however it ends. */
import type { Endpoint } from "./endpoint.ts";
import { failureOf } from "./explain.ts";
import { cancelledFailure, ModelFailure } from "./failure.ts";
import { retryAfterMillis, type Trouble } from "./trouble.ts";

/** How long the end of a connection may take after the end of the answer. */
const DRAIN_MILLIS = 100;

export type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Watches the caller's signal and the two bounds of silence, and tells whose end it was. Close it on every path. */
export class Connection {
  readonly #endpoint: Endpoint;
  readonly #signal: AbortSignal | undefined;
  readonly #controller = new AbortController();
  readonly #abort = (): void => this.#controller.abort();
  #timer: NodeJS.Timeout | null = null;
  #waiting = true;
  #silent = false;
  #streaming = false;

  constructor(endpoint: Endpoint, signal: AbortSignal | undefined) {
    this.#endpoint = endpoint;
    this.#signal = signal;
    if (signal?.aborted === true) throw cancelledFailure(endpoint.ref, signal.reason);
    signal?.addEventListener("abort", this.#abort, { once: true });
  }

  async open(url: URL, headers: { readonly [name: string]: string }, body: string): Promise<Reader> {
    try {
      this.#watch(this.#endpoint.waits.firstByteMillis);
      // A redirect is not followed: fetch would carry an `x-api-key` header to the other host.
      const init = { method: "POST", headers, body, redirect: "manual", signal: this.#controller.signal } as const;
      const response = await fetch(url, init);
      this.#watch(this.#endpoint.waits.silenceMillis);
      const trouble = await judge(response, this.#endpoint.now());
      if (trouble !== null) throw failureOf(this.#endpoint, trouble);
      if (response.body === null) throw failureOf(this.#endpoint, { kind: "cut" });
      this.#streaming = true;
      return response.body.getReader();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** The next bytes, or null at the end. */
  async read(reader: Reader): Promise<Uint8Array | null> {
    try {
      this.#timer?.refresh();
      this.#waiting = true;
      const { value } = await reader.read();
      this.#waiting = false;
      return value ?? null;
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Reads what follows a whole answer, shortly: a connection that was read to its end serves the next request too. */
  async drain(reader: Reader): Promise<void> {
    this.#watch(DRAIN_MILLIS);
    try {
      while ((await this.read(reader)) !== null);
    } catch {
      // The answer is whole; a connection that does not end is closed instead.
    }
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#abort);
    this.#controller.abort();
  }

  #watch(millis: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // A slow reader of ours is no silence of the provider's.
      if (!this.#waiting) return void this.#timer?.refresh();
      this.#silent = true;
      this.#controller.abort();
    }, millis);
  }

  #failure(error: unknown): ModelFailure {
    if (error instanceof ModelFailure) return error;
    if (this.#signal?.aborted === true) return cancelledFailure(this.#endpoint.ref, this.#signal.reason);
    const streaming = this.#streaming;
    const { firstByteMillis, silenceMillis } = this.#endpoint.waits;
    const millis = streaming ? silenceMillis : firstByteMillis;
    return failureOf(
      this.#endpoint,
      this.#silent ? { kind: "silence", millis, streaming } : { kind: "network", error, streaming },
    );
  }
}

async function judge(response: Response, now: number): Promise<Trouble | null> {
  const { status, headers } = response;
  if (status < 200 || status >= 300) {
    const wait = retryAfterMillis(headers, now);
    return {
      kind: "status",
      status,
      body: await startOf(response),
      retryAfterMillis: wait,
      location: headers.get("location"),
    };
  }
  const contentType = headers.get("content-type") ?? "";
  return /json|html/i.test(contentType) ? { kind: "not_a_stream", contentType, body: await startOf(response) } : null;
}

/** Error bodies are short; of a long one the start is enough to say what it is. */
const ERROR_BODY = 64 * 1024;

async function startOf(response: Response): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (text.length < ERROR_BODY) {
    const { value } = await reader.read();
    if (value === undefined) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}
