/** Chat completions against a real server: what is sent, and what streamed answers become. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StoredMessage } from "../../src/ports.ts";
import { startScriptedServer, streamOf, textStep, type ScriptedServer } from "../scripted-server/index.ts";
import { ask, requestOf } from "./collect.ts";
import { KEY, providerAt } from "./provider.ts";

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

const hi: StoredMessage = { role: "user", content: "hi" };

function lastBody(): string {
  return server.requests.at(-1)?.body.toString("utf8") ?? "";
}

describe("a streamed chat completion", () => {
  test("text, reasoning, tool calls in pieces, usage with cache counts, in one order", async () => {
    server.push({
      kind: "stream",
      steps: [
        { kind: "reasoning", text: "Let me think 🤔." },
        textStep("I look."),
        { kind: "call", id: "c1", name: "bash", arguments: '{"command":"ls"}' },
        { kind: "call", id: "c2", name: "read_file", arguments: '{"path":"ä"}' },
      ],
      usage: { prompt: 100, completion: 20, cacheHit: 64, reasoning: 7 },
    });
    const answer = await ask(providerAt("openai", server.url), requestOf(hi));
    expect(answer.failure).toBeNull();
    expect([answer.reasoning, answer.text]).toEqual(["Let me think 🤔.", "I look."]);
    expect(answer.calls).toEqual([
      { id: "c1", name: "bash", arguments: '{"command":"ls"}' },
      { id: "c2", name: "read_file", arguments: '{"path":"ä"}' },
    ]);
    const types = answer.chunks.map((chunk) => chunk.type);
    expect([...new Set(types)]).toEqual([
      "reasoning",
      "text",
      "tool_call_start",
      "tool_call_args_delta",
      "tool_call",
      "native",
      "usage",
      "done",
    ]);
    expect(answer.chunks.findLast((chunk) => chunk.type === "tool_call_args_delta")).toEqual({
      type: "tool_call_args_delta",
      toolCall: { id: "c2", name: "read_file", arguments: "" },
      argChars: 12,
    });
    expect(answer.chunks.at(-2)).toEqual({
      type: "usage",
      usage: {
        promptTokens: 100,
        completionTokens: 20,
        totalTokens: 120,
        cacheHitTokens: 64,
        cacheMissTokens: 36,
        reasoningTokens: 7,
        finishReason: "tool_calls",
      },
    });
  });

  test.each([1, 3, 7, 1_024])("the same answer when the network cuts it every %d bytes", async (splitBytes) => {
    const steps = [
      textStep("Grüße, 世界 👩‍👩‍👧 "),
      { kind: "call", id: "c", name: "bash", arguments: '{"a":"€"}' },
    ] as const;
    server.push({ kind: "stream", steps, splitBytes });
    const answer = await ask(providerAt("openai", server.url), requestOf(hi));
    expect(answer.failure).toBeNull();
    expect(answer.text).toBe("Grüße, 世界 👩‍👩‍👧 ");
    expect(answer.calls).toEqual([{ id: "c", name: "bash", arguments: '{"a":"€"}' }]);
  });

  test("what one network read brings is one batch", async () => {
    const events = Array.from({ length: 500 }, (_, n) => `data: {"choices":[{"delta":{"content":"${n},"}}]}\n\n`);
    server.push(streamOf({ kind: "raw", text: events.join("") }));
    const answer = await ask(providerAt("openai", server.url), requestOf(hi));
    expect(answer.chunks.filter((chunk) => chunk.type === "text")).toHaveLength(500);
    expect(answer.batches).toBeLessThan(50);
  });

  test("keep-alive comments, CRLF, unknown members and a missing last blank line are no trouble", async () => {
    const raw = 'data: {"choices":[{"delta":{"content":"b","new":1}}],"x":{}}\r\n\r\n';
    server.push(streamOf({ kind: "comment", text: "keep-alive" }, textStep("a"), { kind: "raw", text: raw }));
    expect((await ask(providerAt("openai", server.url), requestOf(hi))).text).toBe("ab");

    server.push(streamOf(textStep("c"), { kind: "raw", text: "data: [DONE]" }, { kind: "end" }));
    const answer = await ask(providerAt("openai", server.url), requestOf(hi));
    expect([answer.text, answer.failure]).toEqual(["c", null]);
  });

  test("[case P-08] the last usage wins, and none told is none passed on", async () => {
    const early = 'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}\n\n';
    server.push({
      kind: "stream",
      steps: [{ kind: "raw", text: early }, textStep("a")],
      usage: { prompt: 9, completion: 3 },
    });
    const two = await ask(providerAt("openai", server.url), requestOf(hi));
    expect(two.chunks.filter((chunk) => chunk.type === "usage")).toMatchObject([
      { usage: { promptTokens: 9, totalTokens: 12 } },
    ]);

    server.push({ kind: "stream", steps: [textStep("a")], usage: null });
    const none = await ask(providerAt("openai", server.url), requestOf(hi));
    expect(none.chunks.map((chunk) => chunk.type)).toEqual(["text", "done"]);
  });

  test("cached tokens as OpenAI tells them, and calls whose pieces have no index", async () => {
    const usage = { prompt_tokens: 50, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 30 } };
    const pieces = [
      { tool_calls: [{ id: "a", function: { name: "one", arguments: "" } }] },
      { tool_calls: [{ function: { arguments: '{"n":' } }] },
      { tool_calls: [{ id: "a", function: { arguments: "1}" } }] },
      {
        tool_calls: [
          {
            id: "b",
            function: { name: "two", arguments: "{}" },
            extra_content: { google: { thought_signature: "seal" } },
          },
        ],
      },
    ];
    const events = [...pieces.map((delta) => ({ choices: [{ delta }] })), { choices: [], usage }];
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    server.push({ kind: "stream", steps: [{ kind: "raw", text }], usage: null });
    const answer = await ask(providerAt("openai", server.url), requestOf(hi));
    expect(answer.calls).toEqual([
      { id: "a", name: "one", arguments: '{"n":1}' },
      { id: "b", name: "two", arguments: "{}", thought_signature: "seal" },
    ]);
    expect(answer.chunks.find((chunk) => chunk.type === "usage")).toMatchObject({
      usage: { promptTokens: 50, totalTokens: 52, cacheHitTokens: 30, cacheMissTokens: 20 },
    });
  });

  test("of an answer that reached its bound, half a call is no call", async () => {
    const whole = { kind: "call", id: "c1", name: "bash", arguments: '{"command":"ls"}' } as const;
    const half = { kind: "call", id: "c2", name: "bash", arguments: '{"comm' } as const;
    server.push({ ...streamOf(whole, half), finish: "length" });
    const answer = await ask(providerAt("openai", server.url), requestOf(hi));
    expect(answer.calls).toEqual([{ id: "c1", name: "bash", arguments: '{"command":"ls"}' }]);
    expect(answer.chunks.at(-2)).toMatchObject({ usage: { finishReason: "length" } });
  });

  test("a connection that brought a whole answer serves later requests too", async () => {
    const ports = new Set<string | undefined>();
    for (let n = 0; n < 10; n++) {
      await ask(providerAt("openai", server.url), requestOf(hi));
      ports.add(server.requests.at(-1)?.clientPort);
    }
    expect(ports.size).toBeLessThan(5);
  });
});

describe("a request", () => {
  test("has its members in a fixed order, the key in the header alone, and extra headers", async () => {
    const settings = { effort: "low", max_tokens: 500, headers: { "X-Team": "blue" } };
    const model = providerAt("openai", server.url, { settings });
    const request = {
      ...requestOf({ role: "system", content: "Be brief." }, hi),
      temperature: 0,
      responseFormat: { type: "text" },
    };
    await ask(model, request, { effort: "high" });
    expect(lastBody()).toBe(
      '{"model":"m-1","stream":true,"stream_options":{"include_usage":true},"max_tokens":500,"temperature":0,' +
        '"reasoning_effort":"high","response_format":{"type":"text"},' +
        '"tools":[{"type":"function","function":{"name":"bash","description":"Runs a command.","parameters":{"type":"object"}}}],' +
        '"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"hi"}]}',
    );
    const sent = server.requests.at(-1);
    expect([sent?.method, sent?.path]).toEqual(["POST", "/v1/chat/completions"]);
    expect(sent?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      "x-team": "blue",
      "content-type": "application/json",
    });
    expect(lastBody()).not.toContain(KEY);
  });

  test("[R7] is a byte prefix of the next one, reasoning of tool calls included", async () => {
    const model = providerAt("openai", server.url);
    const messages: StoredMessage[] = [
      { role: "system", content: "S" },
      { role: "user", content: 'THINK hm\nTOOL bash {"a":1}' },
    ];
    const bodies: string[] = [];
    for (let n = 0; n < 3; n++) {
      const answer = await ask(model, requestOf(...messages));
      bodies.push(lastBody());
      const native = answer.chunks.find((chunk) => chunk.type === "native")?.native;
      messages.push({
        role: "assistant",
        content: answer.text,
        reasoning_content: answer.reasoning,
        ...(answer.calls.length === 0 ? {} : { tool_calls: answer.calls }),
        ...(native === undefined ? {} : { native }),
      });
      const call = answer.calls[0];
      if (call !== undefined) messages.push({ role: "tool", tool_call_id: call.id, content: "done" });
      else messages.push({ role: "user", content: "THINK again\nmore" });
    }
    const [first = "", second = "", third = ""] = bodies;
    expect(second.startsWith(first.slice(0, -2))).toBe(true);
    expect(third.startsWith(second.slice(0, -2))).toBe(true);
    expect(second).toContain('"reasoning_content":"hm"');
    expect(third).not.toContain('"reasoning_content":"again"');
  });

  test("reasoning of another provider is not given to this one", async () => {
    const answer: StoredMessage = {
      role: "assistant",
      content: "",
      reasoning_content: "secret thoughts",
      tool_calls: [{ id: "c", name: "bash", arguments: "{}" }],
      native: { provider: "other", blocks: [{ type: "reasoning_content" }] },
    };
    await ask(
      providerAt("openai", server.url),
      requestOf(hi, answer, { role: "tool", tool_call_id: "c", content: "x" }),
    );
    expect(lastBody()).not.toContain("secret thoughts");
  });

  test("images go to a model that sees, and a note to one that does not", async () => {
    const png = "data:image/png;base64,AAAA";
    const messages: StoredMessage[] = [
      { role: "user", content: "look", images: [png] },
      { role: "assistant", content: "", tool_calls: [{ id: "c", name: "view_image", arguments: "{broken" }] },
      { role: "tool", tool_call_id: "c", content: "an image", images: [png] },
    ];
    await ask(providerAt("openai", server.url, { settings: { vision: true } }), requestOf(...messages));
    expect(JSON.parse(lastBody())).toMatchObject({
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "look" },
            { type: "image_url", image_url: { url: png } },
          ],
        },
        { role: "assistant", content: "", tool_calls: [{ function: { arguments: '{"unparsed":"{broken"}' } }] },
        { role: "tool", content: "an image", tool_call_id: "c" },
        { role: "user", content: [{ type: "image_url", image_url: { url: png } }] },
      ],
    });
    await ask(providerAt("openai", server.url), requestOf(...messages));
    expect(lastBody()).not.toContain("base64");
    expect(lastBody()).toContain("look\\n[1 image left out: this model takes no images]");
  });

  test("a header of the settings takes the place of ours, however it is spelled", async () => {
    const settings = { headers: { Authorization: "Token other" } };
    await ask(providerAt("openai", server.url, { settings }), requestOf(hi));
    expect(server.requests.at(-1)?.headers["authorization"]).toBe("Token other");
  });

  test("a query in base_url stays, and without api_key_env no key is sent", async () => {
    const settings = { base_url: `${server.url}/deploy/?api-version=2`, api_key_env: null };
    await ask(providerAt("openai", server.url, { settings }), requestOf(hi));
    expect(server.requests.at(-1)?.path).toBe("/deploy/chat/completions?api-version=2");
    expect(server.requests.at(-1)?.headers["authorization"]).toBeUndefined();
  });
});
