/** The extension in memory: its catalogue, and both steps of its script. */
import type { Message, ProviderRequest } from "@reasonix-ts/sdk";
import { testHost } from "@reasonix-ts/sdk/testing";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { extension } from "../src/extension.ts";
import { SIGNATURE } from "../src/script.ts";

const REF = "plugin/provider-extension/scripted/small";
const TASK: Message = { role: "user", content: "how does a.txt begin?" };

const request = (...messages: readonly Message[]): ProviderRequest => ({
  messages,
  tools: [{ name: "read_file", parameters: { type: "object" } }],
  maxTokens: 0,
});

test("[P1] [P2] the catalogue names the model in full, with window, prices and reasoning, and no credentials", async () => {
  const host = await testHost(extension);
  expect(await host.catalog()).toEqual([
    {
      ref: REF,
      displayName: "Scripted (small)",
      contextWindow: 32_000,
      inputPerMillion: 0.5,
      outputPerMillion: 1.5,
      cacheHitPerMillion: 0.05,
      pricingCurrency: "USD",
      tools: true,
      reasoning: true,
      reasoningRoundTrip: true,
      toolCallReasoning: true,
    },
  ]);
  await host.close();
});

test("[P3] [P5] the first step is signed reasoning and one whole tool call, then usage and done", async () => {
  const host = await testHost(extension);
  const stream = await host.openStream(REF, request(TASK));
  const { chunks, reasoning, usage, lastSeq, interrupted } = await stream.finished;
  expect(chunks.map(({ type }) => type)).toEqual([
    "reasoning",
    "reasoning",
    "tool_call_start",
    "tool_call_args_delta",
    "tool_call",
    "usage",
    "done",
  ]);
  expect(reasoning).toBe("I cannot answer before I have looked. I read the file.");
  expect(chunks[1]?.signature).toBe(SIGNATURE);
  expect(chunks[4]?.toolCall).toEqual({ id: "call-1", name: "read_file", arguments: '{"path":"a.txt"}' });
  expect(usage).toMatchObject({ cacheHitTokens: 0, finishReason: "tool_calls" });
  expect({ lastSeq, interrupted }).toEqual({ lastSeq: 7, interrupted: false });
  await host.close();
});

test("[P5] [case P-08] the second step tells what it saw, and counts what was sent before as cache hits", async () => {
  const host = await testHost(extension);
  const stream = await host.openStream(
    REF,
    request(
      TASK,
      {
        role: "assistant",
        reasoning_content: "I read the file.",
        reasoning_signature: SIGNATURE,
        tool_calls: [{ id: "call-1", name: "read_file", arguments: '{"path":"a.txt"}' }],
      },
      { role: "tool", tool_call_id: "call-1", content: "1\talpha\n2\tbeta" },
    ),
  );
  const { text, usage } = await stream.finished;
  expect(text).toBe("It begins: 1\talpha. My reasoning came back signed.");
  expect(usage).toMatchObject({ promptTokens: 10, cacheHitTokens: 6, cacheMissTokens: 4, finishReason: "stop" });
  await host.close();
});

test("[P7] a finished stream has nothing left to cancel", async () => {
  const host = await testHost(extension);
  const stream = await host.openStream(REF, request(TASK));
  await stream.finished;
  expect(await stream.cancel()).toBe(false);
  await host.close();
});

test("[L3] manifest and code agree", async () => {
  const manifest: unknown = JSON.parse(await readFile(new URL("../reasonix-plugin.json", import.meta.url), "utf8"));
  const host = await testHost(extension);
  expect(manifest).toMatchObject({
    name: host.declaration.name,
    version: host.declaration.version,
    runtime: { capabilities: ["providers"] },
  });
  await host.close();
});
