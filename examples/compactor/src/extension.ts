/** Owns the slot `compaction`: looks at what is folded, then puts a ledger of it before the model's summary. */
import { defineExtension, next, replace, type Extension } from "@reasonix-ts/sdk";
import { readLedger, withLedger, type Ledger } from "./ledger.ts";

export function compactor(): Extension {
  /** Agent → what its compaction folds; sub-agents fold on their own. */
  const underWay = new Map<string, Ledger>();
  return defineExtension({
    name: "compactor",
    version: "0.1.0",
    replace: {
      compaction: {
        "compaction.prepare": ({ messages }, { meta }) => {
          underWay.set(meta.agent ?? "main", readLedger(messages));
          return next();
        },
        "compaction.complete": (payload, { meta }) => {
          const agent = meta.agent ?? "main";
          const ledger = underWay.get(agent);
          underWay.delete(agent);
          if (ledger === undefined) return next();
          return replace({ ...payload, summary: withLedger(ledger, payload.summary) });
        },
      },
    },
  });
}
