/** The observation lane and the write stall, against a reader that does not read. */
import { describe, expect, it } from "vitest";
import { createPair, type Saturation, type Stall } from "../src/index.ts";
import { manualClock } from "./manual-clock.ts";

function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describe("the observation lane", () => {
  it("[I3] lets calls pass while the reader sleeps, and keeps their order", async () => {
    const heard: string[] = [];
    const { left, right, link } = createPair({}, { trace: (way, frame) => way === "in" && heard.push(frame) });
    right.onRequest("call", () => ({}));
    const release = link.hold("left");
    left.notify("first");
    for (let index = 0; index < 3; index += 1) left.observe("event", { index });
    const call = left.request("call");
    left.notify("last");
    await settled();
    expect(left.observations).toEqual({ queuedFrames: 3, queuedBytes: 168, dropped: 0 });
    release();
    await call;
    await left.flushed();
    expect(heard.map((frame) => JSON.parse(frame).method)).toEqual([
      "first",
      "call",
      "last",
      "event",
      "event",
      "event",
    ]);
  });

  it("[I3] is written before the next call when the pipe is empty, in one piece with it", async () => {
    const heard: string[] = [];
    const { left, right, link } = createPair({}, { trace: (way, frame) => way === "in" && heard.push(frame) });
    right.onRequest("intercept", () => ({}));
    let pieces = 0;
    link.garble("left", (bytes) => {
      pieces += 1;
      return bytes;
    });
    left.observe("session.start");
    left.observe("input.receive");
    await left.request("intercept");
    expect(heard.map((frame) => JSON.parse(frame).method)).toEqual(["session.start", "input.receive", "intercept"]);
    expect(pieces).toBe(1);
  });

  it("[I3] drops the newest when full, counts it, and warns once a burst", async () => {
    const bursts: Saturation[] = [];
    const heard: number[] = [];
    const { left, right, link } = createPair({ observations: { frames: 4 }, saturated: (burst) => bursts.push(burst) });
    right.onNotification("event", ({ index }) => void heard.push(Number(index)));
    for (let burst = 0; burst < 2; burst += 1) {
      const release = link.hold("left");
      left.notify("busy");
      const taken = Array.from({ length: 7 }, (_, index) => left.observe("event", { index: burst * 10 + index }));
      expect(taken).toEqual([true, true, true, true, false, false, false]);
      release();
      await left.flushed();
      await settled();
    }
    expect(heard).toEqual([0, 1, 2, 3, 10, 11, 12, 13]);
    expect(bursts.map(({ method, queuedFrames, dropped }) => [method, queuedFrames, dropped])).toEqual([
      ["event", 4, 1],
      ["event", 4, 4],
    ]);
    expect(left.observations).toEqual({ queuedFrames: 0, queuedBytes: 0, dropped: 6 });
  });

  it("[I3] is bounded in bytes, and drops a frame over the frame limit", async () => {
    const { left, link } = createPair({ frameLimit: 1_000, observations: { bytes: 500 } });
    link.hold("left");
    left.notify("busy");
    const text = "é".repeat(100);
    const taken = Array.from({ length: 3 }, () => left.observe("event", { text }));
    expect(taken).toEqual([true, false, false]);
    expect(left.observations.queuedBytes).toBe(256);
    expect(left.observe("event", { text: "x".repeat(1_000) })).toBe(false);
    expect(left.observations).toEqual({ queuedFrames: 1, queuedBytes: 256, dropped: 3 });
  });

  it("[I3] hands the pipe at most 64 KiB at a time", async () => {
    const pieces: number[] = [];
    const { left, link } = createPair();
    link.garble("left", (bytes) => {
      pieces.push(bytes.length);
      return bytes;
    });
    for (let index = 0; index < 100; index += 1) left.observe("event", { text: "x".repeat(10_000) });
    await left.flushed();
    expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(100 * 10_056);
    expect(Math.max(...pieces)).toBe(6 * 10_056);
  });

  it("[L6] is forgotten on close", async () => {
    const { left, link } = createPair();
    link.hold("left");
    left.notify("busy");
    left.observe("event");
    left.close();
    expect(left.observations).toEqual({ queuedFrames: 0, queuedBytes: 0, dropped: 1 });
    await left.flushed();
  });
});

describe("a write stall", () => {
  it("[T1] is told after 10 s in which a waiting call made no progress, and again while it lasts", async () => {
    const clock = manualClock();
    const stalls: Stall[] = [];
    const { left, link } = createPair({ clock, stalled: (stall) => stalls.push(stall) });
    const release = link.hold("left");
    const call = left.request("m");
    call.catch(() => {});
    clock.advance(9_999);
    expect(stalls).toEqual([]);
    clock.advance(1);
    expect(stalls).toEqual([{ millis: 10_000 }]);
    clock.advance(10_000);
    expect(stalls.length).toBe(2);
    release();
    await left.flushed();
    clock.advance(60_000);
    expect([stalls.length, clock.timers]).toEqual([2, 0]);
  });

  it("[T1] is not slow progress, and not an observation that waits", async () => {
    const clock = manualClock();
    const stalls: Stall[] = [];
    const { left, link } = createPair({ clock, stalled: (stall) => stalls.push(stall) });
    let release = link.hold("left");
    left.observe("event");
    await settled();
    clock.advance(60_000);
    expect(clock.timers).toBe(0);
    link.split("left", 10);
    left.notify("m");
    for (let step = 0; step < 3; step += 1) {
      clock.advance(9_000);
      let passed = 0;
      link.garble("left", (bytes) => {
        if ((passed += 1) === 1) release = link.hold("left");
        return bytes;
      });
      release();
      await settled();
      clock.advance(1_000);
    }
    expect(stalls).toEqual([]);
    left.close();
    expect(clock.timers).toBe(0);
  });
});
