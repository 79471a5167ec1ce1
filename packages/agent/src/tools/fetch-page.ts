/** One HTTP request with bounds: time, size, addresses. Redirects are told, not followed. */
import type { IncomingMessage } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { formatBytes, formatMillis } from "@reasonix-ts/text";
import { forbiddenRange, guardedLookup, isNamed, literalAddress } from "./addresses.ts";

export type Fetched =
  | { readonly kind: "page"; readonly status: number; readonly type: string; readonly body: Buffer }
  | { readonly kind: "redirect"; readonly to: URL }
  | { readonly kind: "failed"; readonly problem: string };

const PAGE_BYTES = 5 * 1_048_576;
const TIMEOUT_MILLIS = 30_000;

export async function fetchPage(url: URL, allowed: readonly string[], signal: AbortSignal): Promise<Fetched> {
  const named = isNamed(url, allowed);
  const address = literalAddress(url);
  const range = address === null || named ? null : forbiddenRange(address);
  if (range !== null) {
    return {
      kind: "failed",
      problem: `${url.host} is refused: it is ${range}, and web_fetch reaches public addresses only`,
    };
  }
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal.reason);
  const timer = setTimeout(
    () => stop.abort(new Error(`no whole answer within ${formatMillis(TIMEOUT_MILLIS)}`)),
    TIMEOUT_MILLIS,
  );
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url.href, {
        agent: false,
        headers: { accept: "text/html, text/*, application/json;q=0.9, */*;q=0.1", "user-agent": "reasonix" },
        signal: stop.signal,
        ...(named ? {} : { lookup: guardedLookup() }),
      })
        .once("response", resolve)
        .once("error", reject)
        .end();
    });
    return await read(url, response);
  } catch (error) {
    const cause: unknown = stop.signal.aborted ? stop.signal.reason : error;
    return { kind: "failed", problem: cause instanceof Error ? cause.message : String(cause) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    stop.abort();
  }
}

async function read(url: URL, response: IncomingMessage): Promise<Fetched> {
  const { statusCode: status = 0, headers } = response;
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    response.destroy();
    if (!URL.canParse(headers.location, url.href)) return { kind: "failed", problem: "it redirects to no address" };
    return { kind: "redirect", to: new URL(headers.location, url.href) };
  }
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response) {
    // A response without an encoding yields buffers.
    const buffer = Buffer.from(piece);
    bytes += buffer.length;
    if (bytes > PAGE_BYTES) {
      response.destroy();
      return { kind: "failed", problem: `it is larger than ${formatBytes(PAGE_BYTES)}` };
    }
    pieces.push(buffer);
  }
  const body = decoded(Buffer.concat(pieces), headers["content-encoding"] ?? "");
  return { kind: "page", status, type: headers["content-type"] ?? "", body };
}

function decoded(body: Buffer, encoding: string): Buffer {
  const bounds = { maxOutputLength: PAGE_BYTES };
  switch (encoding.toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return gunzipSync(body, bounds);
    case "deflate":
      return inflateSync(body, bounds);
    case "br":
      return brotliDecompressSync(body, bounds);
    default:
      return body;
  }
}
