/** A clock that moves only when told. */
import type { HostClock } from "../../src/index.ts";

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
