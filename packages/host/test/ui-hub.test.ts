import { afterEach, beforeEach, expect, test } from "vitest";
import type { Host, SidecarSpec, Surface, SurfaceAnswer, SurfaceQuestion, UiPort } from "../src/index.ts";
import { offering } from "./support/offers.ts";
import { ruleOnce, setStage, until, type Script, type Stage } from "./support/stage.ts";

let stage: Stage;
let shown: Surface[];
let asked: SurfaceQuestion[];
beforeEach(async () => {
  stage = await setStage();
  shown = [];
  asked = [];
});
afterEach(() => stage.strike());

function frontend(answer: () => Promise<SurfaceAnswer> = () => Promise.resolve({ kind: "cancelled" })): UiPort {
  return {
    show: (surface) => void shown.push(surface),
    ask: (question) => {
      asked.push(question);
      return answer();
    },
  };
}

const status = (label: string, more: Script = {}) => ({
  ui: { surfaceId: "s", kind: "status", payload: { label }, ...more },
});

/** Publishes when its `tool.before` is asked, and answers the intercept afterwards. */
function painter(plugin: string, steps: readonly Script[], overrides: Partial<SidecarSpec> = {}, script: Script = {}) {
  const declared = { capabilities: ["ui", "interceptors"], intercepts: ["tool.before"], ...overrides } as const;
  return offering(stage, plugin, declared, { interceptAfter: steps, ...script });
}

const bash = { name: "bash", arguments: "{}" };
const paint = (host: Host) => ruleOnce(host, "tool.before", bash);

async function replies(plugin: string): Promise<readonly unknown[]> {
  return (await stage.log(plugin)).flatMap((entry) => (entry["ui"] === undefined ? [] : [entry["ui"]]));
}

test("[U1] [U4] every kind is shown with its stamp, and the same id of another plugin is another surface", async () => {
  const kinds = [
    { ui: { surfaceId: "a", kind: "status", payload: { label: "index", progress: 0.5 } } },
    { ui: { surfaceId: "b", kind: "card", payload: { title: "t", markdown: "**m**" } } },
    { ui: { surfaceId: "c", kind: "notification", payload: { title: "n" } } },
    { ui: { surfaceId: "d", kind: "form", payload: { fields: [{ key: "k", kind: "input" }] } } },
  ];
  const host = await stage.host([painter("one", kinds), painter("two", [kinds[0] ?? {}])], {}, { ui: frontend() });
  await paint(host);
  expect(await replies("one")).toEqual(Array.from({ length: 4 }, () => ({ accepted: true })));
  expect(shown[0]).toEqual({
    kind: "status",
    plugin: "one",
    surfaceId: "a",
    sessionId: "session-1",
    generation: 1,
    payload: { label: "index", progress: 0.5 },
  });
  expect(shown.map(({ plugin, surfaceId }) => `${plugin}:${surfaceId}`)).toEqual([
    "one:a",
    "one:b",
    "one:c",
    "one:d",
    "two:a",
  ]);
});

test("[U4] [case U-04] fifty updates of one id are few repaints, the last one is shown, another session's are refused", async () => {
  const steps = [
    ...Array.from({ length: 50 }, (_, index) => status(`${index} %`)),
    status("foreign", { sessionId: "other" }),
    status("foreign", { generation: 9 }),
  ];
  const host = await stage.host([painter("one", steps)], {}, { ui: frontend() });
  await paint(host);
  await until(() => shown.some((surface) => surface.kind === "status" && surface.payload.label === "49 %"));
  expect(shown.length).toBeLessThan(50);
  expect((await replies("one")).slice(-2)).toEqual([{ accepted: false }, { accepted: false }]);
  expect(JSON.stringify(shown)).not.toContain("foreign");
});

test("[U4] [R6] [case U-01] an older generation paints and asks no more once the new one is live", async () => {
  const question = { ui: { method: "host/ui/request", surfaceId: "q", kind: "confirm", payload: { fields: [] } } };
  const old = painter("one", [status("old"), question]);
  const host = await stage.host([old], {}, { ui: frontend() });
  const lease = host.lease();
  expect(await host.reload({ specs: [painter("one", [status("new")])] })).toMatchObject({ kind: "done" });
  await lease.rule("tool.before", bash, {});
  expect(await replies("one")).toEqual([{ accepted: false }, { cancelled: true }]);
  lease.release();
  await paint(host);
  expect(shown).toHaveLength(1);
  expect(shown[0]).toMatchObject({ generation: 2, payload: { label: "new" } });
  expect(asked).toEqual([]);
});

