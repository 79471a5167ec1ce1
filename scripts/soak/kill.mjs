/** A host that is killed without warning: its sidecars end by themselves, because their input ends. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isAlive } from "./host.mjs";

const VICTIM = fileURLToPath(new URL("./victim.mjs", import.meta.url));
const BOUND_MILLIS = 2_000;

export async function soakKill(times) {
  const waits = [];
  for (let time = 0; time < times; time++) waits.push(await killOnce());
  const slowest = Math.max(...waits);
  return [
    {
      what: `sidecars of a host killed with SIGKILL, ${times} times`,
      found: Number.isFinite(slowest) ? `gone after at most ${Math.round(slowest)} ms` : "still alive",
      wanted: `within ${BOUND_MILLIS} ms`,
      good: slowest <= BOUND_MILLIS,
    },
  ];
}

/** Milliseconds from the kill until no sidecar is alive; infinite when that takes too long. */
async function killOnce() {
  const victim = spawn(process.execPath, [VICTIM], { stdio: ["ignore", "pipe", "inherit"] });
  const pids = await new Promise((resolve, reject) => {
    let text = "";
    victim.stdout.on("data", (piece) => {
      text += piece;
      if (text.endsWith("\n")) resolve(JSON.parse(text));
    });
    victim.once("exit", () => reject(new Error("the host that was to be killed ended by itself")));
  });
  victim.removeAllListeners("exit");
  const started = performance.now();
  victim.kill("SIGKILL");
  while (pids.some(isAlive)) {
    if (performance.now() - started > 5 * BOUND_MILLIS) {
      for (const pid of pids.filter(isAlive)) process.kill(pid, "SIGKILL");
      return Number.POSITIVE_INFINITY;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return performance.now() - started;
}
