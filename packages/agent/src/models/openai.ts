/** Chat completions over HTTP, as OpenAI, DeepSeek and many local servers speak them. */
import type { ModelChunk, ModelRequest } from "../ports.ts";
import type { Endpoint } from "./endpoint.ts";
import { exchange } from "./exchange.ts";
import { openaiBody } from "./openai-request.ts";
import { openaiDecoder } from "./openai-response.ts";

export function streamOpenai(
  endpoint: Endpoint,
  request: ModelRequest,
  options: { readonly effort: string | undefined; readonly signal: AbortSignal | undefined },
): AsyncGenerator<readonly ModelChunk[]> {
  const call = {
    path: "/chat/completions",
    headers: (key: string | null) => ({
      "content-type": "application/json",
      accept: "text/event-stream",
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    }),
    body: openaiBody(endpoint, request, options.effort),
  };
  return exchange(endpoint, call, openaiDecoder(endpoint.settings.name), options.signal);
}