test("[U4] [R4] [R5] [case U-05] what is published before its generation is live is shown after the swap, or never", async () => {
  const early = (label: string, overrides: Partial<SidecarSpec> = {}) =>
    painter("early", [], overrides, { onInitialized: [status(`${label} first`), status(label)] });
  const host = await stage.host([painter("one", [])], {}, { ui: frontend() });
  const slow = stage.spec("slow", { required: true }, { initDelay: "never" });
  const aborting = new AbortController();
  const failing = host.reload({ specs: [early("never"), slow] }, { signal: aborting.signal });
  await until(async () => (await replies("early")).length === 2);
  aborting.abort(new Error("not wanted"));
  expect(shown).toEqual([]);
  await expect(failing).rejects.toThrow("not wanted");
  expect(await host.reload({ specs: [early("staged")] })).toMatchObject({ kind: "done" });
  await until(() => shown.some((surface) => surface.kind === "status" && surface.payload.label === "staged"));
  expect(JSON.stringify(shown)).not.toContain("never");
});

test("[L3] [T5] without the capability ui, or of an unknown kind, a surface is refused and the connection lives", async () => {
  const none = painter("none", [status("x")], { capabilities: ["interceptors"] });
  const odd = painter("odd", [
    { ui: { surfaceId: "s", kind: "panel", payload: {} } },
    { ui: { surfaceId: "s", kind: "status", payload: { label: "x", html: "<b>" } } },
    { ui: { surfaceId: "s\u0007", kind: "status", payload: { label: "x" } } },
    status("fine"),
  ]);
  const host = await stage.host([none, odd], {}, { ui: frontend() });
  expect(await paint(host)).toMatchObject({ kind: "proceed" });
  expect(await replies("none")).toMatchObject([{ code: -32000, data: { reason: "capability_not_declared" } }]);
  expect(await replies("odd")).toMatchObject([
    { code: -32602, data: { reason: "invalid_params" } },
    { code: -32602, message: expect.stringContaining('unknown field "html" at /html') },
    { code: -32602 },
    { accepted: true },
  ]);
  expect(shown.map(({ plugin }) => plugin)).toEqual(["odd"]);
});

const select = {
  ui: {
    method: "host/ui/request",
    surfaceId: "q",
    kind: "select",
    payload: {
      title: "Pick\u001b[2J",
      message: "m",
      fields: [
        { key: "where", kind: "select", options: ["a\u200b", "b"], required: true },
        { key: "sure", kind: "confirm", label: "Sure?" },
      ],
    },
  },
};

test("[U2] a question comes clean to the person and its answer in the extension's own words", async () => {
  const answer = () => Promise.resolve({ kind: "answered", values: { where: "a", sure: true, more: 1 } } as const);
  const host = await stage.host([painter("one", [select])], {}, { ui: frontend(answer) });
  await paint(host);
  expect(asked).toEqual([
    {
      plugin: "one",
      surfaceId: "q",
      title: "Pick",
      message: "m",
      questions: [
        { key: "where", kind: "select", label: "where", required: true, options: ["a", "b"] },
        { key: "sure", kind: "confirm", label: "Sure?", required: false },
      ],
    },
  ]);
  expect(await replies("one")).toEqual([{ cancelled: false, values: { where: "a\u200b", sure: true } }]);
});

test.each([
  ["the person cancels", { kind: "cancelled" }],
  ["an answer is of the wrong kind", { kind: "answered", values: { where: "a", sure: "yes" } }],
  ["an option is none of those", { kind: "answered", values: { where: "c" } }],
  ["a required field is missing", { kind: "answered", values: { sure: true } }],
] as const)(
  "[U2] [case U-06] a question without a good answer is cancelled, never a yes: %s",
  async (_title, answer) => {
    const host = await stage.host([painter("one", [select])], {}, { ui: frontend(() => Promise.resolve(answer)) });
    await paint(host);
    expect(await replies("one")).toEqual([{ cancelled: true }]);
  },
);

test("[U2] [case U-06] with nobody there a question is cancelled at once and a surface not accepted", async () => {
  const host = await stage.host([painter("one", [select, status("x")])]);
  expect(await paint(host)).toMatchObject({ kind: "proceed" });
  expect(await replies("one")).toEqual([{ cancelled: true }, { accepted: false }]);
});

