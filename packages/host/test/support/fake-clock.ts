/** Clocks for tests: one that moves only when told, one that runs fast. */
import { systemHostClock, type HostClock } from "../../src/index.ts";

export interface FakeClock extends HostClock {
  /** Moves on and runs what has become due, in order. */
  advance(millis: number): void;
  readonly timers: number;
}

export function fakeClock(): FakeClock {
  let now = 0;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    now: () => now,
    wall: () => 1_700_000_000_000 + now,
    after(millis, run) {
      const timer = { at: now + millis, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(millis) {
      const end = now + millis;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).toSorted((left, right) => left.at - right.at);
        if (next === undefined) break;
        timers.delete(next);
        now = next.at;
        next.run();
      }
      now = end;
    },
    get timers() {
      return timers.size;
    },
  };
}

/** The system's clock, so many times as fast: a budget of 30 s is over sooner, in the same order of things. */
export function fastClock(times: number): HostClock {
  return {
    now: () => systemHostClock.now() * times,
    wall: () => systemHostClock.wall(),
    after: (millis, run) => systemHostClock.after(millis / times, run),
  };
}
