/** The rows of the results page and how paired rounds are turned into them. Pure. */

export interface Row {
  readonly row: string;
  readonly against: string;
  readonly unit: string;
  /** Medians over all rounds, in `unit`. */
  readonly ours: number;
  readonly theirs: number;
  /** Median over the runs of the median over the rounds of ours divided by theirs within one round. */
  readonly ratio: number;
  /** `none` where a ratio is told for information. */
  readonly goal: string;
  readonly reached: boolean;
}

/** What was measured one right after the other, so that a busy machine slows both. */
export interface Round {
  readonly ours: number;
  readonly theirs: number;
}

export interface Comparison {
  readonly row: string;
  readonly against: string;
  readonly unit: string;
  /** The ratio is to be at most this, for times; without either bound there is no goal. */
  readonly atMost?: number;
  /** The ratio is to be at least this, for rates. */
  readonly atLeast?: number;
}

export function rowOf(comparison: Comparison, runs: readonly (readonly Round[])[]): Row {
  const { row, against, unit, atMost, atLeast } = comparison;
  const rounds = runs.flat();
  const ratio = median(runs.map((run) => median(run.map(({ ours, theirs }) => ours / theirs))));
  return {
    row,
    against,
    unit,
    ours: rounded(median(rounds.map(({ ours }) => ours)), 1),
    theirs: rounded(median(rounds.map(({ theirs }) => theirs)), 1),
    ratio: rounded(ratio, 3),
    goal: goalText(comparison),
    reached: ratio <= (atMost ?? Number.POSITIVE_INFINITY) && ratio >= (atLeast ?? Number.NEGATIVE_INFINITY),
  };
}

export function printRows(rows: readonly Row[], asJson: boolean): void {
  if (asJson) process.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
  else for (const row of rows) process.stdout.write(`${sentence(row)}\n`);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  if (upper === undefined || lower === undefined) throw new Error("nothing was measured");
  return (upper + lower) / 2;
}

function goalText({ atMost, atLeast }: Comparison): string {
  if (atMost !== undefined) return `at most ${atMost}`;
  return atLeast === undefined ? "none" : `at least ${atLeast}`;
}

function sentence({ row, against, unit, ours, theirs, ratio, goal, reached }: Row): string {
  const verdict = goal === "none" ? "no goal" : `${goal}: ${reached ? "reached" : "MISSED"}`;
  return `${row}: ours ${ours} ${unit}, ${against} ${theirs} ${unit}, ratio ${ratio} (${verdict})`;
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
