/** One ruling through the whole host against the same lines to bare children: of a slot's owner, and of a chain of eight with its events. */
import { rowOf, type Round, type Row } from "../measure/rows.ts";
import { startFloor } from "./floor.ts";
import { benchSpec, startHost } from "./ours.ts";
import type { Effort } from "./effort.ts";

const SIZES = [
  { label: "200 B", bytes: 200, calls: 60, one: 1.25, chain: 1.25 },
  { label: "4 KiB", bytes: 4_096, calls: 60, one: 1.15, chain: 1.1 },
  { label: "60 KiB", bytes: 61_440, calls: 16, one: 1.2, chain: 0.8 },
] as const;

/** Travels beside the params of every frame, on both sides. */
const META = { callId: "c1" };

export async function measureRulings(sidecars: 1 | 8, effort: Effort): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { label, bytes, calls, one, chain } of SIZES) {
    const row = sidecars === 1 ? `ruling of an owner, ${label}` : `chain of ${sidecars}, ${label}`;
    if (!effort.wants(row)) continue;
    const runs: Round[][] = [];
    for (let run = 0; run < effort.runs; run++)
      runs.push(await measure(sidecars, bytes, Math.ceil(calls / sidecars), effort));
    rows.push(rowOf({ row, against: "floor", unit: "µs", atMost: sidecars === 1 ? one : chain }, runs));
  }
  return rows;
}

async function measure(sidecars: number, bytes: number, calls: number, effort: Effort): Promise<Round[]> {
  const names = Array.from({ length: sidecars }, (_, index) => `p${index}`);
  // An owner is asked and not told; who intercepts is told what came of it as well.
  const isOwner = sidecars === 1;
  const seat = isOwner ? { replaces: ["tool:bash"] as const } : { intercepts: ["tool.before"] as const };
  const host = await startHost(names.map((name) => benchSpec(name, {}, seat)));
  const floors = names.map(() => startFloor({}));
  const lease = host.lease();
  const payload = { name: "bash", arguments: "x".repeat(bytes - '{"name":"bash","arguments":""}'.length) };
  const ours = async (): Promise<void> => {
    const ruling = await lease.rule("tool.before", { ...payload }, META);
    if (ruling.kind !== "proceed") throw new Error(JSON.stringify(ruling));
  };
  const theirs = async (): Promise<void> => {
    for (const floor of floors) {
      const params = { event: "tool.before", seq: 1, payload, timeoutMillis: 5_000 };
      const result = await floor.call("extension/intercept", params, META);
      if ((result as { readonly decision?: string }).decision !== "continue") throw new Error("a wrong answer");
    }
    const params = { event: "tool.before", payload };
    const event = { jsonrpc: "2.0", method: "extension/event", params, _meta: META };
    if (!isOwner) for (const floor of floors) floor.write(`${JSON.stringify(event)}\n`);
  };
  const rounds: Round[] = [];
  for (let round = -effort.warmUp; round < effort.rounds; round++) {
    const pair = { ours: await microsOf(ours, calls), theirs: await microsOf(theirs, calls) };
    if (round >= 0) rounds.push(pair);
  }
  lease.release();
  await Promise.all([host.stop(), ...floors.map((floor) => floor.stop())]);
  return rounds;
}

async function microsOf(call: () => Promise<void>, calls: number): Promise<number> {
  const started = performance.now();
  for (let index = 0; index < calls; index++) await call();
  return ((performance.now() - started) * 1_000) / calls;
}
