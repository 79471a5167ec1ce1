/** The rows of the results page and how a run is turned into them. Pure. */
import type { ContenderName } from "./contender.ts";

/** Microseconds a call, one number a block, for each contender. */
export type Blocks = Readonly<Record<ContenderName, readonly number[]>>;

export interface Row {
  readonly row: string;
  readonly against: ContenderName;
  /** Medians over all runs, in microseconds a call. */
  readonly ours: number;
  readonly theirs: number;
  /** Median over the runs of the median over the rounds of the ratio within one round. */
  readonly ratio: number;
  readonly goal: string;
  readonly reached: boolean;
}

export interface Goal {
  readonly against: ContenderName;
  /** Ours divided by theirs in time a call is to be at most this; or theirs divided by ours at least this. */
  readonly bound: number;
  readonly sense: "at most" | "at least";
}

export function toRows(row: string, runs: readonly Blocks[], goals: readonly Goal[]): readonly Row[] {
  return goals.map(({ against, bound, sense }) => {
    const ratio = median(runs.map((run) => median(paired(run.ours, run[against], sense))));
    return {
      row,
      against,
      ours: round(median(runs.map((run) => median(run.ours))), 1),
      theirs: round(median(runs.map((run) => median(run[against]))), 1),
      ratio: round(ratio, 3),
      goal: `${sense} ${bound}`,
      reached: sense === "at most" ? ratio <= bound : ratio >= bound,
    };
  });
}

/** Ratios of blocks that were measured one after the other, so that a slower machine slows both. */
function paired(ours: readonly number[], theirs: readonly number[], sense: Goal["sense"]): readonly number[] {
  return ours.map((mine, round) => {
    const other = theirs[round] ?? Number.NaN;
    return sense === "at most" ? mine / other : other / mine;
  });
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  const lower = sorted[sorted.length % 2 === 1 ? middle : middle - 1];
  if (upper === undefined || lower === undefined) throw new Error("no blocks were measured");
  return (upper + lower) / 2;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
