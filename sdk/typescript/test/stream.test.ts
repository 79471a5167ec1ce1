/** Provider streams: numbered, joined, paced, ended once, cancelled at once. */
import type { ProviderRequest } from "@reasonix-ts/protocol";
import { createPair } from "@reasonix-ts/rpc";
import { expect, test, vi } from "vitest";
import { attach } from "../src/attach.ts";
import { ChunkQueue } from "../src/chunk-queue.ts";
import {
  defineExtension,
  ProviderInterrupted,
  type Extension,
  type StreamFunction,
  type StreamPart,
  type Usage,
} from "../src/index.ts";
import { testHost } from "../src/testing.ts";

const REQUEST: ProviderRequest = { messages: [{ role: "user", content: "hi" }], tools: [], maxTokens: 0 };
const USAGE: Usage = {
  promptTokens: 10,
  completionTokens: 5,
  totalTokens: 15,
  cacheHitTokens: 8,
  cacheMissTokens: 2,
  reasoningTokens: 1,
};

function streaming(stream: StreamFunction): Extension {
  return defineExtension({
    name: "acme",
    version: "0.1.0",
    providers: [{ descriptor: { ref: "chat/large", contextWindow: 64_000 }, stream }],
  });
}

const REF = "plugin/acme/chat/large";

test("[P1] descriptors are in the handshake and in the catalogue, under the plugin's name", async () => {
  const host = await testHost(
    streaming(() => []),
    { pluginName: "renamed" },
  );
  const descriptors = [{ ref: "plugin/renamed/chat/large", contextWindow: 64_000 }];
  expect(host.declaration.providers).toEqual(descriptors);
  expect(await host.catalog()).toEqual(descriptors);
  await host.close();
});

test("[P1] models may be found during the handshake, and two of one name fail it", async () => {
  const stream: StreamFunction = () => [];
  const found = async (): Promise<{ descriptor: { ref: string }; stream: StreamFunction }[]> => [
    { descriptor: { ref: "a" }, stream },
    { descriptor: { ref: "plugin/acme/a" }, stream },
  ];
  const extension = defineExtension({ name: "acme", version: "0.1.0", providers: found });
  await expect(testHost(extension)).rejects.toThrow("two models have the reference plugin/acme/a");
  await expect(
    testHost({ ...extension, providers: () => Promise.reject(new Error("no server at 127.0.0.1")) }),
  ).rejects.toThrow("no server at 127.0.0.1");
});

test("[P3] [P5] every kind of chunk, joined where it is text, numbered from 1, done added at the end", async () => {
  const toolCall = { id: "t1", name: "bash", arguments: "{}" };
  const host = await testHost(
    streaming(async function* (request, { ref, effort, session }) {
      yield { type: "reasoning", text: `${request.messages.length} ` };
      yield { type: "reasoning", text: `${ref} ${effort ?? "-"} ${session.sessionId}` };
      yield { type: "reasoning", signature: "sig" };
      yield "Hel";
      yield "";
      yield { type: "text", text: "lo" };
      yield { type: "tool_call_start", toolCall: { ...toolCall, arguments: "" } };
      yield { type: "tool_call_args_delta", argChars: 2 };
      yield { type: "tool_call", toolCall };
      yield { type: "usage", usage: USAGE };
    }),
  );
  const stream = await host.openStream(REF, REQUEST, { effort: "high" });
  const outcome = await stream.finished;
  expect(outcome).toEqual({
    chunks: [
      { type: "reasoning", text: "1 plugin/acme/chat/large high test-session" },
      { type: "reasoning", signature: "sig" },
      { type: "text", text: "Hello" },
      { type: "tool_call_start", toolCall: { ...toolCall, arguments: "" } },
      { type: "tool_call_args_delta", argChars: 2 },
      { type: "tool_call", toolCall },
      { type: "usage", usage: USAGE },
      { type: "done" },
    ],
    text: "Hello",
    reasoning: "1 plugin/acme/chat/large high test-session",
    lastSeq: 8,
    interrupted: false,
    usage: USAGE,
  });
  await host.close();
});

test("[P3] a stream of nothing is done and ended; what comes after an own done is not sent", async () => {
  const empty = await testHost(streaming(() => []));
  expect(await (await empty.openStream(REF, REQUEST)).finished).toMatchObject({
    chunks: [{ type: "done" }],
    lastSeq: 1,
  });
  await empty.close();
  const early = await testHost(streaming(() => ["a", { type: "done" }, "b"]));
  expect(await (await early.openStream(REF, REQUEST)).finished).toMatchObject({ text: "a", lastSeq: 2 });
  await early.close();
});

test("[P10] a stream that fails says why, without credentials, and whether asking again may help", async () => {
  const failing = (error: Error): Extension =>
    streaming(async function* () {
      yield "half";
      throw error;
    });
  const host = await testHost(
    failing(
      new Error("401 for Authorization: Bearer abcdefgh12345678 at https://me:pw12345@api.test/v1?api_key=k-998877"),
    ),
  );
  expect(await (await host.openStream(REF, REQUEST)).finished).toEqual({
    chunks: [
      { type: "text", text: "half" },
      {
        type: "error",
        error: {
          code: "provider_failed",
          message: "401 for Authorization: Bearer [redacted] at https://[redacted]@api.test/v1?api_key=[redacted]",
        },
      },
    ],
    text: "half",
    reasoning: "",
    lastSeq: 2,
    interrupted: false,
    error: {
      code: "provider_failed",
      message: "401 for Authorization: Bearer [redacted] at https://[redacted]@api.test/v1?api_key=[redacted]",
    },
  });
  await host.close();
  const cut = await testHost(failing(new ProviderInterrupted("the server hung up")));
  expect(await (await cut.openStream(REF, REQUEST)).finished).toMatchObject({
    interrupted: true,
    error: { code: "provider_interrupted", message: "the server hung up" },
  });
  await cut.close();
});

