import { afterEach, beforeEach, expect, test } from "vitest";
import { createHost, type SidecarSpec } from "../src/index.ts";
import { fakeClock } from "./support/fake-clock.ts";
import { offering } from "./support/offers.ts";
import { setStage, until, type Script, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

const schema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const wordCount = { name: "word_count", description: "Counts words.", inputSchema: schema, readOnly: true };

function serving(plugin: string, answers: readonly Script[], overrides: Partial<SidecarSpec> = {}, init: Script = {}) {
  const declared = { capabilities: ["tools"] as const, tools: [wordCount], ...overrides };
  return offering(stage, plugin, declared, { init, tools: { word_count: answers } });
}

async function callOnce(spec: SidecarSpec, args: { readonly [key: string]: unknown } = { text: "a b c" }) {
  const host = await stage.host([spec]);
  const lease = host.lease();
  try {
    return await lease.callTool("web", "word_count", args, { callId: "c1" });
  } finally {
    lease.release();
  }
}

test("[I10] [case Z-01] a declared tool is offered as its manifest describes it, and called with its budget", async () => {
  const host = await stage.host([serving("web", [{ count: true }])]);
  const lease = host.lease();
  expect(lease.tools).toEqual([
    {
      plugin: "web",
      name: "word_count",
      description: "Counts words.",
      inputSchema: schema,
      readOnly: true,
      replacesBuiltIn: false,
    },
  ]);
  expect(await lease.callTool("web", "word_count", { text: "a b c" }, { callId: "c1" })).toEqual({
    content: "3",
    isError: false,
  });
  lease.release();
  const [call] = await stage.frames("web", "extension/tool/call");
  expect(call?.params).toEqual({ name: "word_count", arguments: { text: "a b c" }, timeoutMillis: 300_000 });
  expect(call?._meta).toEqual({ callId: "c1" });
});

test("[I10] [case Z-01] the owner of tool:<name> serves that tool in the built-in's place", async () => {
  const overrides = { capabilities: ["tools", "strategies"], replaces: ["tool:word_count"] } as const;
  const host = await stage.host([serving("web", [{ count: true }], overrides)]);
  const lease = host.lease();
  expect(lease.tools[0]).toMatchObject({ name: "word_count", replacesBuiltIn: true });
  lease.release();
});

test("[case Z-01] an error of the tool's own is a normal result, byte for byte", async () => {
  const content = "no key: sk-live0123456789abcdef";
  const spec = serving("web", [{ result: { content, isError: true } }]);
  expect(await callOnce(spec)).toEqual({ content, isError: true });
});

test.each([
  [
    "an error reply",
    { error: { code: -32603, message: "boom with key=sk-live0123456789abcdef" } },
    "boom with key=[redacted]",
  ],
  ["an unknown field", { result: { content: "x", isError: false, html: "x" } }, 'unknown field "html" at /html'],
  ["its death", { exit: 3 }, "exit code 3"],
])("[L6] [X3] a call without a proper answer is an error that names the plugin: %s", async (_title, answer, why) => {
  const result = await callOnce(serving("web", [answer]));
  expect(result.isError).toBe(true);
  expect(result.content).toContain("web");
  expect(result.content).toContain(why);
});

test("[case Z-01] a tool that takes longer than five minutes is not waited for", async () => {
  const clock = fakeClock();
  const host = await stage.host([serving("web", [{ hang: true }])], { clock });
  const lease = host.lease();
  const call = lease.callTool("web", "word_count", { text: "a" }, {});
  await until(async () => (await stage.frames("web", "extension/tool/call")).length === 1);
  clock.advance(299_999);
  expect(await Promise.race([call, Promise.resolve("waits")])).toBe("waits");
  clock.advance(1);
  expect(await call).toEqual({
    content: 'The tool word_count of plugin "web" failed: no answer within 5 min.',
    isError: true,
  });
  lease.release();
});

test("[case Z-01] who gives up a call gets its own reason", async () => {
  const host = await stage.host([serving("web", [{ hang: true }])]);
  const lease = host.lease();
  const aborting = new AbortController();
  const call = lease.callTool("web", "word_count", { text: "a" }, { signal: aborting.signal });
  const reason = new Error("interrupted");
  aborting.abort(reason);
  await expect(call).rejects.toBe(reason);
  lease.release();
});

test("[case Z-01] arguments that the schema refuses never reach the tool", async () => {
  const judged: unknown[] = [];
  const judgeArguments = (given: object, args: object) => {
    judged.push([given, args]);
    return "text" in args ? null : "/text is missing";
  };
  const host = await stage.host([serving("web", [{ count: true }])], {}, { judgeArguments });
  const lease = host.lease();
  expect(await lease.callTool("web", "word_count", {}, {})).toEqual({
    content: 'The arguments of word_count (plugin "web") were refused: /text is missing',
    isError: true,
  });
  expect((await lease.callTool("web", "word_count", { text: "a b" }, {})).content).toBe("2");
  lease.release();
  expect(judged).toEqual([
    [schema, {}],
    [schema, { text: "a b" }],
  ]);
  expect(await stage.frames("web", "extension/tool/call")).toHaveLength(1);
});

test("[L3] [case Z-01] a tool that the manifest does not name fails the handshake, and a tool of nobody is an error", async () => {
  const undeclared = { ...serving("web", [], { required: true }, { tools: ["fetch"] }) };
  const boot = await createHost(stage.options([undeclared]));
  expect(boot).toMatchObject({ kind: "failed", failures: [{ reason: "capability_not_declared", plugin: "web" }] });
  const host = await stage.host([serving("web", [{ count: true }])]);
  const lease = host.lease();
  expect(await lease.callTool("web", "fetch", {}, {})).toEqual({
    content: 'Plugin "web" serves no tool "fetch".',
    isError: true,
  });
  expect((await lease.callTool("nobody", "fetch", {}, {})).isError).toBe(true);
  lease.release();
});
