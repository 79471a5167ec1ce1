/** A provider's stream through the host against the same bytes through a pipe, split into lines and parsed. */
import { rowOf, type Row } from "../measure/rows.ts";
import type { Effort } from "./effort.ts";
import { startFloor } from "./floor.ts";
import { benchSpec, startHost } from "./ours.ts";

const CHUNKS = 50_000;
const REF = "plugin/bench/acme/m1";
const REQUEST = { messages: [], tools: [], maxTokens: 0 };

export async function measureStream(effort: Effort): Promise<readonly Row[]> {
  const cpu = "provider stream, processor time";
  const wall = "provider stream, time a chunk";
  if (!effort.wants(cpu) && !effort.wants(wall)) return [];
  const runs: { readonly ours: Pace; readonly theirs: Pace }[][] = [];
  for (let run = 0; run < effort.runs; run++) runs.push(await measure(effort));
  const against = "JSON.parse of the lines alone";
  const cpus = runs.map((rounds) => rounds.map(({ ours, theirs }) => ({ ours: ours.cpu, theirs: theirs.cpu })));
  const walls = runs.map((rounds) => rounds.map(({ ours }) => ({ ours: ours.wall, theirs: 4 })));
  return [
    rowOf({ row: cpu, against, unit: "µs", atMost: 1.333 }, cpus),
    // 250,000 chunks a second.
    rowOf({ row: wall, against: "the bound", unit: "µs", atMost: 1 }, walls),
  ];
}

async function measure(effort: Effort): Promise<{ ours: Pace; theirs: Pace }[]> {
  const environment = { BENCH_CHUNKS: String(CHUNKS) };
  const host = await startHost([benchSpec("bench", { providers: [REF] }, {}, environment)]);
  const floor = startFloor({ providers: [REF] }, environment);
  const lease = host.lease();
  const ours = async (): Promise<Pace> => {
    const clock = chunkClock();
    for await (const batch of lease.stream(REF, REQUEST, {})) clock.came(batch.length);
    return clock.pace();
  };
  let streams = 0;
  const theirs = (): Promise<Pace> =>
    new Promise((resolve) => {
      const clock = chunkClock();
      floor.listen((frame) => {
        if ((frame as { readonly method: string }).method === "extension/provider/stream/end") resolve(clock.pace());
        else clock.came(1);
      });
      const params = { streamId: `stream-${++streams}`, providerRef: REF, seqBase: 1, request: REQUEST };
      void floor.call("extension/provider/stream/open", params);
    });
  const rounds: { ours: Pace; theirs: Pace }[] = [];
  for (let round = -4; round < Math.ceil(effort.rounds / 5); round++) {
    const pair = { ours: await ours(), theirs: await theirs() };
    if (round >= 0) rounds.push(pair);
  }
  lease.release();
  await Promise.all([host.stop(), floor.stop()]);
  return rounds;
}

interface Pace {
  readonly wall: number;
  readonly cpu: number;
}

/** Microseconds a chunk from the first that came: until then the child makes its lines. */
function chunkClock(): { came(chunks: number): void; pace(): Pace } {
  let started = 0;
  let cpu = process.cpuUsage();
  let first = 0;
  let chunks = 0;
  return {
    came(count) {
      if (chunks === 0) {
        started = performance.now();
        cpu = process.cpuUsage();
        first = count;
      }
      chunks += count;
    },
    pace() {
      if (chunks !== CHUNKS) throw new Error(`${chunks} chunks came of ${CHUNKS}`);
      const wall = (performance.now() - started) * 1_000;
      const { user, system } = process.cpuUsage(cpu);
      return { wall: wall / (chunks - first), cpu: (user + system) / (chunks - first) };
    },
  };
}
