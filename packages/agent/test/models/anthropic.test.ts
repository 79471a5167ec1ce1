/** The messages API against a real server: what is sent, and what streamed answers become. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ModelRequest, StoredMessage } from "../../src/ports.ts";
import { startScriptedServer, streamOf, textStep, type ScriptedServer } from "../scripted-server/index.ts";
import { ask, requestOf } from "./collect.ts";
import { KEY, providerAt } from "./provider.ts";

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

const hi: StoredMessage = { role: "user", content: "hi" };

async function bodyOf(
  request: ModelRequest,
  settings: object = {},
  effort?: string,
): Promise<{ [key: string]: unknown }> {
  const model = providerAt("anthropic", server.url, { settings: { ...settings } });
  await ask(model, request, effort === undefined ? {} : { effort });
  return JSON.parse(server.requests.at(-1)?.body.toString("utf8") ?? "");
}

describe("a streamed message", () => {
  test.each([undefined, 1, 5, 64])("thinking, text, tool use and usage, cut every %s bytes", async (splitBytes) => {
    server.push({
      kind: "stream",
      steps: [
        { kind: "reasoning", text: "Was tun? 🤔", signature: "c2VhbA==" },
        { kind: "redacted", data: "ZmluZQ==" },
        textStep("Ich schaue."),
        { kind: "call", id: "tu_1", name: "bash", arguments: '{"command":"ls ä"}' },
        { kind: "call", id: "tu_2", name: "glob", arguments: "" },
      ],
      usage: { prompt: 1_000, completion: 40, cacheHit: 700, cacheWrite: 200 },
      ...(splitBytes === undefined ? {} : { splitBytes }),
    });
    const answer = await ask(providerAt("anthropic", server.url), requestOf(hi));
    expect(answer.failure).toBeNull();
    expect([answer.reasoning, answer.text]).toEqual(["Was tun? 🤔", "Ich schaue."]);
    expect(answer.chunks.find((chunk) => chunk.type === "reasoning" && chunk.signature !== undefined)).toEqual({
      type: "reasoning",
      text: "",
      signature: "c2VhbA==",
    });
    expect(answer.calls).toEqual([
      { id: "tu_1", name: "bash", arguments: '{"command":"ls ä"}' },
      { id: "tu_2", name: "glob", arguments: "{}" },
    ]);
    expect(answer.chunks.slice(-3)).toEqual([
      {
        type: "native",
        native: {
          provider: "lab",
          blocks: [
            { type: "thinking", thinking: "Was tun? 🤔", signature: "c2VhbA==" },
            { type: "redacted_thinking", data: "ZmluZQ==" },
            { type: "text", text: "Ich schaue." },
            { type: "tool_use", id: "tu_1", name: "bash", input: { command: "ls ä" } },
            { type: "tool_use", id: "tu_2", name: "glob", input: {} },
          ],
        },
      },
      {
        type: "usage",
        usage: {
          promptTokens: 1_000,
          completionTokens: 40,
          totalTokens: 1_040,
          cacheHitTokens: 700,
          cacheMissTokens: 300,
          reasoningTokens: 0,
          finishReason: "tool_calls",
        },
      },
      { type: "done" },
    ]);
  });

  test("an answer without thinking keeps no native blocks", async () => {
    server.push(streamOf(textStep("plain")));
    const answer = await ask(providerAt("anthropic", server.url), requestOf(hi));
    expect([...new Set(answer.chunks.map((chunk) => chunk.type))]).toEqual(["text", "usage", "done"]);
  });

  test("an answer that reached its bound drops half a call and says `length`", async () => {
    server.push({ ...streamOf({ kind: "call", id: "t", name: "bash", arguments: '{"comm' }), finish: "length" });
    const answer = await ask(providerAt("anthropic", server.url), requestOf(hi));
    expect(answer.calls).toEqual([]);
    expect(answer.chunks.at(-2)).toMatchObject({ usage: { finishReason: "length" } });
  });
});

describe("a request", () => {
  test("marks the stable prefix for the cache and has its members in a fixed order", async () => {
    const model = providerAt("anthropic", server.url);
    await ask(model, { ...requestOf({ role: "system", content: "Be brief." }, hi), temperature: 0.5 });
    const sent = server.requests.at(-1);
    expect(sent?.body.toString("utf8")).toBe(
      '{"model":"m-1","max_tokens":32000,"stream":true,"temperature":0.5,' +
        '"tools":[{"name":"bash","description":"Runs a command.","input_schema":{"type":"object"}}],' +
        '"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],' +
        '"messages":[{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]}]}',
    );
    expect(sent?.path).toBe("/v1/messages");
    expect(sent?.headers).toMatchObject({ "x-api-key": KEY, "anthropic-version": "2023-06-01" });
    expect(sent?.headers["authorization"]).toBeUndefined();
  });

  test("without a system prompt the last tool carries the mark", async () => {
    expect(await bodyOf(requestOf(hi))).toMatchObject({
      tools: [{ name: "bash", cache_control: { type: "ephemeral" } }],
    });
  });

  const blocks = [
    { type: "thinking", thinking: "hm", signature: "s" },
    { type: "redacted_thinking", data: "d" },
    { type: "text", text: "I look." },
    { type: "tool_use", id: "t1", name: "bash", input: { z: 1, a: 2 } },
  ];
  const thought: StoredMessage = {
    role: "assistant",
    content: "I look.",
    reasoning_content: "hm",
    tool_calls: [{ id: "t1", name: "bash", arguments: '{"z":1,"a":2}' }],
    native: { provider: "lab", blocks },
  };
  const done: StoredMessage = { role: "tool", tool_call_id: "t1", content: "ok" };

  test("gives thinking back unchanged and in order to the provider it came from", async () => {
    await bodyOf(requestOf(hi, thought, done));
    expect(server.requests.at(-1)?.body.toString("utf8")).toContain(
      `{"role":"assistant","content":${JSON.stringify(blocks)}}`,
    );
  });

  test.each([
    ["of another provider", { ...thought, native: { provider: "other", blocks } }],
    [
      "whose text was changed since",
      { ...thought, content: "I look.", native: { provider: "lab", blocks: blocks.slice(0, 2) } },
    ],
  ])("blocks %s stay behind", async (_, message) => {
    expect(await bodyOf(requestOf(hi, message, done))).toMatchObject({
      messages: [
        { role: "user" },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I look." },
            { type: "tool_use", id: "t1", name: "bash", input: { z: 1, a: 2 } },
          ],
        },
        { role: "user" },
      ],
    });
  });

  test("results of a batch and what was typed after them are one turn, images included", async () => {
    const two: StoredMessage = {
      role: "assistant",
      content: "",
      tool_calls: [
        { id: "a", name: "x", arguments: "{}" },
        { id: "b", name: "y", arguments: "not json" },
      ],
    };
    const body = await bodyOf(
      requestOf(
        hi,
        { role: "assistant", content: "" },
        two,
        { role: "tool", tool_call_id: "a", content: "A", images: ["data:image/png;base64,AAAA"] },
        { role: "tool", tool_call_id: "b", content: "" },
        { role: "user", content: "and?", images: ["https://example.test/x.png"] },
      ),
    );
    expect(body["messages"]).toEqual([
      { role: "user", content: [{ type: "text", text: "hi" }] },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "a", name: "x", input: {} },
          { type: "tool_use", id: "b", name: "y", input: { unparsed: "not json" } },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "a",
            content: [
              { type: "text", text: "A" },
              { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
            ],
          },
          { type: "tool_result", tool_use_id: "b", content: [] },
          { type: "text", text: "and?" },
          {
            type: "image",
            source: { type: "url", url: "https://example.test/x.png" },
            cache_control: { type: "ephemeral" },
          },
        ],
      },
    ]);
  });

  test.each([
    ["low", undefined, { type: "enabled", budget_tokens: 2_048 }],
    ["high", undefined, { type: "enabled", budget_tokens: 24_576 - 8_576 }],
    ["high", 64_000, { type: "enabled", budget_tokens: 24_576 }],
    ["adaptive", undefined, { type: "adaptive" }],
    ["low", 1_000, undefined],
    [undefined, undefined, undefined],
  ])("effort %s with max_tokens %s", async (effort, maxTokens, thinking) => {
    const request = { ...requestOf(hi), maxTokens: maxTokens ?? 0, temperature: 1 };
    const body = await bodyOf(request, {}, effort);
    expect(body["thinking"]).toEqual(thinking);
    expect(body["temperature"]).toBe(thinking === undefined ? 1 : undefined);
  });

  test("a tool loop that another model began is finished without thinking, and the next one thinks again", async () => {
    const foreign: StoredMessage = { ...thought, native: { provider: "other", blocks: [] } };
    expect((await bodyOf(requestOf(hi, foreign, done), {}, "low"))["thinking"]).toBeUndefined();
    expect((await bodyOf(requestOf(hi, foreign, done, hi), {}, "low"))["thinking"]).toBeDefined();
    expect((await bodyOf(requestOf(hi, thought, done), {}, "low"))["thinking"]).toBeDefined();
  });
});
