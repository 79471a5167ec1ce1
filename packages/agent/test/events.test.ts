import { describe, expect, it } from "vitest";
import type { AgentEvent } from "@reasonix-ts/events";
import { Events } from "../src/events.ts";
import type { Clock } from "../src/index.ts";
import { blocked, failed, replaced, tableExtensions } from "./support.ts";

/** A clock whose sleeps end when the test says so, or when they are cut short. */
function heldClock(): Clock & { readonly sleeps: number[]; readonly wake: () => void } {
  const sleeps: number[] = [];
  const sleepers = new Set<() => void>();
  return {
    sleeps,
    wake() {
      for (const wake of sleepers) wake();
      sleepers.clear();
    },
    now: () => 0,
    sleep: (millis, { signal }) =>
      new Promise((resolve, reject) => {
        sleeps.push(millis);
        sleepers.add(resolve);
        signal?.addEventListener("abort", () => reject(new Error("cut short")), { once: true });
      }),
  };
}

function setUp(extensions: ReturnType<typeof tableExtensions> | null) {
  const seen: AgentEvent[] = [];
  const clock = heldClock();
  const events = new Events({ emit: (event) => seen.push(event), clock, sessionId: () => "s1" });
  events.bind(extensions?.lease() ?? null);
  return { seen, clock, events };
}

describe("events on their way to the frontend", () => {
  it("[K1] go straight on where nobody wants frontend.event", () => {
    const { seen, events, clock } = setUp(tableExtensions({}));
    events.emit({ kind: "text", text: "a" });
    events.emit({ kind: "text", text: "b" });
    expect(seen).toEqual([
      { kind: "text", text: "a" },
      { kind: "text", text: "b" },
    ]);
    expect(clock.sleeps).toEqual([]);
  });

  it("[I1] join pieces of text for 50 ms before they pass as one", async () => {
    const extensions = tableExtensions({}, { wants: ["frontend.event"] });
    const { seen, events, clock } = setUp(extensions);
    for (const text of ["a", "b", "c"]) events.emit({ kind: "text", text });
    expect(seen).toEqual([]);
    expect(clock.sleeps).toEqual([50]);
    clock.wake();
    await events.drain();
    expect(seen).toEqual([{ kind: "text", text: "abc" }]);
    expect(extensions.asked.map(({ payload }) => payload)).toEqual([{ kind: "text", text: "abc" }]);
  });

  it("cut the gathering short for anything else, and keep the order", async () => {
    const { seen, events } = setUp(tableExtensions({}, { wants: ["frontend.event"] }));
    events.emit({ kind: "reasoning", text: "hm" });
    events.emit({ kind: "text", text: "a" });
    events.emit({ kind: "notice", severity: "info", text: "n" });
    events.emit({ kind: "text", text: "b" });
    await events.drain();
    expect(seen.map((event) => event.kind)).toEqual(["reasoning", "text", "notice", "text"]);
  });

  it("join what a tool writes while an extension is asked", async () => {
    const { seen, events } = setUp(tableExtensions({}, { wants: ["frontend.event"] }));
    const progress = (callId: string, text: string) => ({ kind: "tool_progress", callId, name: "bash", text }) as const;
    events.emit({ kind: "message", text: "first" });
    for (const event of [progress("1", "a"), progress("1", "b"), progress("2", "c")]) events.emit(event);
    await events.drain();
    expect(seen.slice(1)).toEqual([progress("1", "ab"), progress("2", "c")]);
  });

  it("never ask about prompts, surfaces and notices", async () => {
    const extensions = tableExtensions({ "frontend.event": () => blocked("hide all") });
    const { seen, events } = setUp(extensions);
    events.emit({ kind: "notice", severity: "warn", text: "seen" });
    events.emit({ kind: "prompt_answered", id: "1", cancelled: false });
    events.emit({ kind: "message", text: "hidden" });
    await events.drain();
    expect(seen.map((event) => event.kind)).toEqual(["notice", "prompt_answered"]);
    expect(extensions.asked).toHaveLength(1);
  });

  it("[I7] change in text and detail alone", async () => {
    const extensions = tableExtensions({
      "frontend.event": ({ kind }) => replaced<"frontend.event">({ kind, text: "changed", detail: "more" }),
    });
    const { seen, events } = setUp(extensions);
    events.emit({ kind: "tool_result", callId: "1", name: "bash", text: "x", isError: false, elapsedMillis: 1 });
    await events.drain();
    expect(seen).toEqual([
      {
        kind: "tool_result",
        callId: "1",
        name: "bash",
        text: "changed",
        detail: "more",
        isError: false,
        elapsedMillis: 1,
      },
    ]);
  });

  it("are lost one by one where an owner fails, which is told once a turn", async () => {
    const { seen, events } = setUp(tableExtensions({ "frontend.event": () => failed("painter died", "painter") }));
    events.emit({ kind: "message", text: "a" });
    events.emit({ kind: "message", text: "b" });
    await events.drain();
    expect(seen).toEqual([{ kind: "notice", severity: "error", text: "painter died", plugin: "painter" }]);
  });
});
