/** Calls in both directions and observations, with real sidecars. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { fastClock } from "./support/fake-clock.ts";
import { ruleOnce, setStage, until, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

const bash = { name: "bash", arguments: '{"command":"ls"}' } as const;
const at = (point: string, ...steps: readonly object[]) => ({ on: { [point]: steps } });

test("[I2] a session's start is told before the first intercept that follows it", async () => {
  const host = await stage.host([stage.spec("a", { intercepts: ["session.start", "input.receive"] })]);
  await ruleOnce(host, "session.start", { phase: "start" });
  await ruleOnce(host, "input.receive", { text: "x" });
  const points = (await stage.log("a")).filter(({ params }) => eventOf(params) !== undefined);
  expect(points.slice(0, 3).map(({ method, params }) => [method, eventOf(params)])).toEqual([
    ["extension/intercept", "session.start"],
    ["extension/event", "session.start"],
    ["extension/intercept", "input.receive"],
  ]);
});

test("[I14] while a sidecar waits for a person its intercept's clock stands still", async () => {
  const script = at("tool.before", { do: "askThenAnswer", decision: "block" });
  const spec = stage.spec(
    "asker",
    { intercepts: ["tool.before"], timeoutMillis: 1_000, capabilities: ["interceptors", "ui"] },
    script,
  );
  const host = await stage.host(
    [spec],
    {},
    {
      ui: {
        show: () => {},
        // The person takes far longer than the budget.
        ask: () =>
          new Promise((resolve) => {
            setTimeout(() => resolve({ kind: "answered", values: { answer: true } }), 1_600);
          }),
      },
    },
  );
  expect(await ruleOnce(host, "tool.before", bash)).toMatchObject({ kind: "blocked", plugin: "asker" });
});

test.each([
  [
    "host/ui/request",
    { sessionId: "session-1", generation: 1, surfaceId: "q", kind: "confirm", payload: {} },
    ["interceptors"],
    "capability_not_declared",
  ],
  [
    "host/ui/publish",
    { sessionId: "session-1", generation: 1, surfaceId: "q", kind: "panel", payload: {} },
    ["interceptors", "ui"],
    "invalid_params",
  ],
  ["host/browser/tab/list", {}, ["interceptors"], "browser_unavailable"],
  ["host/no/such", {}, ["interceptors"], "unknown_method"],
] as const)(
  "[T5] [L3] %s is answered with its reason and the connection lives",
  async (method, params, capabilities, reason) => {
    const script = at("input.receive", { do: "callHost", method, params });
    const host = await stage.host([stage.spec("caller", { intercepts: ["input.receive"], capabilities }, script)]);
    expect(await ruleOnce(host, "input.receive", { text: "x" })).toMatchObject({ kind: "proceed" });
    const reply = (await stage.log("caller")).find((entry) => entry["hostReply"] !== undefined);
    expect(reply).toMatchObject({ hostReply: { data: { reason } } });
    expect(host.diagnostics().plugins).toMatchObject([{ state: "ready" }]);
  },
);

test("[I3] a deaf observer costs dropped observations and one warning, and delays nobody", async () => {
  const script = at("frontend.event", { do: "errorThenDeaf" });
  const host = await stage.host(
    [
      stage.spec("deaf", { intercepts: ["frontend.event"] }, script),
      stage.spec("keen", { intercepts: ["input.receive"] }),
    ],
    { clock: fastClock(5) },
  );
  const lease = host.lease();
  const event = { kind: "text", text: "x".repeat(4_000) };
  for (let turn = 0; turn < 1_500; turn++)
    expect(await lease.rule("frontend.event", event, {})).toMatchObject({ kind: "proceed" });
  expect(await lease.rule("input.receive", { text: "x" }, {})).toMatchObject({ kind: "proceed" });
  lease.release();
  expect(stage.notices.map(({ code, plugin }) => [code, plugin])).toEqual([["observation_dropped", "deaf"]]);
  expect(host.diagnostics().plugins[0]?.observationsDropped).toBeGreaterThan(500);
  expect(await stage.frames("deaf", "extension/intercept")).toHaveLength(1);
});

test("[T1] [case T-08] an answer that comes too late is applied to no other call", async () => {
  const script = at("input.receive", { do: "keep" }, { do: "answerKeptToo", text: " late" });
  const host = await stage.host([stage.spec("late", { intercepts: ["input.receive"], timeoutMillis: 1_000 }, script)]);
  expect(await ruleOnce(host, "input.receive", { text: "one" })).toMatchObject({ payload: { text: "one" } });
  expect(await ruleOnce(host, "input.receive", { text: "two" })).toMatchObject({ payload: { text: "two" } });
  expect(stage.receipts.map(({ outcome }) => outcome)).toEqual(["timeout", "continue"]);
  expect(host.diagnostics().plugins).toMatchObject([{ state: "ready" }]);
});

test("[I2] the caller's abort rejects with its own reason and leaves the sidecar alone", async () => {
  const script = at("input.receive", { do: "hang" }, { do: "tag", text: "!" });
  const host = await stage.host([stage.spec("slow", { intercepts: ["input.receive"] }, script)]);
  const controller = new AbortController();
  const ruling = ruleOnce(host, "input.receive", { text: "x" }, { signal: controller.signal });
  await until(async () => (await stage.frames("slow", "extension/intercept")).length === 1);
  controller.abort(new Error("the user pressed escape"));
  await expect(ruling).rejects.toThrow("the user pressed escape");
  expect(await ruleOnce(host, "input.receive", { text: "y" })).toMatchObject({ payload: { text: "y!" } });
});

test("[I14] [case I-08] five thousand fast intercepts leave no timer and no pending call", async () => {
  const host = await stage.host([stage.spec("fast", { intercepts: ["input.receive"] })]);
  const lease = host.lease();
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  for (let turn = 0; turn < 5_000; turn++) await lease.rule("input.receive", { text: "x" }, {});
  lease.release();
  expect(timers()).toBeLessThanOrEqual(before);
});

function eventOf(params: unknown): unknown {
  return (params as { readonly event?: unknown } | undefined)?.event;
}
