/** The offline model reads the last user message as a script. */
import { describe, expect, test } from "vitest";
import { OFFLINE_HINT, OFFLINE_REF, offlineModel } from "../../src/models/offline.ts";
import type { StoredMessage } from "../../src/ports.ts";
import { ask, requestOf } from "./collect.ts";

const user = (content: string): StoredMessage => ({ role: "user", content });
const result = (id: string, content: string): StoredMessage => ({ role: "tool", tool_call_id: id, content });
const called = (id: string, name: string, args: string): StoredMessage => ({
  role: "assistant",
  content: "",
  tool_calls: [{ id, name, arguments: args }],
});

describe("offline/scripted", () => {
  test("repeats what was typed, and the answer holds nothing else", async () => {
    const answer = await ask(offlineModel(), requestOf(user("hi")));
    expect(answer.text).toBe("You said: hi");
    expect(answer.failure).toBeNull();
    expect(OFFLINE_REF).toBe("offline/scripted");
    expect(OFFLINE_HINT).toMatch(/offline model.*reasonix setup/);
  });

  test("`hi` and a TOOL line: one bash call, then `bash: ok` and `You said: hi`", async () => {
    const input = user('hi\nTOOL bash {"command":"echo ok"}');
    const first = await ask(offlineModel(), requestOf(input));
    expect(first.text).toBe("");
    expect(first.calls).toEqual([{ id: "offline_1", name: "bash", arguments: '{"command":"echo ok"}' }]);
    expect(first.chunks.map((chunk) => chunk.type)).toEqual([
      "tool_call_start",
      "tool_call_args_delta",
      "tool_call",
      "usage",
      "done",
    ]);

    const then = [input, called("offline_1", "bash", '{"command":"echo ok"}'), result("offline_1", "ok\nmore\n")];
    const second = await ask(offlineModel(), requestOf(...then));
    expect(second.calls).toEqual([]);
    expect(second.text).toBe("bash: ok\nYou said: hi");
  });

  test("several TOOL lines are one request after another, each with the reasoning above it", async () => {
    const input = user("THINK first\nTOOL a {}\nTHINK second\nTOOL b {}\nTHINK third\none\r\ntwo");
    const first = await ask(offlineModel(), requestOf(input));
    expect([first.reasoning, first.calls[0]?.name]).toEqual(["first", "a"]);

    const afterFirst = [input, called("offline_1", "a", "{}"), result("offline_1", "A")];
    const second = await ask(offlineModel(), requestOf(...afterFirst));
    expect([second.reasoning, second.calls[0]]).toEqual(["second", { id: "offline_2", name: "b", arguments: "{}" }]);

    const afterSecond = [...afterFirst, called("offline_2", "b", "{}"), result("offline_2", "B")];
    const third = await ask(offlineModel(), requestOf(...afterSecond));
    expect([third.reasoning, third.text, third.calls]).toEqual(["third", "a: A\nb: B\nYou said: one\ntwo", []]);
  });

  test("only what follows the last user message counts as progress", async () => {
    const history = [user("TOOL a {}"), called("offline_1", "a", "{}"), result("offline_1", "A"), user("TOOL b {}")];
    expect((await ask(offlineModel(), requestOf(...history))).calls).toEqual([
      { id: "offline_2", name: "b", arguments: "{}" },
    ]);
  });

  test("REPEAT makes a long answer, and characters outside the base plane stay whole", async () => {
    const { chunks, text } = await ask(offlineModel(), requestOf(user("REPEAT 3 ab😀cd😀ef😀gh😀")));
    expect(text).toBe("ab😀cd😀ef😀gh😀\nab😀cd😀ef😀gh😀\nab😀cd😀ef😀gh😀");
    const pieces = chunks.flatMap((chunk) => (chunk.type === "text" ? [chunk.text ?? ""] : []));
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.filter((piece) => /^[\udc00-\udfff]|[\ud800-\udbff]$/.test(piece))).toEqual([]);
  });

  test.each([
    ["TOOL time is over", "You said: TOOL time is over"],
    ["REPEAT it please", "You said: REPEAT it please"],
    ["", "You said: "],
    ["a\n\nb", "You said: a\n\nb"],
  ])("what is no instruction is text: %j", async (content, expected) => {
    expect((await ask(offlineModel(), requestOf(user(content)))).text).toBe(expected);
  });

  test("calls no tool when none is offered", async () => {
    const request = { ...requestOf(user("TOOL bash {}")), tools: [] };
    const { text, calls } = await ask(offlineModel(), request);
    expect([text, calls]).toEqual(["You said: TOOL bash {}", []]);
  });

  test("[case P-08] usage is plausible, counts the repeated prefix as a cache hit, and is the same each time", async () => {
    const tools: [] = [];
    const short = { messages: [user("12345678")], tools, maxTokens: 0 };
    const long = {
      ...short,
      messages: [...short.messages, { role: "assistant" as const, content: "abcd" }, user("xyz1")],
    };
    const usageOf = async (request: typeof short): Promise<unknown> =>
      (await ask(offlineModel(), request)).chunks.find((chunk) => chunk.type === "usage");
    expect(await usageOf(short)).toEqual({
      type: "usage",
      usage: {
        promptTokens: 3,
        completionTokens: 5,
        totalTokens: 8,
        cacheHitTokens: 0,
        cacheMissTokens: 3,
        reasoningTokens: 0,
        finishReason: "stop",
      },
    });
    expect(await usageOf(long)).toMatchObject({ usage: { promptTokens: 5, cacheHitTokens: 3, cacheMissTokens: 2 } });
    expect(await ask(offlineModel(), long)).toEqual(await ask(offlineModel(), long));
  });

  test("a long answer stops when the caller no longer wants it", async () => {
    const caller = new AbortController();
    setImmediate(() => caller.abort());
    const request = requestOf(user("REPEAT 1000000 and so on"));
    const { failure, chunks } = await ask(offlineModel(), request, { signal: caller.signal });
    expect(failure).toMatchObject({ kind: "cancelled", providerRef: "offline/scripted" });
    expect(chunks.length).toBeLessThan(1_000);
  });
});
