import { createHook } from "node:async_hooks";
import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS, ModelFailure, type Models, type ModelChunk } from "../src/index.ts";
import {
  bench,
  blocked,
  calls,
  failed,
  replaced,
  says,
  scriptedModel,
  tableExtensions,
  type BenchOptions,
} from "./support.ts";

const ALL = [
  "session.start",
  "session.load",
  "session.save",
  "session.rotate",
  "session.end",
  "system_prompt.build",
  "input.receive",
  "agent.before_start",
  "context.prepare",
  "provider.request",
  "provider.response",
  "tool.before",
  "permission.decision",
  "tool.after",
] as const;

/** A model whose stream is given as a function. */
function streaming(stream: (signal: AbortSignal | undefined) => AsyncIterable<readonly ModelChunk[]>): Models {
  const model = {
    ref: "test/stream",
    descriptor: { ref: "test/stream" },
    stream: (_request: unknown, options: { readonly signal?: AbortSignal }) => stream(options.signal),
  };
  return { resolve: () => model, list: () => [] };
}

describe("a turn", () => {
  it("[I1] fires its points in the order of the contract", async () => {
    const extensions = tableExtensions({}, { wants: ALL });
    const { session } = await bench({
      models: scriptedModel([calls(["bash", { command: "ls" }]), says("done")]),
      extensions,
    });
    await session.turn("one");
    await session.turn("two");
    await session.rotate();
    await session.close();
    expect(extensions.asked.map(({ point }) => point)).toEqual([
      "system_prompt.build",
      "session.start",
      "input.receive",
      "agent.before_start",
      "context.prepare",
      "provider.request",
      "provider.response",
      "tool.before",
      "permission.decision",
      "tool.after",
      "context.prepare",
      "provider.request",
      "provider.response",
      "session.save",
      "input.receive",
      "agent.before_start",
      "context.prepare",
      "provider.request",
      "provider.response",
      "session.save",
      "session.rotate",
      "session.end",
      "session.start",
      "session.end",
    ]);
    expect(extensions.leases.taken).toBe(extensions.leases.released);
    const provider = extensions.asked.find(({ point }) => point === "provider.request");
    expect(provider?.scope.modelRef).toBe("test/scripted");
  });

  it.each([
    ["input.receive", 0],
    ["agent.before_start", 0],
    ["context.prepare", 0],
    ["provider.request", 0],
    ["provider.response", 1],
  ] as const)("[I6] %s blocked ends the turn with the reason", async (point, requests) => {
    const models = scriptedModel([calls(["bash", { command: "touch ran" }])]);
    const extensions = tableExtensions({ [point]: () => blocked("not today") });
    const { session, of } = await bench({ models, extensions });
    const result = await session.turn("go");
    expect(result).toMatchObject({ outcome: "blocked", text: "Blocked by guard: not today" });
    expect(models.requests).toHaveLength(requests);
    expect(of("tool_dispatch")).toEqual([]);
    expect(of("turn_done")).toMatchObject([{ outcome: "blocked", text: "Blocked by guard: not today" }]);
  });

  it.each(["input.receive", "agent.before_start", "context.prepare", "provider.request", "provider.response"] as const)(
    "[I13] %s failed ends the turn as failed with the cause",
    async (point) => {
      const extensions = tableExtensions({ [point]: () => failed(`guard failed at ${point}`) });
      const { session } = await bench({ models: scriptedModel([says("hi")]), extensions });
      expect(await session.turn("go")).toMatchObject({ outcome: "failed", text: `guard failed at ${point}` });
      expect(await session.turn("again")).toMatchObject({ outcome: "failed" });
    },
  );

  it("a blocked input leaves nothing in the transcript, and the next turn is as if it had not been", async () => {
    let block = true;
    const extensions = tableExtensions({
      "input.receive": (payload) => (block ? blocked("no") : { kind: "proceed", payload, changedBy: [] }),
    });
    const models = scriptedModel([says("hi")]);
    const { session } = await bench({ models, extensions });
    await session.turn("first");
    expect(session.entries).toEqual([]);
    block = false;
    await session.turn("second");
    expect(models.requests[0]?.messages.map((message) => message.role)).toEqual(["system", "user"]);
  });

  it("[I7] stores what provider.response made of an answer and shows it in place of the streamed text", async () => {
    const extensions = tableExtensions({
      "provider.response": (payload) => replaced<"provider.response">({ ...payload, text: "polite answer" }),
    });
    const models = scriptedModel([says("rude answer")]);
    const { session, of } = await bench({ models, extensions });
    expect(await session.turn("go")).toMatchObject({ outcome: "done", text: "polite answer" });
    expect(of("message")).toEqual([{ kind: "message", text: "polite answer", replaced: true }]);
    await session.turn("more");
    expect(models.requests[1]?.messages.map((message) => message.content).slice(1)).toEqual([
      "go",
      "polite answer",
      "more",
    ]);
  });

  it("[I7] context.prepare and provider.request change one request and not the transcript", async () => {
    const extensions = tableExtensions({
      "context.prepare": ({ messages }) =>
        replaced<"context.prepare">({ messages: [...messages, { role: "system", content: "for now" }] }),
      "provider.request": ({ request }) => replaced<"provider.request">({ request: { ...request, temperature: 0.5 } }),
    });
    const models = scriptedModel([says("hi")]);
    const { session } = await bench({ models, extensions });
    await session.turn("go");
    await session.turn("go on");
    expect(models.requests.map((request) => request.temperature)).toEqual([0.5, 0.5]);
    expect(models.requests.map((request) => request.messages.filter((one) => one.content === "for now"))).toEqual([
      [{ role: "system", content: "for now" }],
      [{ role: "system", content: "for now" }],
    ]);
    expect(session.entries).toHaveLength(4);
  });

  it("[R1] keeps the generation that it pinned, and the next turn takes the live one", async () => {
    let generation = 1;
    const seen: number[] = [];
    const extensions = tableExtensions({}, { wants: ["system_prompt.build"], generation: () => generation });
    const models = scriptedModel([
      () => {
        seen.push(generation);
        generation = 2;
        return calls(["bash", { command: "true" }]);
      },
      says("done"),
    ]);
    const { session } = await bench({ models, extensions });
    await session.turn("one");
    const builds = () => extensions.asked.filter(({ point }) => point === "system_prompt.build").length;
    expect(builds()).toBe(1);
    expect(extensions.leases).toEqual({ taken: 2, released: 2 });
    await session.turn("two");
    expect(builds()).toBe(2);
    expect(seen).toEqual([1]);
  });

  it("fails with the cause while system_prompt.build fails, and works when it does again", async () => {
    let broken = true;
    const extensions = tableExtensions({
      "system_prompt.build": (payload) =>
        broken ? failed("prompter died") : replaced<"system_prompt.build">({ ...payload, prompt: "be kind" }),
    });
    const models = scriptedModel([says("hi")]);
    const { session } = await bench({ models, extensions });
    expect(await session.turn("go")).toMatchObject({ outcome: "failed", text: "prompter died" });
    broken = false;
    expect(await session.turn("go")).toMatchObject({ outcome: "done" });
    expect(models.requests[0]?.messages[0]).toEqual({ role: "system", content: "be kind" });
  });

  it("[P9] [L7] a failing model ends the turn with its own words and no other model is asked", async () => {
    const asked: string[] = [];
    const models: Models = {
      list: () => [],
      resolve(ref) {
        asked.push(ref);
        return {
          ref,
          descriptor: { ref },
          async *stream() {
            yield [{ type: "text", text: "so far" }];
            throw new ModelFailure(`plugin acme is down`, { kind: "failed", providerRef: ref });
          },
        };
      },
    };
    const { session } = await bench({ models, model: "plugin/acme/x/y" });
    expect(await session.turn("go")).toMatchObject({ outcome: "failed", text: "plugin acme is down" });
    expect(new Set(asked)).toEqual(new Set(["plugin/acme/x/y"]));
    expect(session.entries.at(-1)).toEqual({
      kind: "message",
      partial: true,
      message: { role: "assistant", content: "so far\n\n[This answer broke off here.]" },
    });
  });

  it("[case P-03] runs no tool of an answer that broke off, also not one that came whole", async () => {
    const models = streaming(async function* () {
      yield [
        { type: "tool_call", toolCall: { id: "1", name: "bash", arguments: '{"command":"touch ran"}' } },
        { type: "tool_call_start", toolCall: { id: "2", name: "bash", arguments: "" } },
      ];
      throw new ModelFailure("the sidecar died", { kind: "interrupted", providerRef: "test/stream", retryable: false });
    });
    const { session, of } = await bench({ models });
    expect(await session.turn("go")).toMatchObject({ outcome: "failed", text: "the sidecar died" });
    expect(of("tool_dispatch")).toEqual([]);
  });

  it("asks the same model again before the first piece, and says so", async () => {
    let attempts = 0;
    const models = streaming(async function* () {
      attempts++;
      if (attempts === 1)
        throw new ModelFailure("busy", {
          kind: "failed",
          providerRef: "test/stream",
          status: 429,
          retryAfterMillis: 1,
        });
      yield says("fine");
    });
    const { session, of } = await bench({ models });
    expect(await session.turn("go")).toMatchObject({ outcome: "done", text: "fine" });
    expect(of("retrying")).toEqual([{ kind: "retrying", attempt: 1, delayMillis: 1, text: "busy" }]);
    expect(of("stream_attempt").map((event) => event.attempt)).toEqual([1, 2]);
  });

  it("keeps a partial answer when it is interrupted, and goes on with the next turn", async () => {
    const stop = new AbortController();
    let first = true;
    const models = streaming(async function* (signal) {
      if (!first) {
        yield says("whole");
        return;
      }
      first = false;
      yield [{ type: "text", text: "half an ans" }];
      stop.abort();
      await new Promise((_resolve, reject) => {
        if (signal?.aborted === true) reject(new Error("aborted"));
        signal?.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
      });
    });
    const { session } = await bench({ models });
    expect(await session.turn("go", { signal: stop.signal })).toMatchObject({ outcome: "interrupted" });
    expect(session.entries.at(-1)).toMatchObject({
      partial: true,
      message: { content: "half an ans\n\n[This answer broke off here.]" },
    });
    expect(await session.turn("again")).toMatchObject({ outcome: "done", text: "whole" });
  });

  it("interrupts a running command with its tree and gives every call a result", async () => {
    const stop = new AbortController();
    const models = scriptedModel([
      calls(["bash", { command: "echo started; sleep 600" }], ["bash", { command: "touch never" }]),
      says("done"),
    ]);
    const { session, of, events } = await bench({ models });
    const turn = session.turn("go", { signal: stop.signal });
    await until(() => events.some((event) => event.kind === "tool_progress"));
    stop.abort();
    expect(await turn).toMatchObject({ outcome: "interrupted", text: "The turn was interrupted." });
    expect(of("tool_result").map((event) => event.text)).toEqual([
      "started\n[interrupted]",
      "The turn was interrupted before this call ran.",
    ]);
    expect(await session.turn("again")).toMatchObject({ outcome: "done" });
    const roles = models.requests.at(-1)?.messages.map((message) => message.role);
    expect(roles).toEqual(["system", "user", "assistant", "tool", "tool", "user"]);
  });

  it("closes calls that an interruption at a permission prompt left open", async () => {
    const stop = new AbortController();
    const options: BenchOptions = {
      models: scriptedModel([calls(["bash", { command: "ls" }]), says("done")]),
      settings: {
        permissions: {
          mode: "danger-full-access",
          approvals: "ask",
          rules: { allow: [], ask: [], deny: [] },
          addedDirs: [],
          protectedPaths: [],
          network: false,
        },
      },
      person: {
        present: true,
        ask: async () => ({ kind: "cancelled" }),
        askPermission: (_request, { signal }) =>
          new Promise((_resolve, reject) => {
            signal?.addEventListener("abort", () => reject(new Error("nobody answered")), { once: true });
            stop.abort();
          }),
      },
    };
    const { session } = await bench(options);
    expect(await session.turn("go", { signal: stop.signal })).toMatchObject({ outcome: "interrupted" });
    expect(session.entries.at(-1)).toMatchObject({ message: { role: "tool", name: "bash" } });
    expect(await session.turn("again")).toMatchObject({ outcome: "done" });
  });

  it("stops at its limits: steps, repeated calls, cost", async () => {
    const limits = { ...DEFAULT_LIMITS, maxSteps: 3, maxRepeats: 3 };
    let count = 0;
    const busy = await bench({
      models: scriptedModel([() => calls(["bash", { command: `echo ${++count}` }])]),
      settings: { limits },
    });
    expect(await busy.session.turn("go")).toMatchObject({
      outcome: "failed",
      steps: 3,
      text: 'The turn reached its limit of 3 steps. Say "go on" to let it continue.',
    });

    const looping = await bench({
      models: scriptedModel([calls(["bash", { command: "echo same" }])]),
      settings: { limits: { ...limits, maxSteps: 100 } },
    });
    const result = await looping.session.turn("go");
    expect(result).toMatchObject({
      outcome: "failed",
      text: "The model called bash with the same arguments again and again.",
    });
    expect(looping.of("tool_started")).toHaveLength(3);
    expect(looping.of("tool_result").at(3)?.text).toContain("bash was not run again");

    const usage = {
      promptTokens: 1_000_000,
      completionTokens: 0,
      totalTokens: 1_000_000,
      cacheHitTokens: 0,
      cacheMissTokens: 1_000_000,
      reasoningTokens: 0,
    };
    const dear = await bench({
      models: scriptedModel([() => [{ type: "usage", usage }, ...calls(["bash", { command: `echo ${++count}` }])]], {
        inputPerMillion: 2,
        outputPerMillion: 8,
        pricingCurrency: "EUR",
        contextWindow: 100_000_000,
      }),
      settings: { limits: { ...limits, maxSteps: 100, maxCost: 5 } },
    });
    expect(await dear.session.turn("go")).toMatchObject({
      outcome: "failed",
      steps: 3,
      cost: 6,
      currency: "EUR",
      text: "The session has cost 6.0000 EUR, which reaches its limit of 5 EUR.",
    });
  });

  it("[P8] [case P-08] counts the last usage, and absent as unknown", async () => {
    const usage = (promptTokens: number, cacheHitTokens: number) => ({
      promptTokens,
      completionTokens: 10,
      totalTokens: promptTokens + 10,
      cacheHitTokens,
      cacheMissTokens: promptTokens - cacheHitTokens,
      reasoningTokens: 0,
    });
    const { session, of } = await bench({
      models: scriptedModel(
        [
          [
            { type: "text", text: "a" },
            { type: "usage", usage: usage(1, 0) },
            { type: "usage", usage: usage(100, 40) },
          ],
          says("b"),
        ],
        { inputPerMillion: 1_000_000, outputPerMillion: 1_000_000, cacheHitPerMillion: 100_000 },
      ),
    });
    expect((await session.turn("go")).cost).toBe(74);
    expect((await session.turn("again")).cost).toBeNull();
    expect(session.spent).toMatchObject({ requests: 2, counted: 1, promptTokens: 100, cacheHitTokens: 40, cost: 74 });
    expect(of("turn_done").map((event) => [event.usage, event.cost])).toEqual([
      [usage(100, 40), 74],
      [undefined, undefined],
    ]);
  });

  it("[K1] makes no promise more for extensions that want nothing than for none at all", async () => {
    const none = await promisesOf(null);
    const idle = await promisesOf(tableExtensions({}));
    expect(none).toBeGreaterThan(10);
    expect(idle).toBe(none);
  });
});

/** Promises made by a warm turn with one tool call that needs no process. */
async function promisesOf(extensions: BenchOptions["extensions"]): Promise<number> {
  const models = scriptedModel([
    calls(["todo_write", { todos: [] }]),
    says("done"),
    calls(["todo_write", { todos: [] }]),
    says("done"),
  ]);
  const { session } = await bench({ models, extensions: extensions ?? null });
  await session.turn("warm");
  let promises = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === "PROMISE") promises++;
    },
  }).enable();
  await session.turn("counted");
  hook.disable();
  return promises;
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error("the condition did not come true within 20 s");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
