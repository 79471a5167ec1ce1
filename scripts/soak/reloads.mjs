/** Reload after reload under load: nothing of an old generation may be left, and nothing that was asked may fail. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { bootHost, isAlive, NAMES, pidsOf, specs } from "./host.mjs";

const MIB = 1_048_576;
/** Reloads before the base is taken: code is compiled and caches are filled by then. */
const WARM_UP = 20;

export async function soakReloads(reloads) {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc");
  const notices = [];
  // What is written to is open before anything is counted.
  console.log(`     ${reloads} reloads of ${NAMES.length} sidecars`);
  const idle = census();
  const { host, surfaces } = await bootHost((notice) => notices.push(notice.text));
  const load = startLoad(host);
  const pids = new Set(pidsOf(host));
  const failed = [];
  let base = null;
  for (let reload = 1; reload <= WARM_UP + reloads; reload++) {
    const result = await host.reload({ specs });
    if (result.kind !== "done") failed.push(JSON.stringify(result));
    for (const pid of pidsOf(host)) pids.add(pid);
    if (reload === WARM_UP) {
      collectGarbage();
      base = process.memoryUsage();
    }
    if (reload % 100 === 0) console.log(`     ${reload} reloads, ${load.calls()} calls, ${load.chunks()} chunks`);
  }
  await load.stop();
  await until(() => host.diagnostics().retiring.length === 0, 15_000);
  const retiring = host.diagnostics().retiring.length;
  collectGarbage();
  const grown = (process.memoryUsage().heapUsed - base.heapUsed) / MIB;
  await host.stop();
  // Pipes that were closed are let go in the next turns of the loop; this wait itself holds a timer.
  await until(() => [...census(idle).keys()].every((name) => name === "Timeout"), 5_000);
  const more = census(idle);
  const left = [...pids].filter(isAlive);
  return [
    finding("reloads that failed", failed.length, "none", failed.length === 0),
    finding(
      "notices of trouble",
      notices.length === 0 ? 0 : notices.slice(0, 3).join(" | "),
      "none",
      notices.length === 0,
    ),
    finding(
      "calls under load",
      `${load.calls()}, ${load.errors.length} failed ${load.errors.slice(0, 2).join(" | ")}`,
      "all good",
      load.calls() > reloads && load.errors.length === 0,
    ),
    finding("chunks streamed meanwhile", load.chunks(), "some", load.chunks() > reloads),
    finding("surfaces shown", surfaces(), "some", surfaces() > 0),
    finding("generations still retiring", retiring, "0", retiring === 0),
    finding("processes alive", `${left.length} of ${pids.size}`, "0", left.length === 0),
    finding("handles and listeners left", inWords(more), "nothing", more.size === 0),
    finding("heap grown", `${grown.toFixed(1)} MiB`, "under 16 MiB", grown < 16),
  ];
}

/** Rules on a point and reads streams all the time, each turn on a lease of its own. */
function startLoad(host) {
  let calls = 0;
  let chunks = 0;
  let wanted = true;
  const errors = [];
  const turn = async () => {
    const lease = host.lease();
    try {
      for (let index = 0; index < 20 && wanted; index++) {
        const ruling = await lease.rule("tool.before", { name: "bash", arguments: "{}" }, { callId: `c${index}` });
        if (ruling.kind !== "proceed") errors.push(JSON.stringify(ruling));
        calls += 1;
      }
      const ref = `plugin/${NAMES[calls % NAMES.length]}/soak/model`;
      for await (const batch of lease.stream(ref, { messages: [], tools: [], maxTokens: 0 }, {}))
        chunks += batch.length;
    } catch (error) {
      errors.push(String(error));
    } finally {
      lease.release();
    }
  };
  const work = async () => {
    while (wanted) {
      await turn();
      // The starts of the next generation need the processor too.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const workers = [work(), work(), work()];
  return {
    errors,
    calls: () => calls,
    chunks: () => chunks,
    stop: async () => {
      wanted = false;
      await Promise.all(workers);
    },
  };
}

/** What keeps the process busy and who listens to it, more than when it was idle; `nothing` when that is all. */
function census(idle = new Map()) {
  const counts = new Map();
  const add = (name, count) => counts.set(name, (counts.get(name) ?? 0) + count);
  for (const resource of process.getActiveResourcesInfo()) add(resource, 1);
  for (const name of process.eventNames()) add(`listeners of ${String(name)}`, process.listenerCount(name));
  return new Map(
    [...counts].map(([name, count]) => [name, count - (idle.get(name) ?? 0)]).filter(([, more]) => more > 0),
  );
}

function inWords(counts) {
  return counts.size === 0 ? "nothing" : [...counts].map(([name, count]) => `${count} ${name}`).join(", ");
}

async function until(condition, millis) {
  const end = performance.now() + millis;
  while (!condition() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
}

function finding(what, found, wanted, good) {
  return { what, found, wanted, good };
}
