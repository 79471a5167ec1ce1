/** What goes wrong between us and a provider, and what a person then reads. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StoredMessage } from "../../src/ports.ts";
import { startScriptedServer, streamOf, textStep, type Reply, type ScriptedServer } from "../scripted-server/index.ts";
import { ask, collect, requestOf } from "./collect.ts";
import { KEY, providerAt } from "./provider.ts";

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

const KINDS = ["openai", "anthropic"] as const;
const hi: StoredMessage = { role: "user", content: "hi" };

function status(code: number, message: string, headers: { readonly [name: string]: string } = {}): Reply {
  return { kind: "status", status: code, headers, body: JSON.stringify({ error: { message } }) };
}

describe.each(KINDS)("%s", (kind) => {
  test.each([
    [401, "bad key", "lab refused the API key (401): bad key. Check LAB_KEY, or run `reasonix setup`."],
    [403, "not in your plan", "lab refused access (403): not in your plan. Check LAB_KEY, or run `reasonix setup`."],
    [
      402,
      "Insufficient Balance",
      "lab has no credit left for this key (402): Insufficient Balance. Top up the account that LAB_KEY belongs to.",
    ],
    [
      400,
      "too long",
      "lab refused the request (400): too long. Check model, effort and headers of provider lab in config.toml.",
    ],
    [503, "busy", "lab has trouble of its own (503): busy. Try again later."],
  ])("status %d is told with the provider's words and the next step", async (code, message, text) => {
    server.push(status(code, message));
    const { failure, chunks } = await ask(providerAt(kind, server.url), requestOf(hi));
    expect(chunks).toEqual([]);
    expect(failure).toMatchObject({
      kind: "failed",
      providerRef: "lab/m-1",
      status: code,
      message: text,
      retryable: code === 503,
    });
  });

  test("an unknown model is named, with the address", async () => {
    server.push(status(404, "no such model"));
    const { failure } = await ask(providerAt(kind, server.url), requestOf(hi));
    expect(failure?.message).toBe(
      `lab does not know the model "m-1" (404): no such model. Check models and base_url of provider lab in config.toml (${server.url}/v1).`,
    );
  });

  test.each([
    [{ "retry-after": "7" }, 7_000, "It asks to wait 7 s."],
    [{ "retry-after": "Tue, 01 Jan 2030 00:02:05 GMT" }, 125_000, "It asks to wait 2 min 5 s."],
    [{ "retry-after-ms": "1500", "retry-after": "9" }, 1_500, "It asks to wait 1.5 s."],
    [{ "retry-after": "soon" }, undefined, "Wait a little and try again."],
    [{}, undefined, "Wait a little and try again."],
  ])("429 with %j", async (headers, wait, next) => {
    server.push(status(429, "slow down", { ...headers }));
    const { failure } = await ask(providerAt(kind, server.url), requestOf(hi));
    expect(failure).toMatchObject({ status: 429, retryable: true });
    expect(failure?.retryAfterMillis).toBe(wait);
    expect(failure?.message).toBe(`lab limits the rate of requests (429): slow down. ${next}`);
  });

  test("a spent quota is no rate limit", async () => {
    const body = JSON.stringify({ error: { code: "insufficient_quota", message: "You exceeded your quota" } });
    server.push({ kind: "status", status: 429, body });
    const { failure } = await ask(providerAt(kind, server.url), requestOf(hi));
    expect(failure).toMatchObject({ status: 429, retryable: false });
    expect(failure?.message).toMatch(/no credit left/);
  });

  test("a conversation that is too long for the model", async () => {
    const body = JSON.stringify({ error: { code: "context_length_exceeded", message: "at most 8192 tokens" } });
    server.push({ kind: "status", status: 400, body });
    const { failure } = await ask(providerAt(kind, server.url), requestOf(hi));
    expect(failure).toMatchObject({ status: 400, retryable: false });
    expect(failure?.message).toBe(
      "The conversation is longer than lab/m-1 takes (400): at most 8192 tokens. Compact it, or choose a model with a larger window.",
    );
  });

  test("[X3] keys in a provider's words are redacted, control characters are gone", async () => {
    server.push(status(401, `Incorrect API key: ${KEY} or sk-fixture-abcdefghijklmnop1234 \u001b[31mred\u0007`));
    const { failure } = await ask(providerAt(kind, server.url), requestOf(hi));
    expect(failure?.message).toMatch(/\[redacted\]/);
    expect(failure?.message).not.toContain("fixture");
    expect(failure?.message).toMatch(/ red\. /);
    expect((failure?.message ?? "").split("").filter((character) => character < " ")).toEqual([]);
  });

  test("an HTML page in place of an error or of a stream", async () => {
    server.push({
      kind: "status",
      status: 502,
      headers: { "content-type": "text/html" },
      body: "<h1>Bad Gateway</h1>",
    });
    const error = (await ask(providerAt(kind, server.url), requestOf(hi))).failure;
    expect(error?.message).toBe('lab has trouble of its own (502): "<h1>Bad Gateway</h1>". Try again later.');

    server.push({ kind: "status", status: 200, headers: { "content-type": "text/html" }, body: "<h1>Hello</h1>" });
    const page = (await ask(providerAt(kind, server.url), requestOf(hi))).failure;
    expect(page).toMatchObject({ kind: "failed", retryable: false });
    expect(page?.message).toMatch(
      /answered with "text\/html" in place of an event stream: "<h1>Hello<\/h1>"\. Check base_url/,
    );
  });

  test("a redirect is told and not followed, so that no key goes elsewhere", async () => {
    const before = server.requests.length;
    server.push({ kind: "status", status: 307, headers: { location: `${server.url}/v2/messages` }, body: "" });
    const { failure } = await ask(providerAt(kind, server.url), requestOf(hi));
    expect(failure?.message).toMatch(/^lab redirects to "http:.*\/v2\/messages" \(307\)/);
    expect(server.requests.length - before).toBe(1);
  });

  test("a missing key is told before anything is sent, and so is an unusable one, unseen", async () => {
    const before = server.requests.length;
    const missing = (await ask(providerAt(kind, server.url, { key: undefined }), requestOf(hi))).failure;
    expect(missing).toMatchObject({ kind: "unavailable", providerRef: "lab/m-1" });
    expect(missing?.message).toMatch(/lab\/m-1 needs an API key and LAB_KEY is not set\. Run `reasonix setup`/);
    const broken = (await ask(providerAt(kind, server.url, { key: "two\nlines" }), requestOf(hi))).failure;
    expect(broken?.message).toMatch(/value of LAB_KEY has characters that no API key has/);
    expect(broken?.message).not.toMatch(/two|lines/);
    expect(server.requests.length).toBe(before);
  });

  test("nobody listens: the address is named, and it is not tried again", async () => {
    const port = await freePort();
    const model = providerAt(kind, `http://127.0.0.1:${port}`);
    const { failure } = await ask(model, requestOf(hi));
    expect(failure).toMatchObject({ kind: "unavailable" });
    expect(failure?.message).toBe(
      `Nothing listens at http://127.0.0.1:${port}/v1 (ECONNREFUSED). Start the server of provider lab, or correct its base_url in config.toml.`,
    );
  });

  test("a cut connection keeps what came and is interrupted", async () => {
    server.push(streamOf(textStep("half an answ"), { kind: "cut" }));
    const { failure, text } = await ask(providerAt(kind, server.url), requestOf(hi));
    expect(text).toBe("half an answ");
    expect(failure).toMatchObject({ kind: "interrupted" });
    expect(failure?.message).toMatch(/^The connection to lab broke off before its answer was whole/);
  });

  test("a stream that ends early is interrupted, and its half-received call never runs", async () => {
    server.push(streamOf(textStep("a"), { kind: "call", id: "c", name: "bash", arguments: "{}" }, { kind: "end" }));
    const { failure, calls } = await ask(providerAt(kind, server.url), requestOf(hi));
    expect(calls).toEqual([]);
    expect(failure).toMatchObject({
      kind: "interrupted",
      message: "lab closed the connection before its answer was whole. Try again.",
    });
  });

  test("an event that was cut in two by the end is an interruption, not a malformed one", async () => {
    server.push(streamOf(textStep("a"), { kind: "raw", text: 'data: {"type":"content_bl' }, { kind: "end" }));
    expect((await ask(providerAt(kind, server.url), requestOf(hi))).failure).toMatchObject({ kind: "interrupted" });
  });

  test.each([
    ["overloaded_error", kind === "anthropic" ? 529 : 503, true],
    ["invalid_request_error", kind === "anthropic" ? 400 : undefined, false],
  ])("an error in mid-stream: %s", async (type, code, retryable) => {
    server.push(streamOf(textStep("so far"), { kind: "error", type, message: `Overload of ${KEY}` }));
    const { failure, text } = await ask(providerAt(kind, server.url), requestOf(hi));
    expect(text).toBe("so far");
    expect(failure).toMatchObject({ kind: "failed", retryable });
    expect(failure?.status).toBe(code);
    expect(failure?.message).toBe(
      `lab reported an error in the middle of its answer: ${type}: Overload of [redacted].`,
    );
  });

  test("an event that is no JSON names address and kind", async () => {
    server.push(streamOf({ kind: "raw", text: "data: <html>\n\n" }));
    const { failure } = await ask(providerAt(kind, server.url), requestOf(hi));
    expect(failure).toMatchObject({ kind: "failed", retryable: false });
    expect(failure?.message).toMatch(/sent an event that is not understood: "<html>"\..*kind/);
  });

  test("silence has a bound, before the answer and inside it", async () => {
    server.push(streamOf(textStep("a"), { kind: "stall" }));
    const inside = await ask(providerAt(kind, server.url, { waits: { silenceMillis: 500 } }), requestOf(hi));
    expect(inside.text).toBe("a");
    expect(inside.failure).toMatchObject({ kind: "interrupted" });
    expect(inside.failure?.message).toMatch(/^lab stopped in the middle of its answer and said nothing for 500 ms/);
    expect(await server.requests.at(-1)?.ended).toBe("broken");

    server.push({ kind: "mute" });
    const before = await ask(providerAt(kind, server.url, { waits: { firstByteMillis: 100 } }), requestOf(hi));
    expect(before.failure?.message).toMatch(/^lab did not answer within 100 ms/);
    expect(await server.requests.at(-1)?.ended).toBe("broken");
  });

  test("keep-alive comments are no silence", async () => {
    const beat = [
      { kind: "pause", millis: 30 },
      { kind: "comment", text: "keep-alive" },
    ] as const;
    server.push(streamOf(...Array.from({ length: 25 }, () => beat).flat(), textStep("late")));
    const answer = await ask(providerAt(kind, server.url, { waits: { silenceMillis: 600 } }), requestOf(hi));
    expect([answer.text, answer.failure]).toEqual(["late", null]);
  });

  test("cancelling ends the exchange at once, and the server sees it", async () => {
    server.push(streamOf(textStep("a"), { kind: "stall" }));
    const caller = new AbortController();
    const stream = providerAt(kind, server.url).stream(requestOf(hi), { signal: caller.signal });
    const iterator = stream[Symbol.asyncIterator]();
    expect((await iterator.next()).done).toBe(false);
    const rest = collect({ [Symbol.asyncIterator]: () => iterator });
    caller.abort();
    expect((await rest).failure).toMatchObject({ kind: "cancelled", message: "The request to lab/m-1 was cancelled." });
    expect(await server.requests.at(-1)?.ended).toBe("broken");

    const before = server.requests.length;
    const late = await ask(providerAt(kind, server.url), requestOf(hi), { signal: caller.signal });
    expect(late.failure).toMatchObject({ kind: "cancelled" });
    expect(server.requests.length).toBe(before);
  });

  test("a reader that leaves the loop closes the connection", async () => {
    server.push(streamOf(textStep("a"), { kind: "stall" }));
    for await (const batch of providerAt(kind, server.url).stream(requestOf(hi), {})) {
      expect(batch.length).toBeGreaterThan(0);
      break;
    }
    expect(await server.requests.at(-1)?.ended).toBe("broken");
  });
});

async function freePort(): Promise<number> {
  const probe = await startScriptedServer();
  await probe.close();
  return Number(new URL(probe.url).port);
}
