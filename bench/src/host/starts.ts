/** Eight sidecars started and ready against eight processes that do nothing at all, four at a time on both sides. */
import { spawn } from "node:child_process";
import { rowOf, type Round, type Row } from "../measure/rows.ts";
import type { Effort } from "./effort.ts";
import { benchSpec, startHost } from "./ours.ts";

const SIDECARS = 8;

export async function measureStarts(effort: Effort): Promise<readonly Row[]> {
  const row = `${SIDECARS} sidecars started`;
  if (!effort.wants(row)) return [];
  const runs: Round[][] = [];
  for (let run = 0; run < effort.runs; run++) {
    const rounds: Round[] = [];
    for (let round = -1; round < Math.ceil(effort.rounds / 8); round++) {
      const pair = { ours: await startSidecars(), theirs: await startNothings() };
      if (round >= 0) rounds.push(pair);
    }
    runs.push(rounds);
  }
  return [rowOf({ row, against: `${SIDECARS} times node -e 0`, unit: "ms", atMost: 1.6 }, runs)];
}

/** The child's whole program is one file that parses quickly, as a sidecar's should be. */
async function startSidecars(): Promise<number> {
  const specs = Array.from({ length: SIDECARS }, (_, index) => benchSpec(`p${index}`, {}));
  const started = performance.now();
  const host = await startHost(specs);
  const millis = performance.now() - started;
  await host.stop();
  return millis;
}

async function startNothings(): Promise<number> {
  let left = SIDECARS;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      await new Promise((resolve) => spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }).once("exit", resolve));
    }
  };
  const started = performance.now();
  await Promise.all([work(), work(), work(), work()]);
  return performance.now() - started;
}
