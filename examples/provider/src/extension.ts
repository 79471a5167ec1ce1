/** Brings one model. Its script stands in for the request to a real service: see `local-model` for one. */
import { defineExtension, ProviderInterrupted } from "@reasonix-ts/sdk";
import { answer } from "./script.ts";

export const extension = defineExtension({
  name: "provider-extension",
  version: "0.1.0",
  providers: [
    {
      descriptor: {
        // Becomes plugin/provider-extension/scripted/small.
        ref: "scripted/small",
        displayName: "Scripted (small)",
        contextWindow: 32_000,
        inputPerMillion: 0.5,
        outputPerMillion: 1.5,
        cacheHitPerMillion: 0.05,
        pricingCurrency: "USD",
        tools: true,
        reasoning: true,
        // The host sends reasoning and its signature back with the next request.
        reasoningRoundTrip: true,
        toolCallReasoning: true,
      },
      async *stream(request, { signal }) {
        for (const part of answer(request)) {
          if (signal.aborted) throw new ProviderInterrupted("cancelled");
          yield part;
        }
      },
    },
  ],
});
