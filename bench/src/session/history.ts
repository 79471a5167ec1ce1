/** What a turn costs with 10,000 turns behind it, against one with a hundred. */
import type { Session } from "@reasonix-ts/agent";
import { rowOf, type Round, type Row } from "../measure/rows.ts";
import { openPlace, SHORT_ANSWERS } from "./place.ts";

export const HISTORY_ROW = "a turn after 10,000 turns";

const SHORT = 100;
const LONG = 10_000;
const TURNS_A_BLOCK = 20;

export async function measureHistory(options: { readonly runs: number; readonly rounds: number }): Promise<Row> {
  const place = await openPlace();
  try {
    const long = await place.open(SHORT_ANSWERS);
    for (let turn = 0; turn < LONG; turn++) await long.turn(`question ${turn}`);
    const runs: Round[][] = [];
    for (let run = 0; run < options.runs; run++) {
      // A fresh one each time, since its own blocks make it longer.
      const short = await place.open(SHORT_ANSWERS);
      for (let turn = 0; turn < SHORT; turn++) await short.turn(`question ${turn}`);
      const rounds: Round[] = [];
      for (let round = 0; round < options.rounds; round++) {
        rounds.push({ ours: await block(long), theirs: await block(short) });
      }
      runs.push(rounds);
      await short.close();
    }
    await long.close();
    return rowOf({ row: HISTORY_ROW, against: "after 100", unit: "µs", atMost: 1.5 }, runs);
  } finally {
    await place.close();
  }
}

async function block(session: Session): Promise<number> {
  const started = performance.now();
  for (let turn = 0; turn < TURNS_A_BLOCK; turn++) {
    const { outcome } = await session.turn("one more question");
    if (outcome !== "done") throw new Error(`a turn ended as ${outcome}`);
  }
  return ((performance.now() - started) * 1_000) / TURNS_A_BLOCK;
}
