/** Asks a provider for a streamed answer. */
import type { ModelChunk, ModelRequest } from "../ports.ts";
import type { Endpoint } from "./endpoint.ts";
import { ModelFailure } from "./failure.ts";

// oxlint-disable-next-line require-yield -- the wire format follows
export async function* streamAnthropic(
  endpoint: Endpoint,
  _request: ModelRequest,
  _options: { readonly effort: string | undefined; readonly signal: AbortSignal | undefined },
): AsyncGenerator<readonly ModelChunk[]> {
  const message = `Providers of kind ${endpoint.settings.kind} cannot be asked yet.`;
  throw new ModelFailure(message, { kind: "unavailable", providerRef: endpoint.ref });
}
