/** What goes wrong in a chain and what then happens, with real sidecars. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemHostClock, type HostPorts } from "../src/index.ts";
import { fastClock } from "./support/fake-clock.ts";
import { ruleOnce, setStage, until, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

const bash = { name: "bash", arguments: '{"command":"ls"}' } as const;
const denied = { name: "bash", arguments: '{"command":"rm x"}', hostDecision: "deny" } as const;
const at = (point: string, ...steps: readonly object[]) => ({ on: { [point]: steps } });

test("[I6] a block ends everything: later interceptors and the owner are not asked, subscribers are told", async () => {
  const reason = "no\u001b[31m way, token=abcdef123456";
  const host = await stage.host([
    stage.spec(
      "guard",
      { intercepts: ["tool.before"], priority: -1 },
      at("tool.before", { do: "rule", decision: "block", reason }),
    ),
    stage.spec("later", { intercepts: ["tool.before"], replaces: ["tool:bash"] }),
  ]);
  const ruling = await ruleOnce(host, "tool.before", bash);
  expect(ruling).toEqual({ kind: "blocked", plugin: "guard", reason: "no way, token=[redacted]" });
  await until(async () => (await stage.frames("later", "extension/event")).length === 1);
  expect(await stage.frames("later", "extension/intercept")).toEqual([]);
});

test.each([
  ["a decision outside the table", { decision: "blok" }],
  ["a deny at tool.before", { decision: "deny" }],
  ["an allow at tool.before", { decision: "allow" }],
  ["no decision", {}],
  ["a replace without replacement", { decision: "replace" }],
])("[I8] [case I-04] %s refuses the tool call", async (_name, result) => {
  const host = await stage.host([
    stage.spec("guard", { intercepts: ["tool.before"] }, at("tool.before", { do: "reply", result })),
  ]);
  const ruling = await ruleOnce(host, "tool.before", bash);
  expect(ruling).toMatchObject({ kind: "failed", plugin: "guard", reason: "protocol_error" });
  expect(ruling.kind === "failed" ? ruling.message : "").toMatch(
    /Plugin "guard" at tool\.before: its answer was not understood.*never means yes/,
  );
});

test("[I7] [case I-05] a refused replacement leaves the payload alone; the plugin is warned about once", async () => {
  const extra = { do: "set", members: { foo: 1 } };
  const host = await stage.host([stage.spec("sloppy", { intercepts: ["input.receive"] }, at("input.receive", extra))]);
  for (let turn = 0; turn < 2; turn++) {
    expect(await ruleOnce(host, "input.receive", { text: "x" })).toEqual({
      kind: "proceed",
      payload: { text: "x" },
      changedBy: [],
    });
  }
  expect(stage.notices).toHaveLength(1);
  expect(stage.notices[0]?.text).toContain('unknown field "foo" at /foo');
});

test("[I14] [I15] [case I-07] a slow observer is skipped with one warning, keeps running, and is benched after three", async () => {
  const hang = { do: "hang" };
  const script = at("input.receive", hang, hang, hang, hang);
  const host = await stage.host([stage.spec("slow", { intercepts: ["input.receive"], timeoutMillis: 40 }, script)]);
  for (let turn = 0; turn < 4; turn++) {
    expect(await ruleOnce(host, "input.receive", { text: "x" })).toMatchObject({ kind: "proceed" });
  }
  expect(await stage.frames("slow", "extension/intercept")).toHaveLength(3);
  expect(stage.notices.map(({ code }) => code)).toEqual(["interceptor_skipped", "interceptor_benched"]);
  expect(stage.notices[0]?.text).toMatch(/Plugin "slow" at input\.receive: no answer within its 40 ms/);
  const { benched, plugins } = host.diagnostics();
  expect(benched).toMatchObject([{ plugin: "slow", point: "input.receive", failures: 3 }]);
  expect(plugins).toMatchObject([{ state: "ready" }]);
});

test("[I15] [case I-07] a required plugin's timeout fails the operation", async () => {
  const script = at("input.receive", { do: "hang" });
  const host = await stage.host([
    stage.spec("slow", { required: true, intercepts: ["input.receive"], timeoutMillis: 40 }, script),
  ]);
  const ruling = await ruleOnce(host, "input.receive", { text: "x" });
  expect(ruling).toMatchObject({ kind: "failed", plugin: "slow", reason: "intercept_timeout" });
});

test("[I13] an owner's error fails the operation, and nobody observes it", async () => {
  const script = at("compaction.complete", { do: "error", message: "out of ideas" });
  const host = await stage.host([
    stage.spec("owner", { replaces: ["compaction"] }, script),
    stage.spec("watch", { intercepts: ["compaction.complete", "input.receive"] }),
  ]);
  const ruling = await ruleOnce(host, "compaction.complete", { summary: "s" });
  expect(ruling).toMatchObject({ kind: "failed", plugin: "owner", reason: "internal" });
  expect(ruling.kind === "failed" ? ruling.message : "").toMatch(/out of ideas.*owns the slot "compaction"/);
  await ruleOnce(host, "input.receive", { text: "x" });
  await until(async () => (await stage.frames("watch", "extension/event")).length > 0);
  const events = await stage.frames("watch", "extension/event");
  expect(events.map(({ params }) => params["event"])).toEqual(["input.receive"]);
});

test("[I15] an error reply at a point known as an event counts as continue, and events follow alone", async () => {
  const script = at("session.start", { do: "error" });
  const host = await stage.host([stage.spec("old", { required: true, intercepts: ["session.start"] }, script)]);
  for (let turn = 0; turn < 2; turn++) {
    expect(await ruleOnce(host, "session.start", { phase: "start" })).toMatchObject({ kind: "proceed" });
  }
  await until(async () => (await stage.frames("old", "extension/event")).length === 2);
  expect(await stage.frames("old", "extension/intercept")).toHaveLength(1);
  expect(stage.notices).toEqual([]);
});

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

const guardThenSilence = () =>
  stage.spec(
    "guard",
    { intercepts: ["tool.before"], timeoutMillis: 40 },
    at("tool.before", { do: "rule", decision: "block", reason: "no" }, { do: "hang" }),
  );

test.each<[string, HostPorts["askPerson"], string]>([
  ["nobody is there", null, "nobody was there to be asked"],
  ["the person says no", () => Promise.resolve(false), "the person asked refused the call"],
  [
    "the person cannot be asked",
    () => Promise.reject(new Error("window closed")),
    "could not be asked (window closed)",
  ],
])("[I15] a guard that has ruled falls silent: %s, and the call is refused", async (_name, askPerson, text) => {
  const host = await stage.host([guardThenSilence()], {}, { askPerson });
  expect(await ruleOnce(host, "tool.before", bash)).toMatchObject({ kind: "blocked" });
  const ruling = await ruleOnce(host, "tool.before", bash);
  expect(ruling).toMatchObject({ kind: "failed", plugin: "guard", reason: "intercept_timeout" });
  expect(ruling.kind === "failed" ? ruling.message : "").toContain(text);
});

test("[I15] a guard that has ruled falls silent: a person may let the call go on", async () => {
  const askPerson: HostPorts["askPerson"] = (question) => {
    stage.questions.push(question);
    return Promise.resolve(true);
  };
  const host = await stage.host([guardThenSilence()], {}, { askPerson });
  await ruleOnce(host, "tool.before", bash);
  expect(await ruleOnce(host, "tool.before", bash)).toMatchObject({ kind: "proceed" });
  expect(stage.questions).toMatchObject([
    { plugin: "guard", point: "tool.before", tool: "bash", arguments: '{"command":"ls"}' },
  ]);
});

test("[I8] [I9] [case I-10] an allow over a deny takes effect and is in the audit log", async () => {
  const decision = { do: "rule", decision: "allow", reason: "trusted" };
  const host = await stage.host(
    [stage.spec("lax", { intercepts: ["permission.decision"] }, at("permission.decision", decision))],
    { clock: { ...systemHostClock, wall: () => 0 } },
  );
  const scope = { callId: "c1", verdict: "deny by rule bash(rm*)" };
  const secret = { ...denied, arguments: '{"command":"rm x --token=abcdef123456"}' };
  const ruling = await ruleOnce(host, "permission.decision", secret, scope);
  expect(ruling).toMatchObject({
    kind: "proceed",
    permission: { decision: "allow", plugin: "lax", reason: "trusted", overruled: true },
  });
  expect(stage.audits).toEqual([
    {
      time: "1970-01-01T00:00:00.000Z",
      plugin: "lax",
      version: "1.0.0",
      generation: 1,
      tool: "bash",
      arguments: '{"command":"rm x --token=[redacted]"}',
      verdict: "deny by rule bash(rm*)",
      reason: "trusted",
      callId: "c1",
    },
  ]);
});

test("[I9] an override that cannot be recorded does not happen", async () => {
  const script = at("permission.decision", { do: "rule", decision: "allow" });
  const host = await stage.host(
    [stage.spec("lax", { intercepts: ["permission.decision"] }, script)],
    {},
    {
      audit: () => Promise.reject(new Error("disk full")),
    },
  );
  const ruling = await ruleOnce(host, "permission.decision", denied);
  expect(ruling).toMatchObject({ kind: "failed", plugin: "lax" });
  expect(ruling.kind === "failed" ? ruling.message : "").toContain("disk full");
});

test("[case I-10] a continue and a timeout leave a deny as it is", async () => {
  const script = at("permission.decision", { do: "continue" }, { do: "hang" });
  const host = await stage.host([
    stage.spec("mild", { intercepts: ["permission.decision"], timeoutMillis: 40 }, script),
  ]);
  for (let turn = 0; turn < 2; turn++) {
    const ruling = await ruleOnce(host, "permission.decision", denied);
    expect(ruling).toEqual({ kind: "proceed", payload: denied, changedBy: [] });
  }
  expect(stage.audits).toEqual([]);
});

test("[I8] [I12] [case I-10] a later deny wins over an allow, and the slot's owner has the last word over both", async () => {
  const rule = (decision: string) => at("permission.decision", { do: "rule", decision, reason: decision });
  const intercepts = ["permission.decision"] as const;
  const chain = [
    stage.spec("a", { intercepts }, rule("allow")),
    stage.spec("b", { intercepts }, rule("deny")),
    stage.spec("c", { intercepts }, rule("allow")),
  ];
  const host = await stage.host(chain);
  expect(await ruleOnce(host, "permission.decision", denied)).toMatchObject({
    permission: { decision: "deny", plugin: "b", overruled: false },
  });
  const seen = await stage.frames("b", "extension/intercept");
  expect(seen[0]?.params).toMatchObject({ payload: { hostDecision: "allow" } });
  expect(await stage.frames("c", "extension/intercept")).toEqual([]);
  const owner = stage.spec("owner", { replaces: ["permission"] }, rule("allow"));
  expect(await host.reload({ specs: [...chain, owner] })).toMatchObject({ kind: "done" });
  expect(await ruleOnce(host, "permission.decision", denied)).toMatchObject({
    permission: { decision: "allow", plugin: "owner", overruled: true },
  });
  expect(stage.audits).toMatchObject([{ plugin: "owner", generation: 2, verdict: "deny" }]);
});

test("[I10] [I12] the owners of a tool's old and new name both have a word, once each", async () => {
  const rename = at("tool.before", { do: "set", members: { name: "grep", arguments: '{"pattern":"x"}' } });
  const host = await stage.host([
    stage.spec("rename", { intercepts: ["tool.before"] }, rename),
    stage.spec("bash-owner", { replaces: ["tool:bash"] }),
    stage.spec("grep-owner", { replaces: ["tool:grep"] }),
    stage.spec("other-owner", { replaces: ["tool:edit"] }),
  ]);
  const ruling = await ruleOnce(host, "tool.before", bash);
  expect(ruling).toMatchObject({ payload: { name: "grep" }, changedBy: ["rename"] });
  const asked = async (plugin: string) => (await stage.frames(plugin, "extension/intercept")).length;
  expect(await Promise.all(["bash-owner", "grep-owner", "other-owner"].map(asked))).toEqual([1, 1, 0]);
});

test("[I10] all ten kinds of slots are asked at their points, in the order of the table", async () => {
  const slots = [
    "system_prompt",
    "context",
    "provider_request",
    "provider_response",
    "compaction",
    "session_policy",
    "permission",
    "frontend_events",
    "tool:bash",
    "provider:m/x",
  ] as const;
  const host = await stage.host(slots.map((slot, index) => stage.spec(`p${index}`, { replaces: [slot] })));
  const scope = { modelRef: "m/x" };
  const request = { messages: [], tools: [], maxTokens: 1 };
  await ruleOnce(host, "system_prompt.build", { prompt: "", workspaceRoot: "/w" }, scope);
  await ruleOnce(host, "context.prepare", { messages: [] }, scope);
  await ruleOnce(host, "provider.request", { request }, scope);
  await ruleOnce(host, "provider.response", { text: "" }, scope);
  await ruleOnce(host, "compaction.prepare", { messages: [] }, scope);
  await ruleOnce(host, "session.start", { phase: "start" }, scope);
  await ruleOnce(host, "permission.decision", denied, scope);
  await ruleOnce(host, "frontend.event", { kind: "text" }, scope);
  await ruleOnce(host, "tool.before", bash, scope);
  await ruleOnce(host, "tool.after", { ...bash, result: "" }, scope);
  expect(stage.receipts.map(({ point, slot }) => `${point} ${slot ?? ""}`)).toEqual([
    "system_prompt.build system_prompt",
    "context.prepare context",
    "provider.request provider_request",
    "provider.request provider:m/x",
    "provider.response provider_response",
    "provider.response provider:m/x",
    "compaction.prepare compaction",
    "session.start session_policy",
    "permission.decision permission",
    "frontend.event frontend_events",
    "tool.before tool:bash",
    "tool.after tool:bash",
  ]);
});

test("[I9] receipts say who was asked, what was answered and which members changed", async () => {
  const script = at("input.receive", { do: "tag", text: "!" });
  const host = await stage.host([stage.spec("tag", { intercepts: ["input.receive"] }, script)]);
  await ruleOnce(host, "input.receive", { text: "x" }, { agent: "main" });
  expect(stage.receipts).toEqual([
    {
      generation: 1,
      point: "input.receive",
      plugin: "tag",
      slot: null,
      outcome: "replace",
      changed: ["/text"],
      millis: expect.any(Number),
      agent: "main",
    },
  ]);
});

test("[I14] while a sidecar waits for a person its intercept's clock stands still", async () => {
  const script = at("tool.before", { do: "askThenAnswer", decision: "block" });
  const spec = stage.spec(
    "asker",
    { intercepts: ["tool.before"], timeoutMillis: 150, capabilities: ["interceptors", "ui"] },
    script,
  );
  const host = await stage.host(
    [spec],
    {},
    {
      ui: {
        publish: () => ({ accepted: true }),
        // The person takes far longer than the budget.
        request: () =>
          new Promise((resolve) => {
            setTimeout(() => resolve({ cancelled: false, values: { ok: true } }), 600);
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
  const late = { do: "tag", text: " late", delay: 150 };
  const script = at("input.receive", late, { do: "continue" });
  const host = await stage.host([stage.spec("late", { intercepts: ["input.receive"], timeoutMillis: 50 }, script)]);
  expect(await ruleOnce(host, "input.receive", { text: "one" })).toMatchObject({ payload: { text: "one" } });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await ruleOnce(host, "input.receive", { text: "two" })).toMatchObject({ payload: { text: "two" } });
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
