/** A provider's stream through the host against the same bytes through a pipe, split into lines and parsed. */
import { rowOf, type Round, type Row } from "../measure/rows.ts";
import type { Effort } from "./effort.ts";
import { startFloor } from "./floor.ts";
import { benchSpec, startHost } from "./ours.ts";

const CHUNKS = 50_000;
const REF = "plugin/bench/acme/m1";
const REQUEST = { messages: [], tools: [], maxTokens: 0 };

export async function measureStream(effort: Effort): Promise<readonly Row[]> {
  const ratio = "provider stream";
  const rate = "provider stream, a chunk";
  if (!effort.wants(ratio) && !effort.wants(rate)) return [];
  const runs: Round[][] = [];
  for (let run = 0; run < effort.runs; run++) runs.push(await measure(effort));
  const against = "JSON.parse of the lines alone";
  return [
    rowOf({ row: ratio, against, unit: "µs", atMost: 1.333 }, runs),
    // 250,000 chunks a second.
    rowOf(
      { row: rate, against: "the bound", unit: "µs", atMost: 1 },
      runs.map((rounds) => rounds.map(({ ours }) => ({ ours, theirs: 4 }))),
    ),
  ];
}

async function measure(effort: Effort): Promise<Round[]> {
  const environment = { BENCH_CHUNKS: String(CHUNKS) };
  const host = await startHost([benchSpec("bench", { providers: [REF] }, {}, environment)]);
  const floor = startFloor({ providers: [REF] }, environment);
  const lease = host.lease();
  const ours = async (): Promise<number> => {
    const clock = chunkClock();
    for await (const batch of lease.stream(REF, REQUEST, {})) clock.came(batch.length);
    return clock.micros();
  };
  let streams = 0;
  const theirs = (): Promise<number> =>
    new Promise((resolve) => {
      const clock = chunkClock();
      floor.listen((frame) => {
        if ((frame as { readonly method: string }).method === "extension/provider/stream/end") resolve(clock.micros());
        else clock.came(1);
      });
      const params = { streamId: `stream-${++streams}`, providerRef: REF, seqBase: 1, request: REQUEST };
      void floor.call("extension/provider/stream/open", params);
    });
  const rounds: Round[] = [];
  for (let round = -4; round < Math.ceil(effort.rounds / 5); round++) {
    const pair = { ours: await ours(), theirs: await theirs() };
    if (round >= 0) rounds.push(pair);
  }
  lease.release();
  await Promise.all([host.stop(), floor.stop()]);
  return rounds;
}

/** Microseconds a chunk from the first that came: until then the child makes its lines. */
function chunkClock(): { came(chunks: number): void; micros(): number } {
  let started = 0;
  let first = 0;
  let chunks = 0;
  return {
    came(count) {
      if (chunks === 0) {
        started = performance.now();
        first = count;
      }
      chunks += count;
    },
    micros() {
      if (chunks !== CHUNKS) throw new Error(`${chunks} chunks came of ${CHUNKS}`);
      return ((performance.now() - started) * 1_000) / (chunks - first);
    },
  };
}
