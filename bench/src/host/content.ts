/** A payload of nearly 8 MiB by reference, paged back, verified and parsed, against the same payload in one frame. */
import { rowOf, type Round, type Row } from "../measure/rows.ts";
import type { Effort } from "./effort.ts";
import { startFloor } from "./floor.ts";
import { benchSpec, startHost } from "./ours.ts";

const CHARS = 8 * 1_048_576 - 1_024;

export async function measureContent(effort: Effort): Promise<readonly Row[]> {
  const row = "8 MiB by reference, two pages in flight";
  if (!effort.wants(row)) return [];
  const runs: Round[][] = [];
  for (let run = 0; run < effort.runs; run++) runs.push(await measure(effort));
  return [rowOf({ row, against: "8 MiB inline", unit: "ms", atMost: 1.5 }, runs)];
}

async function measure(effort: Effort): Promise<Round[]> {
  const host = await startHost([benchSpec("bench", { pagesInFlight: 2 }, { intercepts: ["input.receive"] })]);
  const floor = startFloor({});
  const lease = host.lease();
  const text = conversation();
  const rounds: Round[] = [];
  for (let round = -2; round < Math.ceil(effort.rounds / 5); round++) {
    let started = performance.now();
    const ruling = await lease.rule("input.receive", { text }, {});
    const ours = performance.now() - started;
    if (ruling.kind !== "proceed") throw new Error(JSON.stringify(ruling).slice(0, 500));
    started = performance.now();
    await floor.call("extension/intercept", { event: "input.receive", seq: 1, payload: { text }, timeoutMillis: 0 });
    const theirs = performance.now() - started;
    if (round >= 0) rounds.push({ ours, theirs });
  }
  lease.release();
  await Promise.all([host.stop(), floor.stop()]);
  return rounds;
}

/** Text with the line ends and quotes that texts have. */
function conversation(): string {
  const line = 'A line of "text" that a person might have written, with a line end.\n';
  return line.repeat(Math.ceil(CHARS / (line.length + 3)));
}
