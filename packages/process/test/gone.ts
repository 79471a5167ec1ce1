/** Waiting for facts about processes, for tests. */
import { setTimeout as delay } from "node:timers/promises";
import type { Readable } from "node:stream";
import { processIsAlive } from "../src/index.ts";

/** Waits until the condition holds; fails after 20 s with what was waited for. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Waited 20 s for: ${what}`);
    await delay(5);
  }
}

/** Waits until none of the processes runs. */
export async function allGone(pids: readonly number[]): Promise<void> {
  await until(`end of ${pids.join(", ")}`, () => pids.every((pid) => !processIsAlive(pid)));
}

/** Reads one line of numbers, which a test program prints about its own processes. */
export async function readPids(stream: Readable): Promise<readonly number[]> {
  let text = "";
  const line = await new Promise<string>((resolve, reject) => {
    stream.on("data", (piece: Buffer) => {
      text += piece.toString();
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
    stream.once("end", () => reject(new Error(`No line of pids, only ${JSON.stringify(text)}`)));
  });
  return line.trim().split(" ").map(Number);
}
