import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { ModelRequest, Person, SessionSettings } from "@reasonix-ts/agent";
import type { ToolSpec } from "@reasonix-ts/host";
import { describe, expect, it } from "vitest";
import { calls, says, scripted, SCRIPTED } from "./support/models.ts";
import { stage, until, type PluginOptions } from "./support/stage.ts";

const COUNT: ToolSpec = {
  name: "word_count",
  description: "Counts the words of a text.",
  inputSchema: {
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
    additionalProperties: false,
  },
  readOnly: true,
};
const plain = (name: string, readOnly = true): ToolSpec => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: "object" },
  readOnly,
});
const WORDS: PluginOptions = {
  plugin: "words",
  fixture: "tools.mjs",
  tools: [COUNT, plain("refuses"), plain("dies"), plain("hangs"), plain("hostile")],
};
const READER: PluginOptions = {
  plugin: "reader",
  fixture: "tools.mjs",
  tools: [{ ...plain("read_file"), description: "Reads in the plugin's own way." }],
  replaces: ["tool:read_file"],
};
const GUARD: PluginOptions = {
  plugin: "guard",
  fixture: "tools.mjs",
  intercepts: ["tool.before", "permission.decision", "tool.after"],
};

const ASKING: SessionSettings["permissions"] = {
  mode: "workspace-write",
  approvals: "ask",
  rules: { allow: [], ask: [], deny: [] },
  addedDirs: [],
  protectedPaths: [],
  network: false,
};

function person(answer: "once" | "no", asked: unknown[]): Person {
  return {
    present: true,
    ask: async () => ({ kind: "cancelled" }),
    askPermission: async (request) => {
      asked.push(request);
      return answer;
    },
  };
}

function names(request: ModelRequest | undefined): readonly string[] {
  return (request?.tools ?? []).map(({ name }) => name);
}

