/** Counts what a session used and what it cost; what is not known stays unknown and never becomes 0. */
import type { Usage } from "@reasonix-ts/protocol";
import type { Cost } from "./models/cost.ts";

export interface Spending {
  readonly requests: number;
  /** Requests whose usage the model told. */
  readonly counted: number;
  /** Requests whose cost is in `cost`; that of the others is unknown, or in another currency. */
  readonly priced: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cacheHitTokens: number;
  readonly cacheMissTokens: number;
  readonly reasoningTokens: number;
  /** Null when no request had a known price. */
  readonly cost: number | null;
  /** That of the first known price; costs in another one are not added. */
  readonly currency: string | null;
}

const NOTHING: Spending = {
  requests: 0,
  counted: 0,
  priced: 0,
  promptTokens: 0,
  completionTokens: 0,
  cacheHitTokens: 0,
  cacheMissTokens: 0,
  reasoningTokens: 0,
  cost: null,
  currency: null,
};

/** What one part of a session used and cost; null is unknown. */
export interface Share {
  readonly usage: Usage | null;
  readonly cost: number | null;
  readonly currency: string | null;
}

export class Meter {
  #spent: Spending = NOTHING;

  get spent(): Spending {
    return this.#spent;
  }

  add(usage: Usage | null, cost: Cost | null): void {
    const spent = this.#spent;
    // One sum holds one currency.
    const counts = cost !== null && (spent.cost === null || spent.currency === cost.currency);
    this.#spent = {
      requests: spent.requests + 1,
      counted: spent.counted + (usage === null ? 0 : 1),
      priced: spent.priced + (counts ? 1 : 0),
      promptTokens: spent.promptTokens + (usage?.promptTokens ?? 0),
      completionTokens: spent.completionTokens + (usage?.completionTokens ?? 0),
      cacheHitTokens: spent.cacheHitTokens + (usage?.cacheHitTokens ?? 0),
      cacheMissTokens: spent.cacheMissTokens + (usage?.cacheMissTokens ?? 0),
      reasoningTokens: spent.reasoningTokens + (usage?.reasoningTokens ?? 0),
      cost: counts ? (spent.cost ?? 0) + cost.amount : spent.cost,
      currency: counts ? cost.currency : spent.currency,
    };
  }

  /** What came on top of an earlier `spent`. */
  since(before: Spending): Share {
    const { cost, currency, priced } = this.#spent;
    const isPriced = priced > before.priced;
    return {
      usage: usageBetween(before, this.#spent),
      cost: isPriced && cost !== null ? cost - (before.cost ?? 0) : null,
      currency: isPriced ? currency : null,
    };
  }
}

function usageBetween(before: Spending, after: Spending): Usage | null {
  if (after.counted === before.counted) return null;
  const promptTokens = after.promptTokens - before.promptTokens;
  const completionTokens = after.completionTokens - before.completionTokens;
  return {
    promptTokens,
    completionTokens,
    totalTokens: promptTokens + completionTokens,
    cacheHitTokens: after.cacheHitTokens - before.cacheHitTokens,
    cacheMissTokens: after.cacheMissTokens - before.cacheMissTokens,
    reasoningTokens: after.reasoningTokens - before.reasoningTokens,
  };
}
