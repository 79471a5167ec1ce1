/** What an answer costs; unknown is not 0. */
import { describe, expect, test } from "vitest";
import { costOf } from "../../src/models/cost.ts";

const usage = {
  promptTokens: 1_000_000,
  completionTokens: 100_000,
  totalTokens: 1_100_000,
  cacheHitTokens: 600_000,
  cacheMissTokens: 400_000,
  reasoningTokens: 0,
};
const ref = "lab/m-1";

describe("costOf", () => {
  test.each([
    [
      { inputPerMillion: 2, outputPerMillion: 10, cacheHitPerMillion: 0.5, pricingCurrency: "USD" },
      { amount: 2.1, currency: "USD" },
    ],
    [
      { inputPerMillion: 2, outputPerMillion: 10 },
      { amount: 3, currency: null },
    ],
    [
      { inputPerMillion: 0, outputPerMillion: 0 },
      { amount: 0, currency: null },
    ],
    [{ inputPerMillion: 2 }, null],
    [{}, null],
  ])("[case P-08] with %j", (prices, cost) => {
    expect(costOf(usage, { ref, ...prices })).toEqual(cost);
  });

  test("[case P-08] unknown usage has an unknown cost", () => {
    expect(costOf(null, { ref, inputPerMillion: 1, outputPerMillion: 1 })).toBeNull();
  });
});
