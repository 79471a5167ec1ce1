import { afterEach, beforeEach, expect, test } from "vitest";
import { StreamFailure } from "../src/index.ts";
import { done, end, hello, listen, offering, provider, refOf, text, textOf } from "./support/offers.ts";
import { fakeClock } from "./support/fake-clock.ts";
import { setStage, until, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

const usage = (tokens: number) => ({
  promptTokens: tokens,
  completionTokens: 2,
  totalTokens: tokens + 2,
  cacheHitTokens: 5,
  cacheMissTokens: 6,
  reasoningTokens: 0,
});

test("[P3] [P5] a stream is opened with the request and read to its end, every kind of chunk in its order", async () => {
  const toolCall = { id: "c1", name: "bash", arguments: '{"command":"ls"}' };
  const steps = [
    { chunk: { seq: 1, type: "reasoning", text: "hm", signature: "sig" } },
    text(2, "Hello"),
    { chunk: { seq: 3, type: "tool_call_start", toolCall: { ...toolCall, arguments: "" } } },
    { chunk: { seq: 4, type: "tool_call_args_delta", argChars: 16 } },
    { chunk: { seq: 5, type: "tool_call", toolCall } },
    { chunk: { seq: 6, type: "usage", usage: usage(10) } },
    done(7),
    end(7),
  ];
  const host = await stage.host([provider(stage, "maker", steps)]);
  const heard = await listen(host, refOf("maker"), { effort: "high" });
  expect(heard).toEqual({
    error: null,
    chunks: [
      { type: "reasoning", text: "hm", signature: "sig" },
      { type: "text", text: "Hello" },
      { type: "tool_call_start", toolCall: { ...toolCall, arguments: "" } },
      { type: "tool_call_args_delta", argChars: 16 },
      { type: "tool_call", toolCall },
      { type: "usage", usage: usage(10) },
      { type: "done" },
    ],
  });
  const [open] = await stage.frames("maker", "extension/provider/stream/open");
  expect(open?.params).toEqual({
    streamId: "stream-1",
    providerRef: "plugin/maker/acme/m1",
    model: "m1",
    effort: "high",
    seqBase: 1,
    generation: 1,
    epoch: expect.stringMatching(/^[0-9a-f-]{36}$/),
    request: hello,
  });
  expect(await stage.frames("maker", "extension/provider/stream/cancel")).toEqual([]);
});

test("[P4] [case P-01] shuffled and doubled chunks come once and in order", async () => {
  const steps = [text(2, "B"), text(1, "A"), text(2, "B"), done(4), text(3, "C"), end(4)];
  const host = await stage.host([provider(stage, "maker", steps)]);
  const heard = await listen(host, refOf("maker"));
  expect(textOf(heard)).toBe("ABC");
  expect(heard.chunks.filter(({ type }) => type === "done")).toHaveLength(1);
  expect(heard.error).toBeNull();
});

test.each([
  ["1 and 3 of 3", [text(1, "A"), text(3, "C"), end(3)], "A", "chunk 2 never came"],
  ["1 to 3 of 5", [text(1, "A"), text(2, "B"), text(3, "C"), end(5)], "ABC", "chunk 4 never came"],
])(
  "[P4] [case P-02] a hole ends the stream as interrupted, with what came before: %s",
  async (_title, steps, came, why) => {
    const host = await stage.host([provider(stage, "maker", steps)]);
    const heard = await listen(host, refOf("maker"));
    expect(textOf(heard)).toBe(came);
    expect(heard.error).toMatchObject({ kind: "interrupted", reason: "stream_gap", providerRef: refOf("maker") });
    expect(String(heard.error)).toContain(why);
    expect(String(heard.error)).toContain('plugin "maker"');
  },
);

test("[P4] [case P-02] what waits behind a hole is bounded: chunk 1,025 ends the stream at once", async () => {
  const waiting = Array.from({ length: 1_025 }, (_, index) => text(index + 3, "x"));
  const host = await stage.host([provider(stage, "maker", [text(1, "A"), ...waiting])]);
  const heard = await listen(host, refOf("maker"));
  expect(textOf(heard)).toBe("A");
  expect(String(heard.error)).toContain("chunk 2 never came, and 1025 chunks");
});

test.each([
  ["nothing for 120 s", [text(1, "A")], 120_000, "A", "it sent nothing for"],
  ["a hole for 10 s", [text(2, "B")], 10_000, "", "chunk 1 never came"],
  ["no end 5 s after done", [text(1, "A"), done(2)], 5_000, "A", 'after "done"'],
])("[P4] a stream that does not go on ends as interrupted: %s", async (_title, steps, millis, came, why) => {
  const clock = fakeClock();
  // The answer to a question that follows shows that all before it was read.
  const probe = { ui: { surfaceId: "s", kind: "status", payload: { label: "x" } } };
  const host = await stage.host([provider(stage, "maker", [...steps, probe])], { clock });
  const lease = host.lease();
  const heard = listen(lease, refOf("maker"));
  await until(async () => (await stage.log("maker")).some((entry) => entry["ui"] !== undefined));
  clock.advance(millis - 1);
  clock.advance(1);
  const result = await heard;
  expect(textOf(result)).toBe(came);
  expect(result.error).toMatchObject({ kind: "interrupted", plugin: "maker" });
  expect(String(result.error)).toContain(why);
  await until(async () => (await stage.frames("maker", "extension/provider/stream/cancel")).length === 1);
  lease.release();
});

test.each([
  [
    "an unknown member",
    {
      raw: '{"jsonrpc":"2.0","method":"extension/provider/stream/chunk","params":{"streamId":"$STREAM","seq":2,"chunk":{"type":"text","txt":"B"}}}',
    },
    'unknown field "txt" at /chunk/txt',
  ],
  [
    "a tool call without the call",
    { chunk: { seq: 2, type: "tool_call" } },
    'missing field "toolCall" at /chunk/toolCall',
  ],
  [
    "no stream's name",
    { raw: '{"jsonrpc":"2.0","method":"extension/provider/stream/chunk","params":{"seq":2,"chunk":{"type":"text"}}}' },
    'missing field "streamId" at /streamId',
  ],
])("[T5] [P3] a chunk that fails validation fails the stream at once with its path: %s", async (_title, bad, why) => {
  const host = await stage.host([provider(stage, "maker", [text(1, "A"), bad])]);
  const heard = await listen(host, refOf("maker"));
  expect(textOf(heard)).toBe("A");
  expect(heard.error).toMatchObject({ kind: "failed", reason: "provider_failed" });
  expect(String(heard.error)).toContain(why);
});

test.each([
  [
    "an error chunk",
    [
      {
        chunk: {
          seq: 1,
          type: "error",
          error: { code: "provider_failed", message: "401 for sk-live0123456789abcdef" },
        },
      },
      end(1),
    ],
    "failed",
  ],
  [
    "an interrupted chunk",
    [
      {
        chunk: {
          seq: 1,
          type: "error",
          error: { code: "provider_interrupted", message: "cut, key=sk-live0123456789abcdef" },
        },
      },
      end(1),
    ],
    "interrupted",
  ],
  ["an end with an error", [end(0, { error: "401 for sk-live0123456789abcdef" })], "failed"],
  ["an interrupted end", [end(0, { interrupted: true, error: "cut: Bearer sk-live0123456789abcdef" })], "interrupted"],
])("[P6] [X3] [case X-01] provider errors are redacted by the host too: %s", async (_title, steps, kind) => {
  const host = await stage.host([provider(stage, "maker", steps)]);
  const { error } = await listen(host, refOf("maker"));
  expect(error).toMatchObject({ kind, plugin: "maker" });
  expect(String(error)).toContain("[redacted]");
  expect(String(error)).not.toContain("live0123456789");
});

test("[X3] [case X-03] what a model says is passed on byte for byte, secrets and all", async () => {
  const said = "use sk-live0123456789abcdef\u001b[31m as key=hunter22\u0000";
  const host = await stage.host([provider(stage, "maker", [text(1, said), done(2), end(2)])]);
  expect(textOf(await listen(host, refOf("maker")))).toBe(said);
});

test("[P9] [L7] [L6] [case P-03] a process that dies inside a tool call fails the stream and is told by name until a reload", async () => {
  const start = { id: "c1", name: "bash", arguments: "" };
  const steps = [
    text(1, "Let me"),
    { chunk: { seq: 2, type: "tool_call_start", toolCall: start } },
    { stderr: "token=s3cr3tvalue99 is gone\n" },
    { exit: 9 },
  ];
  const spec = provider(stage, "maker", steps);
  const host = await stage.host([spec, provider(stage, "other", [text(1, "fine"), done(2), end(2)])]);
  const heard = await listen(host, refOf("maker"));
  expect(textOf(heard)).toBe("Let me");
  expect(heard.chunks.some(({ type }) => type === "tool_call" || type === "done")).toBe(false);
  expect(heard.error).toMatchObject({ kind: "interrupted", retryable: false, plugin: "maker" });
  expect(String(heard.error)).toContain("exit code 9");
  expect(String(heard.error)).not.toContain("s3cr3tvalue99");
  const again = await listen(host, refOf("maker"));
  expect(again.error).toMatchObject({ kind: "unavailable" });
  expect(String(again.error)).toContain("exit code 9");
  // This host is headless: nobody is there to reload.
  expect(String(again.error)).not.toContain("Reload");
  expect(textOf(await listen(host, refOf("other")))).toBe("fine");
  await host.reload({ specs: [provider(stage, "maker", [text(1, "back"), done(2), end(2)])] });
  expect(textOf(await listen(host, refOf("maker")))).toBe("back");
});

test("[P7] who stops listening, or aborts, cancels the stream, and the sidecar stops producing", async () => {
  const flood = { flood: { chunks: 1_000_000, text: "x".repeat(512) } };
  const host = await stage.host([provider(stage, "maker", [flood])]);
  const aborting = new AbortController();
  const lease = host.lease();
  let seen = 0;
  const aborted = (async () => {
    for await (const batch of lease.stream(refOf("maker"), hello, { signal: aborting.signal })) {
      seen += batch.length;
      if (seen > 500) aborting.abort(new Error("no more"));
    }
  })();
  await expect(aborted).rejects.toMatchObject({ kind: "cancelled", providerRef: refOf("maker") });
  for await (const batch of lease.stream(refOf("maker"), hello, {})) if (batch.length > 0) break;
  lease.release();
  await until(async () => (await stage.log("maker")).filter((entry) => entry["flooded"] !== undefined).length === 2);
  const stopped = (await stage.log("maker")).filter((entry) => entry["flooded"] !== undefined);
  expect(stopped.map((entry) => entry["stopped"])).toEqual([true, true]);
});

test("[P7] a stream whose caller had given up is never opened", async () => {
  const host = await stage.host([provider(stage, "maker", [text(1, "A"), done(2), end(2)])]);
  const { error } = await listen(host, refOf("maker"), { signal: AbortSignal.abort(new Error("gone")) });
  expect(error).toMatchObject({ kind: "cancelled" });
  expect(await stage.frames("maker", "extension/provider/stream/open")).toEqual([]);
});

test.each([
  [
    { error: { code: -32000, message: "quota of key=sk-live0123456789abcdef", data: { reason: "provider_failed" } } },
    "failed",
    "quota of key=[redacted]",
  ],
  [
    { error: { code: -32000, message: "try later", data: { reason: "provider_interrupted" } } },
    "interrupted",
    "try later",
  ],
  [{ result: { accepted: false } }, "failed", "does not accept"],
  [{ result: { ok: true } }, "failed", 'unknown field "ok" at /ok'],
])("[P6] a stream that is not opened says why: %j", async (open, kind, why) => {
  const host = await stage.host([provider(stage, "maker", [], { open })]);
  const { error, chunks } = await listen(host, refOf("maker"));
  expect(chunks).toEqual([]);
  expect(error).toMatchObject({ kind, plugin: "maker" });
  expect(String(error)).toContain(why);
});

test("[P3] an opening that is not answered within 30 s fails", async () => {
  const clock = fakeClock();
  const host = await stage.host([provider(stage, "maker", [], { open: { hang: true } })], { clock });
  const heard = listen(host, refOf("maker"));
  await until(async () => (await stage.frames("maker", "extension/provider/stream/open")).length === 1);
  clock.advance(30_000);
  const { error } = await heard;
  expect(error).toBeInstanceOf(StreamFailure);
  expect(error).toMatchObject({ kind: "failed", retryable: false });
});

test("[P8] [case P-08] the last usage counts and comes once; without one none is made up", async () => {
  const twice = [
    { chunk: { seq: 1, type: "usage", usage: usage(10) } },
    text(2, "A"),
    { chunk: { seq: 3, type: "done", usage: usage(20) } },
    { chunk: { seq: 4, type: "usage", usage: usage(30) } },
    end(4),
  ];
  const host = await stage.host([
    provider(stage, "twice", twice),
    provider(stage, "never", [text(1, "A"), done(2), end(2)]),
  ]);
  const heard = await listen(host, refOf("twice"));
  expect(heard.chunks).toEqual([{ type: "text", text: "A" }, { type: "usage", usage: usage(30) }, { type: "done" }]);
  const without = await listen(host, refOf("never"));
  expect(without.chunks).toEqual([{ type: "text", text: "A" }, { type: "done" }]);
});

test("[P3] chunks with another generation's or epoch's stamp are dropped", async () => {
  const stale = (seq: number, stamp: object) => ({ chunk: { seq, type: "text", text: "stale", stamp } });
  const steps = [stale(1, { generation: 7 }), stale(1, { epoch: "old" }), text(1, "new"), done(2), end(2)];
  const host = await stage.host([provider(stage, "maker", steps)]);
  expect(textOf(await listen(host, refOf("maker")))).toBe("new");
});

test("[P3] a sidecar that produces faster than its chunks are used waits, and nothing is lost", async () => {
  const flood = { flood: { chunks: 30_000, text: "x".repeat(1_000) } };
  const host = await stage.host([provider(stage, "maker", [flood, end(30_000)])]);
  const lease = host.lease();
  let chunks = 0;
  let largest = 0;
  for await (const batch of lease.stream(refOf("maker"), hello, {})) {
    chunks += batch.length;
    largest = Math.max(largest, batch.length);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  lease.release();
  expect(chunks).toBe(30_000);
  // 1 MiB may wait, and what one read brings; 30 MB came in all.
  expect(largest).toBeLessThan(3_000);
});

test("[P3] a reader that waits for an intercept of the very sidecar that floods it gets its answer", async () => {
  const flood = { flood: { chunks: 5_000, text: "x".repeat(1_000) } };
  const spec = provider(
    stage,
    "maker",
    [flood, end(5_000)],
    {},
    {
      capabilities: ["providers", "interceptors"],
      intercepts: ["frontend.event"],
      required: true,
    },
  );
  const host = await stage.host([spec]);
  const lease = host.lease();
  let chunks = 0;
  for await (const batch of lease.stream(refOf("maker"), hello, {})) {
    chunks += batch.length;
    expect(await lease.rule("frontend.event", { kind: "text", text: "x" }, {})).toMatchObject({ kind: "proceed" });
  }
  lease.release();
  expect(chunks).toBe(5_000);
});

test("[I10] the owner of provider:<ref> whose catalogue lists its own plugin/<own>/<ref> serves the model in its place", async () => {
  const own = "plugin/maker/deepseek/chat";
  const spec = offering(
    stage,
    "maker",
    { capabilities: ["providers", "strategies"], replaces: ["provider:deepseek/chat", "provider:openai/gpt"] },
    { init: { providers: [{ ref: own }] }, streams: { [own]: [text(1, "mine"), done(2), end(2)] } },
  );
  const host = await stage.host([spec]);
  const lease = host.lease();
  expect(lease.providerFor("deepseek/chat")).toBe(own);
  expect(lease.providerFor("openai/gpt")).toBeNull();
  expect(lease.providerFor("deepseek/other")).toBeNull();
  expect(textOf(await listen(lease, own))).toBe("mine");
  lease.release();
});

test("[P11] a ref that nobody offers is unavailable and names the plugin", async () => {
  const host = await stage.host([provider(stage, "maker", [])]);
  const missing = await listen(host, "plugin/nobody/a/b");
  expect(missing.error).toMatchObject({ kind: "unavailable", providerRef: "plugin/nobody/a/b" });
  expect(String(missing.error)).toContain('no plugin "nobody" runs');
  const other = await listen(host, "plugin/maker/acme/m2");
  expect(String(other.error)).toContain('plugin "maker" does not offer it');
});
