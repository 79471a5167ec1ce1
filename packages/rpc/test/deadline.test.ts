/** Deadlines on a clock that can be held. */
import { describe, expect, it } from "vitest";
import { createDeadline } from "../src/index.ts";
import { manualClock } from "./manual-clock.ts";

describe("a deadline", () => {
  it("[I14] expires once, after its span", () => {
    const clock = manualClock();
    const deadline = createDeadline(5_000, clock);
    let fired = 0;
    deadline.onExpired(() => (fired += 1));
    clock.advance(4_999);
    expect([fired, deadline.expired, deadline.remaining()]).toEqual([0, false, 1]);
    clock.advance(1);
    clock.advance(60_000);
    expect([fired, deadline.expired, deadline.remaining()]).toEqual([1, true, 0]);
  });

  it("[I14] stands still while held, until the last hold is released", () => {
    const clock = manualClock();
    const deadline = createDeadline(5_000, clock);
    let fired = 0;
    deadline.onExpired(() => (fired += 1));
    clock.advance(1_000);
    const first = deadline.hold();
    const second = deadline.hold();
    clock.advance(600_000);
    first();
    first();
    clock.advance(600_000);
    expect([fired, deadline.remaining(), clock.timers]).toEqual([0, 4_000, 0]);
    second();
    clock.advance(3_999);
    expect(fired).toBe(0);
    clock.advance(1);
    expect(fired).toBe(1);
  });

  it("[case I-08] runs a timer only while somebody listens", () => {
    const clock = manualClock();
    const deadline = createDeadline(5_000, clock);
    expect(clock.timers).toBe(0);
    const first = deadline.onExpired(() => {});
    const second = deadline.onExpired(() => {});
    expect(clock.timers).toBe(1);
    first();
    expect(clock.timers).toBe(1);
    second();
    expect(clock.timers).toBe(0);
  });

  it("[L2] bounds many waits at once, and tells latecomers at once", () => {
    const clock = manualClock();
    const deadline = createDeadline(30_000, clock);
    const told: string[] = [];
    deadline.onExpired(() => told.push("a"));
    deadline.onExpired(() => told.push("b"));
    clock.advance(30_000);
    deadline.onExpired(() => told.push("late"));
    expect(told).toEqual(["a", "b", "late"]);
  });

  it("[I14] without end sets no timer", () => {
    const clock = manualClock();
    createDeadline(Number.POSITIVE_INFINITY, clock).onExpired(() => {});
    expect(clock.timers).toBe(0);
  });
});
