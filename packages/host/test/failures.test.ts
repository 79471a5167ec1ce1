/** What goes wrong in a chain and what then happens, with real sidecars. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HostPorts } from "../src/index.ts";
import { ruleOnce, setStage, until, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

const bash = { name: "bash", arguments: '{"command":"ls"}' } as const;
const at = (point: string, ...steps: readonly object[]) => ({ on: { [point]: steps } });

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

const guardThen = (end: object) =>
  stage.spec(
    "guard",
    { intercepts: ["tool.before"], timeoutMillis: 1_000 },
    at("tool.before", { do: "rule", decision: "block", reason: "no" }, end),
  );

test.each<[string, object, HostPorts["askPerson"], string, string]>([
  ["by silence, nobody is there", { do: "hang" }, null, "intercept_timeout", "nobody was there to be asked"],
  ["by death, nobody is there", { do: "die" }, null, "internal", "nobody was there to be asked"],
  ["by death, the person says no", { do: "die" }, () => Promise.resolve(false), "internal", "the person asked refused"],
  [
    "by death, the person cannot be asked",
    { do: "die" },
    () => Promise.reject(new Error("window closed")),
    "internal",
    "could not be asked (window closed)",
  ],
])("[I15] a guard that has ruled drops out %s: the call is refused", async (_name, end, askPerson, reason, text) => {
  const host = await stage.host([guardThen(end)], {}, { askPerson });
  expect(await ruleOnce(host, "tool.before", bash)).toMatchObject({ kind: "blocked" });
  const ruling = await ruleOnce(host, "tool.before", bash);
  expect(ruling).toMatchObject({ kind: "failed", plugin: "guard", reason });
  expect(ruling.kind === "failed" ? ruling.message : "").toContain(text);
});

test("[I15] a guard that has ruled drops out: a person may let the call go on", async () => {
  const askPerson: HostPorts["askPerson"] = (question) => {
    stage.questions.push(question);
    return Promise.resolve(true);
  };
  const host = await stage.host([guardThen({ do: "die" })], {}, { askPerson });
  await ruleOnce(host, "tool.before", bash);
  expect(await ruleOnce(host, "tool.before", bash)).toMatchObject({ kind: "proceed" });
  expect(stage.questions).toMatchObject([
    { plugin: "guard", point: "tool.before", tool: "bash", arguments: '{"command":"ls"}' },
  ]);
});
