/** When a model is asked again, after how long, and when not. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isModelFailure, type FailureFacts } from "../../src/models/failure.ts";
import { isRetryable, retryDelay, streamWithRetry } from "../../src/models/retry.ts";
import type { Model } from "../../src/ports.ts";
import { startScriptedServer, streamOf, textStep, type Reply, type ScriptedServer } from "../scripted-server/index.ts";
import { collect, requestOf, type Collected } from "./collect.ts";
import { providerAt } from "./provider.ts";

const facts = (rest: Partial<FailureFacts>): FailureFacts => ({ kind: "failed", providerRef: "lab/m-1", ...rest });

describe("retryDelay", () => {
  test.each([
    [facts({ status: 503 }), 1, 1_000],
    [facts({ status: 503 }), 2, 2_000],
    [facts({ status: 503 }), 3, 4_000],
    [facts({ status: 503 }), 4, null],
    [facts({ status: 429, retryAfterMillis: 7_000 }), 1, 7_000],
    [facts({ status: 429, retryAfterMillis: 0 }), 3, 0],
    [facts({ status: 429, retryAfterMillis: 60_001 }), 1, null],
    [facts({ kind: "interrupted" }), 1, 1_000],
    [facts({ status: 400 }), 1, null],
    [facts({}), 1, null],
    [facts({ kind: "unavailable" }), 1, null],
    [facts({ kind: "cancelled" }), 1, null],
  ])("%j after attempt %d", (failure, attempt, delay) => {
    expect(retryDelay(failure, attempt)).toBe(delay);
  });

  test("what the failure says of itself counts more than its status", () => {
    expect(isRetryable(facts({ status: 429, retryable: false }))).toBe(false);
    expect(isRetryable(facts({ kind: "cancelled", retryable: true }))).toBe(false);
  });
});

describe("streamWithRetry", () => {
  let server: ScriptedServer;
  beforeAll(async () => {
    server = await startScriptedServer();
  });
  afterAll(() => server.close());

  interface Run extends Collected {
    readonly waits: readonly number[];
    readonly attempts: readonly number[];
    readonly requests: number;
  }

  async function run(...replies: readonly Reply[]): Promise<Run> {
    const before = server.requests.length;
    server.push(...replies);
    const waits: number[] = [];
    const attempts: number[] = [];
    const retries: number[] = [];
    const clock = { sleep: async (millis: number) => void waits.push(millis) };
    const stream = streamWithRetry(providerAt("openai", server.url), requestOf({ role: "user", content: "hi" }), {
      clock,
      onAttempt: (attempt) => void attempts.push(attempt),
      onRetry: ({ delayMillis }) => void retries.push(delayMillis),
    });
    const collected = await collect(stream);
    expect(retries).toEqual(waits);
    return { ...collected, waits, attempts, requests: server.requests.length - before };
  }

  const limited: Reply = { kind: "status", status: 429, headers: { "retry-after": "3" }, body: "{}" };
  const down: Reply = { kind: "status", status: 503, body: "{}" };

  test("429, then a cut before the first chunk, then an answer", async () => {
    const result = await run(
      limited,
      streamOf({ kind: "comment", text: "keep-alive" }, { kind: "cut" }),
      streamOf(textStep("ok")),
    );
    expect([result.text, result.failure]).toEqual(["ok", null]);
    expect(result.waits).toEqual([3_000, 2_000]);
    expect(result.attempts).toEqual([1, 2, 3]);
  });

  test("[P9] gives up after four requests to the same model, and asks no other", async () => {
    const result = await run(down, down, down, down);
    expect(result.failure).toMatchObject({ kind: "failed", status: 503, providerRef: "lab/m-1" });
    expect([result.waits, result.requests]).toEqual([[1_000, 2_000, 4_000], 4]);
    const bodies = server.requests.slice(-4).map((request) => JSON.parse(request.body.toString("utf8")).model);
    expect(bodies).toEqual(["m-1", "m-1", "m-1", "m-1"]);
  });

  test.each([
    ["text", textStep("shown")],
    ["reasoning", { kind: "reasoning", text: "hm" }],
    ["a call's start", { kind: "call", id: "c", name: "bash", arguments: "{}" }],
  ] as const)("never after %s was passed on", async (_, step) => {
    const result = await run(streamOf(step, { kind: "cut" }));
    expect(result.failure).toMatchObject({ kind: "interrupted" });
    expect([result.requests, result.waits, result.calls]).toEqual([1, [], []]);
  });

  test("a refusal is not asked again", async () => {
    const result = await run({ kind: "status", status: 401, body: "{}" });
    expect([result.failure?.status, result.requests]).toEqual([401, 1]);
  });

  test("cancelling ends the wait", async () => {
    server.push(down);
    const caller = new AbortController();
    const clock = {
      sleep: (_: number, { signal }: { readonly signal?: AbortSignal }) =>
        new Promise<void>((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(new Error("aborted")));
          caller.abort();
        }),
    };
    const request = requestOf({ role: "user", content: "hi" });
    const stream = streamWithRetry(providerAt("openai", server.url), request, { clock, signal: caller.signal });
    expect((await collect(stream)).failure).toMatchObject({ kind: "cancelled" });
  });

  test("an error that is no failure of a model passes through", async () => {
    const broken: Model = {
      ref: "x/y",
      descriptor: { ref: "x/y" },
      stream: () => {
        throw new TypeError("a bug");
      },
    };
    const stream = streamWithRetry(broken, requestOf(), { clock: { sleep: () => Promise.resolve() } });
    await expect(collect(stream)).rejects.toThrow(TypeError);
    expect(isModelFailure(new TypeError("a bug"))).toBe(false);
  });
});
