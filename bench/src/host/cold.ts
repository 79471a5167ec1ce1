/** The first 20 turns of a fresh host against the floor, equally cold: each round is a process of its own, for both sides. */
import { spawnSync } from "node:child_process";
import { rowOf, type Round, type Row } from "../measure/rows.ts";
import type { Effort } from "./effort.ts";
import { startFloor } from "./floor.ts";
import { benchSpec, startHost } from "./ours.ts";

const TURNS = 20;
const META = { callId: "c1" };
/** What a turn with a tool asks of an interceptor: each time the call, and then the event. */
const POINTS = ["tool.before", "tool.after"] as const;
const PAYLOAD = { name: "bash", arguments: '{"command":"ls"}' };

export type Side = "ours" | "floor";

export function measureCold(effort: Effort): readonly Row[] {
  const row = `first ${TURNS} turns, cold`;
  if (!effort.wants(row)) return [];
  const runs: Round[][] = [];
  for (let run = 0; run < effort.runs; run++) {
    const rounds = Array.from({ length: Math.ceil(effort.rounds / 4) }, () => ({
      ours: inFreshProcess("ours"),
      theirs: inFreshProcess("floor"),
    }));
    runs.push(rounds);
  }
  return [rowOf({ row, against: "floor", unit: "µs", atMost: 1.5 }, runs)];
}

/** Microseconds a turn, as the fresh process tells them. */
function inFreshProcess(side: Side): number {
  const [program = ""] = process.argv.slice(1);
  const done = spawnSync(process.execPath, [program, `--cold=${side}`], { stdio: ["ignore", "pipe", "inherit"] });
  const micros = Number(done.stdout.toString("utf8"));
  if (done.status !== 0 || !(micros > 0)) throw new Error(`the cold turns of ${side} could not be measured`);
  return micros;
}

/** In the fresh process: starts the one side and takes its first turns. */
export async function takeColdTurns(side: Side): Promise<number> {
  return side === "ours" ? coldHost() : coldFloor();
}

async function coldHost(): Promise<number> {
  const host = await startHost([benchSpec("p0", {}, { intercepts: POINTS })]);
  const lease = host.lease();
  const micros = await microsATurn(async (point) => {
    const ruling = await lease.rule(point, { ...PAYLOAD }, META);
    if (ruling.kind !== "proceed") throw new Error(JSON.stringify(ruling));
  });
  lease.release();
  await host.stop();
  return micros;
}

async function coldFloor(): Promise<number> {
  const floor = startFloor({});
  // The child has started and both sides have said hello, as a host's handshake has.
  await floor.call("extension/initialize", {});
  const micros = await microsATurn(async (event) => {
    const params = { event, seq: 1, payload: { ...PAYLOAD }, timeoutMillis: 5_000 };
    const result = await floor.call("extension/intercept", params, META);
    if ((result as { readonly decision?: string }).decision !== "continue") throw new Error("a wrong answer");
    const told = { jsonrpc: "2.0", method: "extension/event", params: { event, payload: PAYLOAD }, _meta: META };
    floor.write(`${JSON.stringify(told)}\n`);
  });
  await floor.stop();
  return micros;
}

async function microsATurn(ask: (point: (typeof POINTS)[number]) => Promise<void>): Promise<number> {
  const started = performance.now();
  for (let turn = 0; turn < TURNS; turn++) for (const point of POINTS) await ask(point);
  return ((performance.now() - started) * 1_000) / TURNS;
}
