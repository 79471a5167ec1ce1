/** The messages API over HTTP, as Anthropic and compatible servers speak it. */
import type { ModelChunk, ModelRequest } from "../ports.ts";
import { anthropicBody } from "./anthropic-request.ts";
import { anthropicDecoder } from "./anthropic-response.ts";
import type { Endpoint } from "./endpoint.ts";
import { exchange } from "./exchange.ts";

export function streamAnthropic(
  endpoint: Endpoint,
  request: ModelRequest,
  options: { readonly effort: string | undefined; readonly signal: AbortSignal | undefined },
): AsyncGenerator<readonly ModelChunk[]> {
  const path = new URL(endpoint.settings.base_url).pathname.replace(/\/+$/, "").endsWith("/v1")
    ? "/messages"
    : "/v1/messages";
  const call = {
    path,
    headers: (key: string | null) => ({
      "content-type": "application/json",
      accept: "text/event-stream",
      "anthropic-version": "2023-06-01",
      ...(key === null ? {} : { "x-api-key": key }),
    }),
    body: anthropicBody(endpoint, request, options.effort),
  };
  return exchange(endpoint, call, anthropicDecoder(endpoint.settings.name), options.signal);
}
