/** The peer on the pipes of real child processes. */
import { createHash } from "node:crypto";
import { getEventListeners } from "node:events";
import { Socket } from "node:net";
import { PassThrough, Writable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { ConnectionClosed, FrameTooLarge, type PeerOptions } from "../src/index.ts";
import { connectStdio } from "../src/node/stdio.ts";
import { Children } from "./children.ts";

const children = new Children();
afterEach(() => children.end());

const cap = 8_388_608;

/** A child's stdout is a socket, whatever its type says. */
function bytesRead(stream: object): number {
  return stream instanceof Socket ? stream.bytesRead : expect.unreachable("the child's output is no socket");
}

describe("what a child writes", () => {
  it("[case T-03] [T1] is one frame when it comes byte by byte", async () => {
    const version = "读—🎉\u2028\u0085";
    const { peer } = children.raw("bytewise");
    expect(await peer.request("extension/initialize", { version })).toEqual({ version });
  });

  it("[case T-04] [T1] may end in CRLF", async () => {
    const { peer } = children.raw("crlf");
    expect(await peer.request("m", { a: 1 })).toEqual({ a: 1 });
    expect(await peer.request("m", { a: 2 })).toEqual({ a: 2 });
  });

  it("[case T-01] [T1] fails the first call at once when it is a banner", async () => {
    const { peer } = children.raw("noise");
    const call = peer.request("extension/initialize", {}, { timeoutMillis: 30_000 });
    await expect(call).rejects.toMatchObject({
      reason: {
        kind: "protocol_error",
        what: "text that is not JSON",
        quote: "[db] Connected to /var/lib/app/data.db",
      },
    });
  });

  it.each([
    [cap - 1, "delivered"],
    [cap, "delivered"],
    [cap + 1, "fatal"],
  ])("[T3] [case T-05] of %i bytes is %s", async (bytes, fate) => {
    const { peer, exited } = children.raw("frame", {}, String(bytes));
    const outcome = await peer.request("m").then(String, (error: unknown) => error);
    if (fate === "delivered") {
      const envelope = '{"jsonrpc":"2.0","id":1,"result":""}'.length;
      expect(outcome === "x".repeat(bytes - envelope)).toBe(true);
    } else {
      expect(outcome).toBeInstanceOf(ConnectionClosed);
      expect(peer.reason).toMatchObject({ kind: "frame_too_large", bytes: cap + 1, limit: cap });
      // Both pipes are let go of, so the child ends by itself.
      await exited;
    }
  });
});

describe("what a child reads", () => {
  it.each(["x", "é", "读", "🎉"])("[T3] [case T-05] is counted in bytes, with %s", async (unit) => {
    const { peer } = children.raw("measure");
    const unitBytes = Buffer.byteLength(unit);
    const frame = (id: number, text: string): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"m","params":{"text":"${text}"}}`;
    const fill = (bytes: number): string => {
      const room = bytes - frame(1, "").length;
      return unit.repeat(Math.floor(room / unitBytes)) + "x".repeat(room % unitBytes);
    };
    const whole = fill(cap);
    const sha256 = createHash("sha256").update(frame(1, whole)).digest("hex");
    expect(await peer.request("m", { text: whole })).toEqual({ bytes: cap, sha256 });
    await expect(peer.request("m", { text: fill(cap + 1) })).rejects.toEqual(new FrameTooLarge("m", cap + 1, cap));
    expect(await peer.request("m", { text: fill(cap - 1) })).toMatchObject({ bytes: cap - 1 });
  });
});

describe("a child that goes", () => {
  it("[L6] [case L-04] rejects the call it died of, and all others", async () => {
    const { peer, exited } = children.raw("die");
    const calls = Array.from({ length: 20 }, () => peer.request("m", {}, { timeoutMillis: 600_000 }));
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { name: "ConnectionClosed" } });
    }
    expect(await exited).toBe(3);
  });

  it("[L6] is heard to its last word", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { peer } = children.raw("last-words");
      const call = peer.request("m");
      for (let index = 0; index < 50; index += 1) peer.notify("n", { text: "x".repeat(10_000) });
      expect(await call).toBe("last words");
      expect(["ended", "broken"]).toContain((await peer.closed).kind);
    }
  });

  it("[T1] in the middle of a frame is told with what there was of it", async () => {
    const { peer } = children.raw("half");
    await expect(peer.request("m")).rejects.toMatchObject({
      reason: { kind: "ended", truncated: { bytes: 29, quote: '{"jsonrpc":"2.0","id":1,"resu' } },
    });
  });

  it("[case T-11] [L6] while 8 MB are written fails that call alone, 100 times", async () => {
    const text = "x".repeat(8_000_000);
    for (let round = 0; round < 10; round += 1) {
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, async () => {
          const { peer, exited } = children.start("true", []);
          const outcome = await peer.request("extension/initialize", { text }).catch((error: unknown) => error);
          await exited;
          peer.notify("n", { text: "late" });
          peer.end();
          peer.close();
          return outcome;
        }),
      );
      for (const outcome of outcomes) expect(outcome).toBeInstanceOf(ConnectionClosed);
    }
  });

  it("[L6] [case T-11] in part, by closing its stdin, ends the connection too", async () => {
    const { peer } = children.raw("no-stdin");
    const text = "x".repeat(1_000_000);
    await expect(peer.request("m", { text }, { timeoutMillis: 60_000 })).rejects.toMatchObject({
      reason: { kind: "broken" },
    });
  });

  it("[T1] whose output is closed under us ends the connection", async () => {
    const { peer, process: child } = children.raw("deaf");
    child.stdout.destroy();
    expect((await peer.closed).kind).toBe("ended");
  });
});

describe("a child that does not read", () => {
  it("[I3] [T1] costs observations, never memory; its calls end in time; the stall is told", async () => {
    let told = (): void => {};
    const stalled = new Promise<void>((resolve) => (told = resolve));
    const options: PeerOptions = { stallMillis: 50, stalled: () => told(), observations: { frames: 32 } };
    const { peer, process: child } = children.raw("deaf", options);
    const text = "x".repeat(60_000);
    for (let round = 0; round < 40; round += 1) {
      for (let index = 0; index < 10; index += 1) peer.observe("event", { text });
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { queuedFrames, dropped } = peer.observations;
    expect(queuedFrames).toBe(32);
    // The pipe of the system takes a few frames; one more waits before it.
    expect(dropped).toBeGreaterThan(340);
    expect(child.stdin.writableLength).toBeLessThanOrEqual(65_536);
    const call = peer.request("m", { text }, { timeoutMillis: 200 });
    await stalled;
    await expect(call).rejects.toMatchObject({ name: "CallTimeout" });
    expect(peer.reason).toBeUndefined();
  });
});

describe("a child that reads slowly", () => {
  it("[I3] gets every call, in order, ahead of the observations that wait", async () => {
    const { peer } = children.raw("slow");
    const text = "x".repeat(30_000);
    let observed = 0;
    for (let index = 0; index < 200; index += 1) if (peer.observe("event", { text })) observed += 1;
    const before: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      for (let more = 0; more < 20; more += 1) if (peer.observe("event", { text })) observed += 1;
      before.push(Number(await peer.request("m", {}, { timeoutMillis: 20_000 })));
    }
    expect(before).toEqual(before.toSorted((a, b) => a - b));
    // What was handed over before the first call is one batch and what the system's pipe holds, of 220 that waited.
    expect(before[0]).toBeLessThan(20);
    expect(peer.observations.dropped + observed).toBe(300);
  });
});

describe("a burst from a child", () => {
  it("[P4] [T1] waits in the pipe while a handler holds reading", async () => {
    let handled = 0;
    let mostAhead = 0;
    const frames = 20_000;
    const { peer, process: child } = children.raw("flood", {}, String(frames));
    const ended = new Promise((resolve) => peer.onNotification("end", () => resolve(handled)));
    const frameBytes = '{"jsonrpc":"2.0","method":"chunk","params":{"text":""}}\n'.length + 1_000;
    peer.onNotification(
      "chunk",
      async () => {
        handled += 1;
        mostAhead = Math.max(mostAhead, bytesRead(child.stdout) - handled * frameBytes);
        if (handled % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
      },
      { holdsReading: true },
    );
    expect(await ended).toBe(frames);
    // One read of 64 KiB, and one more that was under way.
    expect(mostAhead).toBeLessThanOrEqual(4 * 65_536);
  });
});

describe("our peer on stdin and stdout", () => {
  it("[T1] answers, asks back, and carries 8 MB of any text both ways", async () => {
    const { peer } = children.peer();
    peer.onRequest("question", () => 42);
    expect(await peer.request("ask")).toEqual({ answer: 42 });
    for (const text of ["x".repeat(8_000_000), "读🎉".repeat(1_100_000), "é".repeat(4_000_000)]) {
      expect(await peer.request("echo", { text })).toEqual({ text });
    }
  });

  it("[L5] answers what it was asked before its input ended, and then exits", async () => {
    const { peer, exited } = children.peer();
    const calls = [peer.request("slow", { a: 1 }), peer.request("echo", { b: 2 })];
    peer.end();
    expect(await Promise.all(calls)).toEqual([{ a: 1 }, { b: 2 }]);
    expect(await exited).toBe(0);
    expect((await peer.closed).kind).toBe("ended");
  });

  it("[case I-08] makes 20,000 calls that leave no timer, listener or warning", async () => {
    const warnings: string[] = [];
    const note = (warning: Error): void => void warnings.push(warning.message);
    process.on("warning", note);
    const { peer } = children.peer();
    const { signal } = new AbortController();
    await peer.request("echo", {});
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const before = timers();
    let answered = 0;
    const lane = async (): Promise<void> => {
      for (let call = 0; call < 1_250; call += 1) {
        await peer.request("echo", { call }, { timeoutMillis: 60_000, signal });
        answered += 1;
      }
    };
    await Promise.all(Array.from({ length: 16 }, lane));
    expect(answered).toBe(20_000);
    // The test runner has timers of its own.
    expect(timers()).toBeLessThanOrEqual(before + 2);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect([warnings, peer.pendingCalls]).toEqual([[], 0]);
    process.off("warning", note);
  });
});

describe("streams that fail", () => {
  it("[L6] end the connection once, with the cause", async () => {
    const cause = new Error("EIO");
    const input = new PassThrough();
    const peer = connectStdio({ input, output: new PassThrough() });
    const call = peer.request("m");
    input.destroy(cause);
    await expect(call).rejects.toMatchObject({ reason: { kind: "broken", cause } });
    input.emit("error", new Error("again"));
    expect(peer.reason).toMatchObject({ message: "the pipe broke: EIO" });
  });

  it("[L6] on writing let what came before be read first", async () => {
    const input = new PassThrough();
    const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error("EPIPE")) });
    const peer = connectStdio({ input, output });
    const call = peer.request("m");
    input.end('{"jsonrpc":"2.0","id":1,"result":"last words"}\n');
    expect(await call).toBe("last words");
    expect((await peer.closed).kind).toBe("ended");
  });

  it("[L6] leave only the listeners that keep late errors from being uncaught", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const idle = ["data", "end", "close"].map((name) => output.listenerCount(name));
    const peer = connectStdio({ input, output });
    peer.close();
    expect(["data", "end", "close"].map((name) => input.listenerCount(name))).toEqual(idle);
    expect([input.listenerCount("error"), output.listenerCount("error")]).toEqual([1, 1]);
  });
});

describe("observations", () => {
  /** Each write is one entry: the methods of its frames. */
  function recorded() {
    const writes: string[][] = [];
    const output = new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        writes.push(Array.from(text.matchAll(/"method":"(\w+)"/g), ([, method]) => String(method)));
        done();
      },
    });
    return { writes, peer: connectStdio({ input: new PassThrough(), output }) };
  }

  async function promisesOfThisTask(): Promise<void> {
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
  }

  it("[I3] that are few go in one write with a call that the same task's promises make", async () => {
    const { writes, peer } = recorded();
    peer.observe("event");
    await promisesOfThisTask();
    peer.notify("call");
    expect(writes).toEqual([["event", "call"]]);
    peer.observe("event");
    await peer.flushed();
    expect(writes).toEqual([["event", "call"], ["event"]]);
  });

  it("[I3] that are many or large wait for no call", async () => {
    const many = recorded();
    for (let frame = 0; frame < 17; frame += 1) many.peer.observe("event");
    await promisesOfThisTask();
    expect(many.writes.map((frames) => frames.length)).toEqual([17]);

    const large = recorded();
    large.peer.observe("event", { text: "x".repeat(5_000) });
    await promisesOfThisTask();
    expect(large.writes).toEqual([["event"]]);
  });

  it("[I3] that are few go when nothing else does, at the end of the task", async () => {
    const { writes, peer } = recorded();
    peer.observe("event");
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(writes).toEqual([["event"]]);
  });
});