describe("a tool of an extension", () => {
  it("[case Z-01] is offered with its description and schema, and its result goes to the model", async () => {
    const models = scripted([calls("ext__words__word_count", { text: "a b c" }), says("fine")]);
    const { session, of, frames } = await stage({ model: SCRIPTED, models, plugins: [WORDS] });
    expect(await session.turn("count")).toMatchObject({ outcome: "done", text: "fine" });
    expect(models.requests[0]?.tools.find(({ name }) => name === "ext__words__word_count")).toEqual({
      name: "ext__words__word_count",
      description: COUNT.description,
      parameters: COUNT.inputSchema,
    });
    expect(of("tool_result").map(({ text, isError }) => [text, isError])).toEqual([["3", false]]);
    expect(models.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", tool_call_id: "call_1", content: "3" });
    const [call] = await frames("words", "extension/tool/call");
    expect(call?.params).toEqual({ name: "word_count", arguments: { text: "a b c" }, timeoutMillis: 300_000 });
    expect(call?._meta).toMatchObject({ callId: "call_1" });
  });

  it("[case Z-01] is not called with arguments that do not fit, and an error of its own is a normal result", async () => {
    const models = scripted([
      calls("ext__words__word_count", { words: 3 }, "call_1"),
      calls("ext__words__refuses", {}, "call_2"),
      calls("ext__words__nothing", {}, "call_3"),
      says("fine"),
    ]);
    const { session, of, frames } = await stage({ model: SCRIPTED, models, plugins: [WORDS] });
    expect(await session.turn("go")).toMatchObject({ outcome: "done" });
    const [misfit, own, unknown] = of("tool_result");
    expect(misfit?.isError).toBe(true);
    expect(misfit?.text).toContain("text");
    expect([own?.text, own?.isError]).toEqual(["the site answered 404", true]);
    expect(unknown?.text).toContain('There is no tool "ext__words__nothing"');
    expect((await frames("words", "extension/tool/call")).map(({ params }) => params["name"])).toEqual(["refuses"]);
  });

  it("that dies is an error result that names the plugin, and the turn goes on", async () => {
    const models = scripted([calls("ext__words__dies", {}), says("fine")]);
    const { session, of } = await stage({ model: SCRIPTED, models, plugins: [WORDS] });
    expect(await session.turn("go")).toMatchObject({ outcome: "done", text: "fine" });
    expect(of("tool_result")[0]).toMatchObject({ isError: true });
    expect(of("tool_result")[0]?.text).toContain('"words"');
    expect(of("tool_result")[0]?.text).toContain("4");
  });

  it("ends with the turn that called it", async () => {
    const models = scripted([calls("ext__words__hangs", {}), says("fine")]);
    const { session, of, frames } = await stage({ model: SCRIPTED, models, plugins: [WORDS] });
    const stop = new AbortController();
    const turn = session.turn("go", { signal: stop.signal });
    await until(async () => (await frames("words", "extension/tool/call")).length === 1);
    stop.abort();
    expect(await turn).toMatchObject({ outcome: "interrupted" });
    expect(of("tool_result")).toMatchObject([{ isError: true }]);
    expect(await session.turn("again")).toMatchObject({ outcome: "done", text: "fine" });
  });

  it.each([
    ["once", "2", false],
    ["no", "was refused by the person", true],
  ] as const)("is asked about before it runs: %s", async (answer, text, isError) => {
    const asked: unknown[] = [];
    const models = scripted([calls("ext__words__word_count", { text: "a b" }), says("fine")]);
    const { session, of, frames } = await stage({
      model: SCRIPTED,
      models,
      plugins: [{ ...WORDS, tools: [{ ...COUNT, readOnly: false }] }],
      frontend: { person: person(answer, asked) },
      settings: { permissions: ASKING },
    });
    await session.turn("go");
    expect(asked).toMatchObject([{ tool: "ext__words__word_count", summary: '{"text":"a b"}' }]);
    expect(of("tool_result")[0]).toMatchObject({ isError });
    expect(of("tool_result")[0]?.text).toContain(text);
    expect(await frames("words", "extension/tool/call")).toHaveLength(isError ? 0 : 1);
  });

  it("[I1] [I6] passes the points of every tool, under the name that the model sees", async () => {
    const models = scripted([
      calls("ext__words__word_count", { text: "a b" }, "call_1"),
      calls("ext__words__word_count", { text: "blocked" }, "call_2"),
      says("fine"),
    ]);
    const { session, of, frames } = await stage({ model: SCRIPTED, models, plugins: [WORDS, GUARD] });
    await session.turn("go");
    const seen = (await frames("guard", "extension/intercept")).map(({ params, _meta }) => [
      params["event"],
      _meta?.["callId"],
    ]);
    expect(seen).toEqual([
      ["tool.before", "call_1"],
      ["permission.decision", "call_1"],
      ["tool.after", "call_1"],
      ["tool.before", "call_2"],
    ]);
    expect(of("tool_result").map(({ text }) => text)).toEqual(["2", "Blocked by guard: not this one"]);
    expect(await frames("words", "extension/tool/call")).toHaveLength(1);
  });

  it("gives the model its words byte for byte", async () => {
    const models = scripted([calls("ext__words__hostile", {}), says("fine")]);
    const { session } = await stage({ model: SCRIPTED, models, plugins: [WORDS] });
    await session.turn("go");
    expect(models.requests[1]?.messages.at(-1)?.content).toBe("plain \u001b]52;c;aGk=\u0007 text");
  });
});

describe("the owner of tool:<name> that serves a tool of that name", () => {
  it("[I10] answers in the place of the built-in one, under the same gate", async () => {
    const models = scripted([calls("read_file", { path: "note.txt" }), says("fine")]);
    const { session, of, workspace, frames } = await stage({ model: SCRIPTED, models, plugins: [READER, GUARD] });
    await writeFile(path.join(workspace, "note.txt"), "built in");
    await session.turn("go");
    expect(of("tool_result").map(({ text }) => text)).toEqual(["served note.txt"]);
    const offered = models.requests[0]?.tools.filter(({ name }) => name.includes("read_file"));
    expect(offered).toMatchObject([{ name: "read_file", description: "Reads in the plugin's own way." }]);
    const seen = (await frames("guard", "extension/intercept")).map(({ params }) => params["event"]);
    expect(seen).toEqual(["tool.before", "permission.decision", "tool.after"]);
  });

  it("[K3] costs one cold prefix, once, and the tools stay where they were", async () => {
    const models = scripted([says("fine")]);
    const set = await stage({ model: SCRIPTED, models, plugins: [GUARD] });
    const { session, extensions, install } = set;
    const hashes: (string | undefined)[] = [];
    const turn = async (): Promise<void> => {
      await session.turn("go");
      hashes.push(session.prefix?.hash);
    };
    await turn();
    await turn();
    install([GUARD, READER]);
    expect(await extensions.reload()).toMatchObject({ kind: "done", generation: 2 });
    await turn();
    const changed = session.prefix?.changed;
    await turn();
    expect(await extensions.reload()).toMatchObject({ kind: "done", generation: 3 });
    await turn();
    expect(new Set(hashes.slice(0, 2)).size).toBe(1);
    expect(new Set(hashes.slice(2)).size).toBe(1);
    expect(hashes[1]).not.toBe(hashes[2]);
    expect(changed).toBe("the tools changed");
    expect(session.prefix?.changed).toBeNull();
    expect(names(models.requests[2])).toEqual(names(models.requests[0]));
    expect(JSON.stringify(models.requests[3]?.tools)).toBe(JSON.stringify(models.requests[4]?.tools));
  });

  it("[L7] is not replaced by the built-in one when it is gone", async () => {
    const models = scripted([calls("read_file", { path: "note.txt" }), says("fine")]);
    const dead = { ...READER, env: { DIES: "1" }, command: "/nowhere/at/all" };
    const { session, of, workspace } = await stage({ model: SCRIPTED, models, plugins: [dead] });
    await writeFile(path.join(workspace, "note.txt"), "built in");
    await session.turn("go");
    expect(of("tool_result")).toMatchObject([{ isError: true }]);
    expect(of("tool_result")[0]?.text).toContain('"reader"');
    expect(of("tool_result")[0]?.text).not.toContain("built in");
  });
});
