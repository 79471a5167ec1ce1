/** The extension in memory, against a model server on 127.0.0.1. */
import { startScriptedServer, streamOf, textStep, type ScriptedServer } from "@reasonix-ts/agent/scripted-server";
import type { ProviderRequest } from "@reasonix-ts/sdk";
import { testHost, type TestHost } from "@reasonix-ts/sdk/testing";
import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { localModel } from "../src/extension.ts";

const REF = "plugin/local-model/server/scripted";
const KEY = "sk-fixture-local-0123";

let server: ScriptedServer;
let host: TestHost;

beforeEach(async () => {
  server = await startScriptedServer();
  host = await testHost(localModel({ url: `${server.url}/v1`, key: KEY, contextWindow: 4_096 }));
});

afterEach(async () => {
  await host.close();
  await server.close();
});

const ask = async (request: Partial<ProviderRequest> = {}) => {
  const whole = { messages: [{ role: "user", content: "hello" }], tools: [], maxTokens: 0, ...request } as const;
  return (await host.openStream(REF, whole)).finished;
};

test("[P1] [P2] the server's models are offered, without the key", async () => {
  expect(await host.catalog()).toEqual([
    {
      ref: REF,
      displayName: "scripted",
      contextWindow: 4_096,
      inputPerMillion: 0,
      outputPerMillion: 0,
      tools: true,
      reasoning: true,
    },
  ]);
});

test("[P5] [case P-08] reasoning, text and usage with cache tokens come through, cut anywhere in a character", async () => {
  server.push({
    ...streamOf({ kind: "reasoning", text: "Hm." }, { kind: "comment", text: "alive" }, textStep("Grüße 🎉 aus 東京")),
    usage: { prompt: 30, completion: 7, cacheHit: 20, reasoning: 2 },
    splitBytes: 3,
  });
  const { text, reasoning, usage, error } = await ask();
  expect({ text, reasoning, error }).toEqual({ text: "Grüße 🎉 aus 東京", reasoning: "Hm.", error: undefined });
  expect(usage).toEqual({
    promptTokens: 30,
    completionTokens: 7,
    totalTokens: 37,
    cacheHitTokens: 20,
    cacheMissTokens: 10,
    reasoningTokens: 2,
    finishReason: "stop",
  });
});

test("[P5] two tool calls arrive whole, and only after the model was finished", async () => {
  server.push(
    streamOf(
      { kind: "call", id: "a", name: "bash", arguments: '{"command":"ls -la"}' },
      { kind: "call", id: "b", name: "read_file", arguments: '{"path":"x"}' },
    ),
  );
  const { chunks } = await ask();
  expect(chunks.filter(({ type }) => type === "tool_call").map(({ toolCall }) => toolCall)).toEqual([
    { id: "a", name: "bash", arguments: '{"command":"ls -la"}' },
    { id: "b", name: "read_file", arguments: '{"path":"x"}' },
  ]);
  expect(chunks.map(({ type }) => type).lastIndexOf("tool_call_args_delta")).toBeLessThan(
    chunks.findIndex(({ type }) => type === "tool_call"),
  );
});

test("[P8] the request says what was asked, with this plugin's key alone", async () => {
  await ask({
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "look", images: ["data:image/png;base64,AA=="] },
      { role: "assistant", content: "", tool_calls: [{ id: "1", name: "bash", arguments: "{}" }] },
      { role: "tool", tool_call_id: "1", content: "ok" },
    ],
    tools: [{ name: "bash", description: "Runs a command.", parameters: { type: "object" } }],
    maxTokens: 100,
    temperature: 0.5,
  });
  const sent = server.requests.at(-1);
  expect(sent?.path).toBe("/v1/chat/completions");
  expect(sent?.headers["authorization"]).toBe(`Bearer ${KEY}`);
  expect(JSON.parse(sent?.body.toString("utf8") ?? "")).toEqual({
    model: "scripted",
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "look" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
        ],
      },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "1", type: "function", function: { name: "bash", arguments: "{}" } }],
      },
      { role: "tool", content: "ok", tool_call_id: "1" },
    ],
    tools: [
      { type: "function", function: { name: "bash", description: "Runs a command.", parameters: { type: "object" } } },
    ],
    max_tokens: 100,
    temperature: 0.5,
  });
});

test("[P6] [P10] a refusal fails with the server's words, without keys; a busy server may be asked again", async () => {
  server.push({ kind: "status", status: 401, body: `{"error":"wrong key ${KEY}"}` });
  const refused = await ask();
  expect(refused.error).toEqual({
    code: "provider_failed",
    message: `${server.url}/v1/chat/completions answered 401: {"error":"wrong key [redacted]"}`,
  });
  server.push({ kind: "status", status: 503, body: "loading the model" });
  expect((await ask()).error).toEqual({
    code: "provider_interrupted",
    message: `${server.url}/v1/chat/completions answered 503: loading the model`,
  });
});

test("[P4] [case P-03] a stream that breaks off inside a tool call is interrupted, and the call is not made", async () => {
  server.push(
    streamOf(
      {
        kind: "raw",
        text: 'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"x","function":{"name":"bash","arguments":"{\\"comm"}}]}}]}\n\n',
      },
      { kind: "end" },
    ),
  );
  const { error, chunks } = await ask();
  expect(error).toEqual({
    code: "provider_interrupted",
    message: "the stream broke off before the model was finished",
  });
  expect(chunks.some(({ type }) => type === "tool_call")).toBe(false);
});

test("[P7] cancelling ends the request to the server", async () => {
  server.push(streamOf(textStep("begins"), { kind: "stall" }));
  const stream = await host.openStream(REF, { messages: [{ role: "user", content: "x" }], tools: [], maxTokens: 0 });
  await expect.poll(() => stream.chunks.length, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(await stream.cancel()).toBe(true);
  expect(await server.requests.at(-1)?.ended).toBe("broken");
});

test("[case L-09] a server that is not there fails the handshake with what to do", async () => {
  const url = `${server.url}/v1`;
  await server.close();
  const start = testHost(localModel({ url, key: "", contextWindow: 4_096 }));
  await expect(start).rejects.toThrow(
    `no answer from ${url}; start the server, or set LOCAL_MODEL_URL in plugin-env/local-model.env`,
  );
  server = await startScriptedServer();
});

test("[L3] manifest and code agree", async () => {
  const manifest: unknown = JSON.parse(await readFile(new URL("../reasonix-plugin.json", import.meta.url), "utf8"));
  expect(manifest).toMatchObject({
    name: host.declaration.name,
    version: host.declaration.version,
    runtime: { capabilities: ["providers"] },
  });
});
