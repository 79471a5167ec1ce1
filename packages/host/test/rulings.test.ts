/** What rulings do: blocks, permissions, owners, receipts, with real sidecars. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemHostClock } from "../src/index.ts";
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
    stage.spec("mild", { intercepts: ["permission.decision"], timeoutMillis: 1_000 }, script),
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
      changes: [{ member: "/text", before: '"x"', after: '"x!"', cut: false }],
      millis: expect.any(Number),
      agent: "main",
    },
  ]);
});