test("[U5] [E1] an action that fails is told as it is typed, without the wire's names", async () => {
  const action = { error: { code: -32603, message: "bad action", data: { reason: "internal", retryable: true } } };
  const init = { uiActions: [{ actionId: "bad" }] };
  const host = await stage.host([painter("shout", [], {}, { init, action })], {}, { ui: frontend() });
  expect(await host.runAction("shout", "bad", {})).toMatchObject({
    kind: "failed",
    message: 'Plugin "shout": /shout:bad failed: bad action',
  });
});

test("[U5] actions are offered, run with their arguments, and answered for the person alone", async () => {
  const init = {
    uiActions: [{ actionId: "sync", label: "Sync\u0007 now" }, { actionId: "plain" }, { actionId: "a b" }],
  };
  const action = { result: { accepted: true, message: "done\u001b[2J with key=sk-live0123456789abcdef" } };
  const host = await stage.host([painter("one", [], {}, { init, action })], {}, { ui: frontend() });
  expect(host.actions).toEqual([
    { plugin: "one", actionId: "sync", label: "Sync now" },
    { plugin: "one", actionId: "plain", label: "plain" },
  ]);
  expect(await host.runAction("one", "sync", { k: "v", arg1: "word" })).toEqual({
    kind: "answered",
    accepted: true,
    message: "done with key=[redacted]",
  });
  const [frame] = await stage.frames("one", "extension/ui/action");
  expect(frame?.params).toEqual({
    actionId: "sync",
    sessionId: "session-1",
    generation: 1,
    args: { k: "v", arg1: "word" },
  });
  expect(await host.runAction("one", "none", {})).toMatchObject({ kind: "failed", reason: "capability_not_declared" });
  expect(await host.runAction("nobody", "sync", {})).toMatchObject({ kind: "failed", plugin: "nobody" });
});

test("[U5] an action that dies or answers wrongly is told with the plugin's name", async () => {
  const init = { uiActions: [{ actionId: "sync" }, { actionId: "die" }] };
  const script = { init, action: { result: { done: true } }, onAction: { die: [{ exit: 4 }] } };
  const host = await stage.host([painter("one", [], {}, script)], {}, { ui: frontend() });
  const wrong = await host.runAction("one", "sync", {});
  expect(wrong).toMatchObject({ kind: "failed", plugin: "one", reason: "protocol_error" });
  const host2 = await stage.host([painter("two", [], {}, { init, onAction: { die: [{ exit: 4 }] } })]);
  const dead = await host2.runAction("two", "die", {});
  expect(dead).toMatchObject({ kind: "failed", plugin: "two" });
  expect(dead.kind === "failed" && dead.message).toContain("exit code 4");
});

test("[U5] a form that is shown takes a submit in the extension's own options, and nothing else", async () => {
  const form = {
    ui: {
      surfaceId: "f",
      kind: "form",
      payload: { fields: [{ key: "where", kind: "select", options: ["a\u200b", "b"], required: true }] },
    },
  };
  const host = await stage.host([painter("one", [form])], {}, { ui: frontend() });
  expect(await host.submitForm("one", "f", { where: "a" })).toMatchObject({
    kind: "failed",
    reason: "stale_generation",
  });
  await paint(host);
  expect(await host.submitForm("one", "f", { where: "c" })).toMatchObject({ kind: "failed", reason: "invalid_params" });
  expect(await host.submitForm("one", "f", { where: "a", more: 1 })).toMatchObject({
    kind: "answered",
    accepted: true,
  });
  const frames = await stage.frames("one", "extension/ui/submit");
  expect(frames.map(({ params }) => params)).toEqual([
    { surfaceId: "f", sessionId: "session-1", generation: 1, values: { where: "a\u200b" } },
  ]);
});

test("[U5] what of a surface cannot be used is told to the author once", async () => {
  const card = (title: string) => ({
    ui: { surfaceId: "c", kind: "card", payload: { title, actions: [{ actionId: "rm", label: "Remove" }] } },
  });
  const host = await stage.host([painter("one", [card("a"), card("b")])], {}, { ui: frontend() });
  await paint(host);
  const told = stage.notices.filter(({ code }) => code === "surface_problem");
  expect(told.map(({ plugin, text }) => [plugin, text])).toEqual([
    ["one", 'Plugin "one", surface "c": left out the action at /actions/0 ("rm"): the handshake did not declare it.'],
  ]);
});
