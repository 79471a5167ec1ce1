/** A clock that moves when told to. */
import type { Clock } from "../src/index.ts";

export interface ManualClock extends Clock {
  /** Moves on, running what falls due, in order. */
  advance(millis: number): void;
  /** Timers that are set and not run or cancelled. */
  readonly timers: number;
}

export function manualClock(): ManualClock {
  const due = new Map<object, { readonly at: number; readonly run: () => void }>();
  let now = 0;
  const next = (until: number) => [...due].filter(([, { at }]) => at <= until).toSorted((a, b) => a[1].at - b[1].at)[0];
  return {
    now: () => now,
    after: (millis, run) => {
      const key = {};
      due.set(key, { at: now + millis, run });
      return () => {
        due.delete(key);
      };
    },
    advance: (millis) => {
      const until = now + millis;
      for (let entry = next(until); entry !== undefined; entry = next(until)) {
        due.delete(entry[0]);
        now = entry[1].at;
        entry[1].run();
      }
      now = until;
    },
    get timers() {
      return due.size;
    },
  };
}
