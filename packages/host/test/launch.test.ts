/** The fair launch on a clock that moves only when told. */
import { expect, test } from "vitest";
import { fairShare, launchAll, type LaunchOptions } from "../src/generation/launch.ts";
import { fakeClock } from "./support/fake-clock.ts";

interface Job {
  readonly name: string;
  /** Milliseconds until it is ready, or how it goes wrong. */
  readonly takes: number | "stalls" | "fails";
  readonly vital?: boolean;
}

function stage(clock = fakeClock()) {
  const started: { name: string; at: number }[] = [];
  let running = 0;
  let most = 0;
  const options: Omit<LaunchOptions<Job, string>, "signal"> = {
    atOnce: 4,
    budgetMillis: 30_000,
    clock,
    vital: (job) => job.vital === true,
    evicted: (job, millis) => new Error(`${job.name} evicted after ${millis}`),
    abandoned: (job) => new Error(`${job.name} abandoned`),
    start: (job, { deadline, signal }) => {
      started.push({ name: job.name, at: clock.now() });
      running += 1;
      most = Math.max(most, running);
      return new Promise<string>((resolve, reject) => {
        const end = (settle: () => void) => () => {
          running -= 1;
          settle();
        };
        if (job.takes === "fails") end(() => reject(new Error(`${job.name} failed`)))();
        else if (job.takes !== "stalls")
          clock.after(
            job.takes,
            end(() => resolve(job.name)),
          );
        else {
          deadline.onExpired(end(() => reject(new Error(`${job.name} timed out`))));
          signal.addEventListener(
            "abort",
            end(() => reject(signal.reason)),
            { once: true },
          );
        }
      });
    },
  };
  return { clock, started, options, most: () => most };
}

/** Lets promises settle, moves on, and so on, until the budget is spent. */
async function run(clock: ReturnType<typeof fakeClock>, millis = 30_000, step = 500): Promise<void> {
  for (let spent = 0; spent <= millis; spent += step) {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    clock.advance(step);
  }
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

const signal = () => new AbortController().signal;
const texts = (results: Awaited<ReturnType<typeof launchAll<Job, string>>>) =>
  results.map((result) => (result.ok ? result.value : String(result.error)));

test("[L2] eight that take 2 s each start in two waves of four", async () => {
  const { clock, started, options, most } = stage();
  const jobs = Array.from({ length: 8 }, (_, index): Job => ({ name: `s${index}`, takes: 2_000 }));
  const launched = launchAll(jobs, { ...options, signal: signal() });
  await run(clock);
  expect(texts(await launched)).toEqual(["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"]);
  expect(started.map(({ at }) => at)).toEqual([0, 0, 0, 0, 2_000, 2_000, 2_000, 2_000]);
  expect(most()).toBe(4);
});

test("[K2] one that stalls keeps its place to the end of the budget when nobody waits for it", async () => {
  const { clock, options } = stage();
  const jobs: Job[] = [
    { name: "stall", takes: "stalls" },
    { name: "good", takes: 100 },
  ];
  const launched = launchAll(jobs, { ...options, signal: signal() });
  await run(clock);
  expect(texts(await launched)).toEqual(["Error: stall timed out", "good"]);
});

test("[K2] [L2] four that stall cannot starve a fifth: one makes room at half the budget", async () => {
  const { clock, started, options } = stage();
  const stalled = ["a", "b", "c", "d"].map((name): Job => ({ name, takes: "stalls" }));
  const launched = launchAll([...stalled, { name: "good", takes: 100 }], { ...options, signal: signal() });
  await run(clock);
  expect(texts(await launched)).toEqual([
    "Error: a evicted after 15000",
    "Error: b timed out",
    "Error: c timed out",
    "Error: d timed out",
    "good",
  ]);
  expect(started.at(-1)).toEqual({ name: "good", at: 15_000 });
  expect(clock.timers).toBe(0);
});

test("[L2] when a vital one fails the rest is given up and the queue is not started", async () => {
  const { clock, started, options } = stage();
  const jobs: Job[] = [
    { name: "vital", takes: "fails", vital: true },
    ...["a", "b", "c", "d", "e"].map((name): Job => ({ name, takes: "stalls" })),
  ];
  const launched = launchAll(jobs, { ...options, signal: signal() });
  await run(clock, 1_000);
  expect(texts(await launched)).toEqual([
    "Error: vital failed",
    "Error: a abandoned",
    "Error: b abandoned",
    "Error: c abandoned",
    "Error: d abandoned",
    "Error: e abandoned",
  ]);
  expect(started.map(({ name }) => name)).toEqual(["vital", "a", "b", "c"]);
});

test("[L2] a launch that nobody wants any more ends at once", async () => {
  const { clock, options } = stage();
  const controller = new AbortController();
  const launched = launchAll<Job, string>([{ name: "a", takes: "stalls" }], { ...options, signal: controller.signal });
  await run(clock, 500);
  controller.abort(new Error("stopped"));
  expect(texts(await launched)).toEqual(["Error: a abandoned"]);
});

test.each([
  [30_000, 1, 30_000],
  [30_000, 4, 30_000],
  [30_000, 5, 15_000],
  [15_000, 9, 5_000],
])("[L2] with %i ms left and %i unfinished a start may take %i ms while others wait", (left, unfinished, share) => {
  expect(fairShare(left, unfinished, 4)).toBe(share);
});
