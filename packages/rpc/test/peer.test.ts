/** Calls, replies, handlers and closing, over the in-memory pair. */
import { setMaxListeners } from "node:events";
import { describe, expect, it } from "vitest";
import {
  CallAborted,
  CallTimeout,
  ConnectionClosed,
  createDeadline,
  createPair,
  FrameTooLarge,
  rawJson,
  RpcError,
  writtenJson,
  writtenNotification,
  type Pair,
  type PeerOptions,
} from "../src/index.ts";
import { manualClock } from "./manual-clock.ts";

/** What `left` wrote, as text. */
function spiedPair(left: PeerOptions = {}, right: PeerOptions = {}): Pair & { readonly sent: string[] } {
  const sent: string[] = [];
  const trace: PeerOptions["trace"] = (direction, frame) => direction === "out" && sent.push(frame);
  return { ...createPair({ trace, ...left }, right), sent };
}

/** All that is under way has arrived: the pair delivers in microtasks only. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describe("calls", () => {
  it("[T1] carry params and a result", async () => {
    const { left, right } = createPair();
    right.onRequest("add", ({ a, b }) => ({ sum: Number(a) + Number(b) }));
    expect(await left.request("add", { a: 1, b: 2 })).toEqual({ sum: 3 });
    expect(left.pendingCalls).toBe(0);
  });

  it("[T1] [T4] are one object and one LF each, with integer ids", async () => {
    const { left, right, sent } = spiedPair();
    right.onRequest("m", () => ({}));
    await left.request("m");
    await left.request("m", { a: "é\n" }, { meta: { callId: "c1" } });
    left.notify("n", { b: 1 }, { meta: rawJson('{"agent":"main"}') });
    expect(sent).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"m"}\n',
      '{"jsonrpc":"2.0","id":2,"method":"m","params":{"a":"é\\n"},"_meta":{"callId":"c1"}}\n',
      '{"jsonrpc":"2.0","method":"n","params":{"b":1},"_meta":{"agent":"main"}}\n',
    ]);
  });

  it("[T1] splice JSON text that was serialised once", async () => {
    const { left, right, sent } = spiedPair();
    right.onRequest("m", (params) => rawJson(JSON.stringify(params)));
    const params = rawJson('{"payload" : {"text":"x"}}');
    expect(await left.request("m", params)).toEqual({ payload: { text: "x" } });
    expect(sent[0]).toBe('{"jsonrpc":"2.0","id":1,"method":"m","params":{"payload" : {"text":"x"}}}\n');
    expect(() => rawJson('{\n"a":1}')).toThrow(TypeError);
  });

  it("[T1] take a notification that was written once to many connections, told or observed", async () => {
    const told = writtenNotification("note", writtenJson('{"text":"é"}'), { callId: "c1" });
    const frame = '{"jsonrpc":"2.0","method":"note","params":{"text":"é"},"_meta":{"callId":"c1"}}\n';
    for (const way of ["notifyWritten", "observeWritten"] as const) {
      const { left, right, sent } = spiedPair();
      const heard: unknown[] = [];
      right.onNotification("note", (params, { meta }) => void heard.push([params, meta]));
      expect(left[way](told)).toBe(true);
      await left.flushed();
      await settled();
      expect(sent).toEqual([frame]);
      expect(heard).toEqual([[{ text: "é" }, { callId: "c1" }]]);
      left.close();
      expect(left[way](told)).toBe(false);
    }
    expect(told.bytes).toBe(Buffer.byteLength(frame));
  });

  it("[T4] refuse params that are no object before anything is written", async () => {
    const { left, sent } = spiedPair();
    await expect(left.request("m", [1])).rejects.toThrow("params must be an object, not an array");
    await expect(left.request("m", { big: 1n })).rejects.toThrow(TypeError);
    await expect(left.request("m", { toJSON: () => undefined })).rejects.toThrow(TypeError);
    expect(() => left.notify("n", [])).toThrow(TypeError);
    expect([sent, left.pendingCalls, left.reason]).toEqual([[], 0, undefined]);
  });

  it("[T1] turn an error reply into RpcError with code, message and data", async () => {
    const { left, right } = createPair();
    right.onRequest("fail", () => {
      throw new RpcError({ code: -32000, message: "no such ref", data: { reason: "content_ref_expired" } });
    });
    await expect(left.request("fail")).rejects.toMatchObject({
      name: "RpcError",
      code: -32000,
      message: "no such ref",
      data: { reason: "content_ref_expired" },
    });
  });

  it("[case I-08] end at their timeout and leave no timer", async () => {
    const clock = manualClock();
    const { left, right } = createPair({ clock });
    right.onRequest("m", () => ({}));
    right.onRequest("never", () => new Promise(() => {}));
    await left.request("m", {}, { timeoutMillis: 5_000 });
    expect(clock.timers).toBe(0);
    const call = left.request("never", {}, { timeoutMillis: 5_000 });
    clock.advance(4_999);
    expect(left.pendingCalls).toBe(1);
    clock.advance(1);
    await expect(call).rejects.toEqual(new CallTimeout("never", 5_000));
    expect([left.pendingCalls, clock.timers]).toEqual([0, 0]);
  });

  it("[I14] stand still while their deadline is held", async () => {
    const clock = manualClock();
    const { left, right, sent } = spiedPair({ clock });
    right.onRequest("never", () => new Promise(() => {}));
    const deadline = createDeadline(5_000, clock);
    const call = left.request("never", {}, { deadline });
    clock.advance(4_000);
    const release = deadline.hold();
    clock.advance(3_600_000);
    expect(left.pendingCalls).toBe(1);
    release();
    clock.advance(1_000);
    await expect(call).rejects.toBeInstanceOf(CallTimeout);
    // What is over when it begins is not sent.
    await expect(left.request("never", {}, { deadline })).rejects.toBeInstanceOf(CallTimeout);
    expect(sent).toHaveLength(1);
    expect(left.pendingCalls).toBe(0);
    expect(clock.timers).toBe(0);
  });

  it("[case I-08] end with the caller's signal, which keeps one listener for any number of calls", async () => {
    const warnings: string[] = [];
    const note = (warning: Error): void => void warnings.push(warning.name);
    process.on("warning", note);
    const { left, right, sent } = spiedPair();
    right.onRequest("never", () => new Promise(() => {}));
    const caller = new AbortController();
    setMaxListeners(1, caller.signal);
    const calls = Array.from({ length: 50 }, () => left.request("never", {}, { signal: caller.signal }));
    caller.abort(new Error("turn cancelled"));
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { name: "CallAborted", method: "never" } });
    }
    await expect(left.request("never", {}, { signal: caller.signal })).rejects.toBeInstanceOf(CallAborted);
    await settled();
    process.off("warning", note);
    expect([warnings, left.pendingCalls, sent.length]).toEqual([[], 0, 50]);
  });

  it("[T3] [case T-05] over the frame limit fail alone: nothing is written and the connection lives", async () => {
    const { left, right, sent } = spiedPair({ frameLimit: 100 }, { frameLimit: 100 });
    right.onRequest("m", ({ text }) => ({ length: String(text).length }));
    const overhead = '{"jsonrpc":"2.0","id":1,"method":"m","params":{"text":""}}'.length;
    const text = (bytes: number): string => "é".repeat((bytes - overhead) / 2);
    expect(await left.request("m", { text: text(100) })).toEqual({ length: (100 - overhead) / 2 });
    await expect(left.request("m", { text: text(102) })).rejects.toEqual(new FrameTooLarge("m", 102, 100));
    expect(() => left.notify("n", { text: text(200) })).toThrow(FrameTooLarge);
    expect([sent.length, left.pendingCalls, left.reason]).toEqual([1, 0, undefined]);
    expect(await left.request("m", { text: "" })).toEqual({ length: 0 });
  });
});

describe("replies", () => {
  it("[case T-08] late, doubled and never asked for are ignored with one line each", async () => {
    const clock = manualClock();
    const lines: string[] = [];
    const { left, right, link } = createPair({ clock, debug: (line) => lines.push(line) });
    let answer = (_text: string): void => {};
    right.onRequest("slow", () => new Promise((resolve) => (answer = resolve)));
    right.onRequest("fast", () => "first answer");
    const slow = left.request("slow", {}, { timeoutMillis: 5_000 });
    await settled();
    clock.advance(5_000);
    await expect(slow).rejects.toBeInstanceOf(CallTimeout);
    answer("late answer");
    await settled();
    expect(await left.request("fast")).toBe("first answer");
    link.inject("right", '{"jsonrpc":"2.0","id":2,"result":"SECOND ANSWER"}\n');
    link.inject("right", '{"jsonrpc":"2.0","id":77,"result":"UNKNOWN"}\n{"jsonrpc":"2.0","id":0,"result":"ZERO"}\n');
    await settled();
    expect(lines).toEqual([
      "ignored a reply to call 1, which has ended",
      "ignored a reply to call 2, which has ended",
      "ignored a reply to call 77, which was never made",
      "ignored a reply to call 0, which was never made",
    ]);
    expect(await left.request("fast")).toBe("first answer");
  });

  it("[T1] without id end the connection, or are a debug line where that is wanted", async () => {
    const frame = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}\n';
    const strict = createPair();
    strict.link.inject("right", frame);
    expect(await strict.left.closed).toMatchObject({
      kind: "protocol_error",
      what: 'an error reply whose "id" is null',
    });
    const lines: string[] = [];
    const lenient = createPair({ acceptUnaddressedErrors: true, debug: (line) => lines.push(line) });
    lenient.link.inject("right", frame);
    await settled();
    expect([lenient.left.reason, lines.length]).toEqual([undefined, 1]);
  });
});

describe("handlers", () => {
  it("[T1] answer -32601 for unknown methods; unknown notifications are ignored", async () => {
    const { left, right } = createPair();
    await expect(left.request("host/none")).rejects.toMatchObject({
      code: -32601,
      message: "method not found: host/none",
    });
    expect(left.notify("host/none", {})).toBe(true);
    await settled();
    expect(right.reason).toBeUndefined();
  });

  it("[T4] [case T-09] answer -32602 for params that are no object, and live on", async () => {
    const answers: string[] = [];
    const { left, right, link } = createPair({}, { trace: (way, frame) => way === "out" && answers.push(frame) });
    right.onRequest("m", () => ({ ok: true }));
    link.inject(
      "left",
      '{"jsonrpc":"2.0","id":0,"method":"m","params":[]}\n{"jsonrpc":"2.0","method":"m","params":7}\n',
    );
    await settled();
    expect(answers).toEqual([
      '{"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"params must be an object, not array"}}\n',
    ]);
    expect(await left.request("m")).toEqual({ ok: true });
  });

  it("[T4] take id 0 and absent params", async () => {
    const answers: string[] = [];
    const { right, link } = createPair({}, { trace: (way, frame) => way === "out" && answers.push(frame) });
    right.onRequest("m", (params, { id, meta }) => ({ params, id, meta }));
    link.inject("left", '{"jsonrpc":"2.0","id":0,"method":"m","_meta":{"agent":"main"}}\n');
    await settled();
    expect(answers).toEqual(['{"jsonrpc":"2.0","id":0,"result":{"params":{},"id":0,"meta":{"agent":"main"}}}\n']);
  });

  it("[E1] never tell what they threw, unless it is an RpcError or the policy says", async () => {
    const silent = createPair();
    silent.right.onRequest("m", () => Promise.reject(new Error("password hunter2")));
    await expect(silent.left.request("m")).rejects.toMatchObject({ code: -32603, message: "internal error" });
    const telling = createPair(
      {},
      {
        describeError: ({ kind, method }) => ({
          code: -32603,
          message: `${method}: ${kind}`,
          data: { retryable: true },
        }),
      },
    );
    telling.right.onRequest("m", () => {
      throw new Error("x");
    });
    await expect(telling.left.request("m")).rejects.toMatchObject({
      message: "m: handler_failed",
      data: { retryable: true },
    });
    await expect(telling.left.request("none")).rejects.toMatchObject({ message: "none: unknown_method" });
  });

  it("[T3] reply with an error when the result is over the limit or is no JSON", async () => {
    const { left, right } = createPair({}, { frameLimit: 200 });
    right.onRequest("big", () => "x".repeat(300));
    right.onRequest("odd", () => ({ value: 1n }));
    right.onRequest("nothing", () => undefined);
    right.onRequest("code", () => {
      throw new RpcError({ code: Number.NaN, message: "x" });
    });
    await expect(left.request("code")).rejects.toMatchObject({ code: -32603, message: "x" });
    await expect(left.request("big")).rejects.toMatchObject({
      code: -32603,
      message: "the reply of 336 bytes is over the frame limit of 200",
    });
    await expect(left.request("odd")).rejects.toMatchObject({ code: -32603 });
    expect(await left.request("nothing")).toBeNull();
  });

  it("[T1] are one a method", () => {
    const { left } = createPair();
    left.onRequest("m", () => ({}));
    expect(() => left.onRequest("m", () => ({}))).toThrow(TypeError);
    left.onNotification("m", () => {});
    expect(() => left.onNotification("m", () => {})).toThrow(TypeError);
  });

  it("[L6] see their signal fire when the connection closes", async () => {
    const { left, right } = createPair();
    const seen: unknown[] = [];
    right.onRequest("m", async (_params, { signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      seen.push(signal.reason);
    });
    const call = left.request("m");
    call.catch(() => {});
    await settled();
    left.close();
    await settled();
    expect(seen).toEqual([expect.any(ConnectionClosed)]);
  });

  it("[X3] of notifications that fail are told, with the method", async () => {
    const failures: [string, string][] = [];
    const { left, right } = createPair(
      {},
      { handlerFailed: (error, method) => failures.push([method, String(error)]) },
    );
    right.onNotification("now", () => {
      throw new Error("a");
    });
    right.onNotification("later", () => Promise.reject(new Error("b")));
    left.notify("now");
    left.notify("later");
    await settled();
    expect(failures).toEqual([
      ["now", "Error: a"],
      ["later", "Error: b"],
    ]);
    expect(right.reason).toBeUndefined();
  });

  it("[P4] may hold reading, so that a burst waits in the pipe and in order", async () => {
    const { left, right } = createPair();
    const heard: number[] = [];
    const waiting: (() => void)[] = [];
    right.onNotification(
      "chunk",
      ({ seq }) => {
        heard.push(Number(seq));
        return new Promise<void>((resolve) => waiting.push(resolve));
      },
      { holdsReading: true },
    );
    for (let seq = 1; seq <= 5; seq += 1) left.notify("chunk", { seq });
    for (let seq = 1; seq <= 5; seq += 1) {
      await settled();
      expect([heard.length, waiting.length]).toEqual([seq, 1]);
      waiting.pop()?.();
    }
    expect(heard).toEqual([1, 2, 3, 4, 5]);
  });

  it("[P3] [P4] hear all that came before the end, however long they hold reading", async () => {
    const heard: number[] = [];
    const waiting: (() => void)[] = [];
    const { left, right, link } = createPair();
    left.onNotification(
      "chunk",
      ({ seq }) => {
        heard.push(Number(seq));
        return new Promise<void>((resolve) => waiting.push(resolve));
      },
      { holdsReading: true },
    );
    const call = left.request("never");
    call.catch(() => {});
    const frames = [1, 2, 3].map((seq) => `{"jsonrpc":"2.0","method":"chunk","params":{"seq":${seq}}}\n`);
    link.inject("right", frames.join(""));
    right.end();
    for (let seq = 1; seq <= 3; seq += 1) {
      await settled();
      expect([heard.length, left.reason, left.pendingCalls]).toEqual([seq, undefined, 1]);
      waiting.pop()?.();
    }
    await expect(call).rejects.toBeInstanceOf(ConnectionClosed);
    expect([heard, left.reason?.kind]).toEqual([[1, 2, 3], "ended"]);
  });

  it("[T1] may hold and release while they run", async () => {
    const heard: number[] = [];
    const { left, right, link } = createPair();
    right.onNotification("n", ({ seq }) => {
      right.holdReading()();
      heard.push(Number(seq));
    });
    link.split("left", 7);
    for (let seq = 1; seq <= 5; seq += 1) left.notify("n", { seq });
    await settled();
    expect(heard).toEqual([1, 2, 3, 4, 5]);
  });

  it("[T1] are not asked more by a side that does not read their answers", async () => {
    let asked = 0;
    const { left, right, link } = createPair({ frameLimit: 1_000 }, { frameLimit: 1_000 });
    right.onRequest("m", () => {
      asked += 1;
      return "x".repeat(900);
    });
    const release = link.hold("right");
    const calls: Promise<unknown>[] = [];
    for (let round = 0; round < 20; round += 1) {
      calls.push(left.request("m"));
      await settled();
    }
    expect(asked).toBe(3);
    release();
    expect((await Promise.all(calls)).length).toBe(20);
    expect(asked).toBe(20);
  });

  it("[T1] stop reading while as many requests run as may, and answer them all", async () => {
    const { left, right } = createPair({}, { inboundCalls: 2 });
    const waiting: ((value: string) => void)[] = [];
    right.onRequest("m", () => new Promise((resolve) => waiting.push(resolve)));
    const calls = Array.from({ length: 6 }, () => left.request("m"));
    for (let round = 0; round < 3; round += 1) {
      await settled();
      expect(waiting.length).toBe(2);
      for (const answer of waiting.splice(0)) answer("done");
    }
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 6 }, () => "done"));
  });
});

describe("closing", () => {
  it("[L6] rejects every pending call with the cause, once, and refuses new ones", async () => {
    const clock = manualClock();
    const { left, link } = createPair({ clock });
    const signal = new AbortController().signal;
    const calls = [left.request("a"), left.request("b", {}, { timeoutMillis: 60_000, signal })];
    const cause = new Error("write EPIPE");
    link.fail(cause);
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { name: "ConnectionClosed", cause } });
    }
    left.close({ kind: "closed", message: "later" });
    expect(await left.closed).toEqual({ kind: "broken", message: "the pipe broke: write EPIPE", cause });
    await expect(left.request("c")).rejects.toMatchObject({
      message: "c: the connection is closed: the pipe broke: write EPIPE",
    });
    expect([left.notify("n"), left.observe("n"), left.pendingCalls, clock.timers]).toEqual([false, false, 0, 0]);
    await left.flushed();
  });

  it("[L6] by one side is the end of output to the other", async () => {
    const { left, right } = createPair();
    const call = left.request("never");
    right.close();
    await expect(call).rejects.toBeInstanceOf(ConnectionClosed);
    expect(left.reason).toEqual({ kind: "ended", message: "the other side ended its output" });
    expect(right.reason).toEqual({ kind: "closed", message: "this side closed it" });
  });

  it("[L5] of output alone still hears replies; then the other side answers what runs and ends too", async () => {
    const { left, right } = createPair();
    let answer = (_value: string): void => {};
    right.onRequest("m", () => new Promise((resolve) => (answer = resolve)));
    const call = left.request("m");
    left.end();
    await settled();
    expect([left.reason, right.reason?.kind]).toEqual([undefined, "ended"]);
    expect(left.notify("n")).toBe(false);
    await expect(left.request("n")).rejects.toThrow("this side ended its output");
    answer("at last");
    expect(await call).toBe("at last");
    expect((await left.closed).kind).toBe("ended");
  });

  it("[T1] says what it had of half a frame", async () => {
    const { left, link } = createPair();
    link.inject("right", '{"jsonrpc":"2.0","id":');
    await settled();
    link.cut();
    expect(await left.closed).toEqual({
      kind: "ended",
      message: "the other side ended its output in the middle of a frame, after 22 bytes of it",
      truncated: { bytes: 22, quote: '{"jsonrpc":"2.0","id":' },
    });
  });
});

describe("a violation", () => {
  it.each([
    ["[db] Connected to /var/lib/app/data.db", "text that is not JSON"],
    ['[{"jsonrpc":"2.0","id":1,"method":"m"}]', "a batch (JSON array)"],
    ['"hello"', "a bare string"],
    ["null", "a bare null"],
    ["42", "a bare number"],
    ["{}", 'a "jsonrpc" member that is missing, not "2.0"'],
    ['{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}', 'a "result" and an "error" together'],
  ])("[T1] [case T-01] [case T-09] ends the connection and every call: %s", async (line, what) => {
    const { left, link } = createPair();
    const call = left.request("extension/initialize", {}, { timeoutMillis: 30_000 });
    link.inject("right", `${line}\n`);
    await expect(call).rejects.toMatchObject({ reason: { kind: "protocol_error", what } });
    expect(left.reason).toMatchObject({
      message: `the other side sent ${what}, where each line must be one JSON-RPC 2.0 message: ${line}`,
    });
  });

  it("[case T-01] [X3] is quoted in at most 80 bytes, escaped and redacted", async () => {
    const { left, link } = createPair({ redact: (text) => text.replaceAll(/sk-fixture\w+/g, "***") });
    link.inject("right", `\u001b[31mkey sk-fixture123 é读\\ ${"x".repeat(200)}\n`);
    const reason = await left.closed;
    const shown = reason.kind === "protocol_error" ? reason.quote : "";
    expect(shown).toBe(`\\x1b[31mkey *** \\xe9\\u{8bfb}\\\\ ${"x".repeat(46)}...`);
    expect(Buffer.byteLength(shown)).toBe(80);
  });

  it("[T1] of UTF-8 is one too", async () => {
    const { left, link } = createPair();
    link.inject("right", new Uint8Array([0x7b, 0xff, 0x7d, 0x0a]));
    expect(await left.closed).toMatchObject({ what: "bytes that are not UTF-8", quote: "{\\xff}" });
  });

  it("[T3] [case T-05] of the frame limit names size and limit", async () => {
    const { left, link } = createPair({ frameLimit: 64 });
    link.inject("right", `${"x".repeat(65)}\n`);
    expect(await left.closed).toEqual({
      kind: "frame_too_large",
      message: "the other side sent a frame of 65 bytes, over the limit of 64",
      bytes: 65,
      limit: 64,
      complete: true,
    });
  });

  it("[L4] may be any message that must not come yet", async () => {
    let ready = false;
    const inspect: PeerOptions["inspect"] = ({ kind }) =>
      !ready && (kind === "request" || kind === "notification") ? "a message before the handshake was over" : undefined;
    const early = createPair({ inspect });
    early.right.notify("extension/ui/publish", {});
    expect(await early.left.closed).toMatchObject({
      kind: "protocol_error",
      message:
        'the other side sent a message before the handshake was over: {"jsonrpc":"2.0","method":"extension/ui/publish","params":{}}',
    });
    const fine = createPair({ inspect });
    fine.right.onRequest("m", () => ({}));
    await fine.left.request("m");
    ready = true;
    fine.right.notify("extension/ui/publish", {});
    await settled();
    expect(fine.left.reason).toBeUndefined();
  });

  it("[T5] is not an unknown member, a blank line, or CRLF", async () => {
    const { left, right, link } = createPair();
    right.onRequest("m", () => ({ ok: true }));
    link.inject("left", '\r\n \t\n{"jsonrpc":"2.0","id":1,"method":"m","trace":"x"}\r\n');
    expect(await left.request("m")).toEqual({ ok: true });
    expect(right.reason).toBeUndefined();
  });
});
