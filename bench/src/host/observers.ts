/** Events to twelve observers against one JSON text for each, and a slow observer that must delay nobody. */
import { rowOf, type Round, type Row } from "../measure/rows.ts";
import type { Effort } from "./effort.ts";
import { startFloor } from "./floor.ts";
import { benchSpec, startHost } from "./ours.ts";

const OBSERVERS = 12;
const EVENTS = 100;
/** Text as tools give it: line ends and quotes have to be escaped. */
const RESULT = 'const answer = "a line of code";\n'.repeat(250);

export async function measureFanOut(effort: Effort): Promise<readonly Row[]> {
  const wall = `events to ${OBSERVERS} observers, time`;
  const cpu = `events to ${OBSERVERS} observers, processor time`;
  if (!effort.wants(wall) && !effort.wants(cpu)) return [];
  const walls: Round[][] = [];
  const cpus: Round[][] = [];
  for (let run = 0; run < effort.runs; run++) {
    const rounds = await fanOut(effort);
    walls.push(rounds.map(({ ours, theirs }) => ({ ours: ours.wall, theirs: theirs.wall })));
    cpus.push(rounds.map(({ ours, theirs }) => ({ ours: ours.cpu, theirs: theirs.cpu })));
  }
  const against = "one JSON text an observer";
  return [
    // 2.2 times the events in the same time.
    rowOf({ row: wall, against, unit: "µs", atMost: 0.455 }, walls),
    rowOf({ row: cpu, against, unit: "µs", atMost: 0.35 }, cpus),
  ];
}

interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

async function fanOut(effort: Effort): Promise<readonly { readonly ours: Cost; readonly theirs: Cost }[]> {
  const names = Array.from({ length: OBSERVERS }, (_, index) => `p${index}`);
  const observer = { required: false, intercepts: ["frontend.event"] } as const;
  const host = await startHost(names.map((name) => benchSpec(name, { observes: true }, observer)));
  const floors = names.map(() => startFloor({}));
  const lease = host.lease();
  const event = { kind: "text", text: RESULT };
  // The first one is asked of all, and from then on all of them only listen.
  await lease.rule("frontend.event", event, {});
  let told = 1;
  const ours = async (): Promise<void> => {
    for (let index = 0; index < EVENTS; index++) await lease.rule("frontend.event", event, {});
    told += EVENTS;
    await Promise.all(names.map((name) => lease.callTool(name, "count", { until: told }, {})));
  };
  let toldFloors = 0;
  const theirs = async (): Promise<void> => {
    for (let index = 0; index < EVENTS; index++) {
      const params = { event: "frontend.event", payload: event };
      for (const floor of floors)
        floor.write(`${JSON.stringify({ jsonrpc: "2.0", method: "extension/event", params })}\n`);
    }
    toldFloors += EVENTS;
    const params = { name: "count", arguments: { until: toldFloors }, timeoutMillis: 0 };
    await Promise.all(floors.map((floor) => floor.call("extension/tool/call", params)));
  };
  const rounds: { ours: Cost; theirs: Cost }[] = [];
  for (let round = -effort.warmUp; round < effort.rounds; round++) {
    const pair = { ours: await costOf(ours), theirs: await costOf(theirs) };
    if (round >= 0) rounds.push(pair);
  }
  const dropped = host.diagnostics().plugins.reduce((sum, plugin) => sum + plugin.observationsDropped, 0);
  if (dropped > 0) throw new Error(`${dropped} events were dropped: the comparison is not fair`);
  lease.release();
  await Promise.all([host.stop(), ...floors.map((floor) => floor.stop())]);
  return rounds;
}

/** Microseconds an event, of the wall and of this process alone. */
async function costOf(work: () => Promise<void>): Promise<Cost> {
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  await work();
  const wall = ((performance.now() - started) * 1_000) / EVENTS;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wall, cpu: (user + system) / EVENTS };
}

const BEHIND = 2_000;

/** An observer that works 2 ms on each event is asked while thousands of events wait for it. */
export async function measureSlowObserver(effort: Effort): Promise<readonly Row[]> {
  const row = "ruling of a sidecar that is 2,000 events behind";
  if (!effort.wants(row)) return [];
  const runs: Round[][] = [];
  for (let run = 0; run < effort.runs; run++) runs.push([{ ours: await waitBehindEvents(), theirs: 100 }]);
  return [rowOf({ row, against: "the bound", unit: "ms", atMost: 1 }, runs)];
}

async function waitBehindEvents(): Promise<number> {
  const points = { intercepts: ["frontend.event", "tool.before"], required: false } as const;
  const host = await startHost([benchSpec("slow", { observes: true, eventMillis: 2 }, points)]);
  const lease = host.lease();
  const event = { kind: "text", text: RESULT };
  for (let index = 0; index < BEHIND; index++) await lease.rule("frontend.event", event, {});
  const started = performance.now();
  const ruling = await lease.rule("tool.before", { name: "bash", arguments: "{}" }, {});
  const waited = performance.now() - started;
  const dropped = host.diagnostics().plugins[0]?.observationsDropped ?? 0;
  lease.release();
  await host.stop();
  if (ruling.kind !== "proceed" || dropped === 0) throw new Error("the sidecar was not behind, or was not asked");
  return waited;
}
