/** How long each plugin took at each point, from receipts; pure. */
import type { ReceiptLine } from "../receipts-file.ts";

/** Milliseconds from the call to its answer. */
export interface PointTime {
  readonly plugin: string;
  readonly point: string;
  readonly calls: number;
  readonly median: number;
  readonly max: number;
  /** Calls that were not answered as they should be. */
  readonly faults: number;
}

const ANSWERS: ReadonlySet<string> = new Set(["allow", "block", "continue", "deny", "replace"]);

/** In the order in which the pairs were first asked. */
export function pointTimes(receipts: readonly ReceiptLine[]): readonly PointTime[] {
  const groups = new Map<string, ReceiptLine[]>();
  for (const receipt of receipts) {
    const key = `${receipt.plugin}\n${receipt.point}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [receipt]);
    else group.push(receipt);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const millis = group.map((receipt) => receipt.millis).sort((left, right) => left - right);
    return {
      plugin: first.plugin,
      point: first.point,
      calls: group.length,
      median: millis[Math.floor((millis.length - 1) / 2)] ?? 0,
      max: millis.at(-1) ?? 0,
      faults: group.filter((receipt) => !ANSWERS.has(receipt.outcome)).length,
    };
  });
}
