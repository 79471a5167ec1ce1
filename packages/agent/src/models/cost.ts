/** What an answer cost, by the prices of its model. */
import type { ProviderDescriptor, Usage } from "@reasonix-ts/protocol";

export interface Cost {
  readonly amount: number;
  /** As the prices say; null when they name none. */
  readonly currency: string | null;
}

/**
 * Null means unknown, which is not 0: no usage was told, or a price that is needed is not set. Without a price for
 * cache hits, they cost what other input does.
 */
export function costOf(usage: Usage | null, prices: ProviderDescriptor): Cost | null {
  const { inputPerMillion: input, outputPerMillion: output, cacheHitPerMillion: hit = input } = prices;
  if (usage === null || input === undefined || output === undefined || hit === undefined) return null;
  const hits = Math.min(usage.cacheHitTokens, usage.promptTokens);
  const millionths = hits * hit + (usage.promptTokens - hits) * input + usage.completionTokens * output;
  return { amount: millionths / 1_000_000, currency: prices.pricingCurrency ?? null };
}