test("[P5] what is no part of a stream fails it with its text", async () => {
  const nothing: unknown = { typ: "text" };
  // What plain JavaScript may do, the types forbid.
  const host = await testHost(streaming(() => [nothing as StreamPart]));
  expect((await (await host.openStream(REF, REQUEST)).finished).error?.message).toBe(
    'the stream yielded {"typ":"text"}, wanted a string or a chunk with a type',
  );
  await host.close();
});

test("[P7] cancelling stops the author's function, drops what waits, ends once, and is answered for ended streams too", async () => {
  let cleaned = false;
  let aborted = false;
  const host = await testHost(
    streaming(async function* (_request, { signal }) {
      signal.addEventListener("abort", () => (aborted = true));
      try {
        for (let count = 0; ; count++) {
          yield `${count} `;
          await new Promise(setImmediate);
        }
      } finally {
        cleaned = true;
      }
    }),
  );
  const stream = await host.openStream(REF, REQUEST);
  await vi.waitFor(() => expect(stream.chunks.length).toBeGreaterThan(2));
  expect(await stream.cancel()).toBe(true);
  const { interrupted, lastSeq } = await stream.finished;
  expect({ interrupted, lastSeq }).toEqual({ interrupted: true, lastSeq: stream.chunks.length });
  await vi.waitFor(() => expect([aborted, cleaned]).toEqual([true, true]));
  expect(await stream.cancel()).toBe(false);
  expect(stream.chunks.length).toBe(lastSeq);
  await host.close();
});

test("[P7] a stream whose function hangs is cancelled at once all the same", async () => {
  const host = await testHost(streaming(() => new Promise(() => {})));
  const stream = await host.openStream(REF, REQUEST);
  expect(await stream.cancel()).toBe(true);
  expect(await stream.finished).toMatchObject({ chunks: [], lastSeq: 0, interrupted: true });
  await host.close();
});

test("[P11] a model that is not there is refused by name", async () => {
  const host = await testHost(streaming(() => []));
  await expect(host.openStream("plugin/acme/other", REQUEST)).rejects.toThrow(
    "no model plugin/acme/other here; this extension offers plugin/acme/chat/large",
  );
  await host.close();
});

test("[P4] 100,000 small pieces arrive whole, in few chunks, and two streams share the pipe", async () => {
  const host = await testHost(
    streaming(async function* () {
      for (let piece = 0; piece < 100_000; piece++) yield `piece ${piece};`;
    }),
  );
  const streams = await Promise.all([host.openStream(REF, REQUEST), host.openStream(REF, REQUEST)]);
  const wanted = Array.from({ length: 100_000 }, (_, piece) => `piece ${piece};`).join("");
  for (const stream of streams) {
    const { text, lastSeq } = await stream.finished;
    expect(text === wanted).toBe(true);
    expect(lastSeq).toBeLessThan(200);
  }
  await host.close();
});

test("[P3] at most 128 chunks go out in a tick, over all streams, and a pipe that is not read stops the author's function", async () => {
  let produced = 0;
  const { left: host, right, link } = createPair();
  attach(
    right,
    streaming(function* () {
      for (; produced < 5_000; produced++) yield { type: "tool_call_args_delta", argChars: produced };
    }),
    { pluginName: "acme", log: () => {}, redact: (text) => text },
  );
  let inTick = 0;
  let most = 0;
  let received = 0;
  host.onNotification("extension/provider/stream/chunk", () => {
    if (inTick === 0) setImmediate(() => (inTick = 0));
    inTick += 1;
    received += 1;
    most = Math.max(most, inTick);
  });
  await host.request("extension/initialize", {
    protocolId: "reasonix.extension.v2",
    protocolVersion: "2",
    manifest: {},
    session: { sessionId: "s", workspaceRoot: "/", generation: 1 },
    capabilities: {},
  });
  host.notify("extension/initialized", {});
  const open = (streamId: string) =>
    host.request("extension/provider/stream/open", { streamId, providerRef: REF, seqBase: 1, request: REQUEST });
  await open("s1");
  const release = link.hold("right");
  for (let tick = 0; tick < 50; tick++) await new Promise(setImmediate);
  expect(produced).toBeLessThanOrEqual(400);
  release();
  await vi.waitFor(() => expect(received).toBe(5_001), { timeout: 20_000 });
  expect(most).toBeLessThanOrEqual(128);
  host.close();
});

test("[P5] the queue joins neighbours up to 16 Ki characters and never cuts a character in two", () => {
  const queue = new ChunkQueue();
  queue.push("a".repeat(16_000));
  queue.push("b".repeat(384));
  queue.push("c");
  queue.push({ type: "reasoning", text: "d" });
  queue.push({ type: "reasoning", text: "e" });
  expect([queue.length, queue.chars]).toEqual([3, 16_387]);
  expect(queue.take()?.text?.length).toBe(16_384);
  expect([queue.take(), queue.take(), queue.take()]).toEqual([
    { type: "text", text: "c" },
    { type: "reasoning", text: "de" },
    undefined,
  ]);
  queue.push(`x${"🎉".repeat(200_000)}`);
  const pieces: string[] = [];
  for (let chunk = queue.take(); chunk !== undefined; chunk = queue.take()) pieces.push(chunk.text ?? "");
  expect(pieces.map((piece) => piece.length)).toEqual([262_143, 137_858]);
  expect(pieces.every((piece) => Buffer.from(piece).toString() === piece)).toBe(true);
});
