/** Any order of calls, answers, holds and cuts: every call settles once, with its own answer, in order. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPair, ConnectionClosed, readEnvelope } from "../src/index.ts";

function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

type Step =
  | { readonly do: "request" | "notify" | "observe" | "answer" | "wait" | "read-on" }
  | { readonly do: "hold"; readonly side: "left" | "right" }
  | { readonly do: "split"; readonly bytes: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom("request", "notify", "observe", "answer", "wait", "read-on") }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("hold"), side: fc.constantFrom("left", "right") }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("split"), bytes: fc.integer({ min: 1, max: 40 }) }) },
);

describe("any interleaving", () => {
  it("[T1] [L6] settles every call once, with its own answer, and keeps the order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.boolean(), async (steps, cut) => {
        const heard: number[] = [];
        const observed: number[] = [];
        const { left, right, link } = createPair({ observations: { frames: 5 } });
        const answers: (() => void)[] = [];
        const releases: (() => void)[] = [];
        right.onRequest("call", ({ n }) => {
          heard.push(Number(n));
          return new Promise((resolve) => answers.push(() => resolve(n)));
        });
        right.onNotification("note", ({ n }) => void heard.push(Number(n)));
        right.onNotification("event", ({ n }) => void observed.push(Number(n)));

        const calls: Promise<unknown>[] = [];
        const sent: number[] = [];
        const offered: number[] = [];
        let count = 0;
        for (const next of steps) {
          count += 1;
          const n = count;
          switch (next.do) {
            case "request":
              sent.push(n);
              calls.push(
                left
                  .request("call", { n })
                  .then((answer) => [n, answer] as const)
                  .catch((error: unknown) => error),
              );
              break;
            case "notify":
              sent.push(n);
              left.notify("note", { n });
              break;
            case "observe":
              if (left.observe("event", { n })) offered.push(n);
              break;
            case "answer":
              answers.shift()?.();
              break;
            case "hold":
              releases.push(link.hold(next.side));
              break;
            case "read-on":
              releases.shift()?.();
              break;
            case "split":
              link.split("left", next.bytes);
              link.split("right", next.bytes);
              break;
            case "wait":
              await settled();
          }
        }
        if (cut) link.cut();
        for (const release of releases) release();
        for (let round = 0; round < 4; round += 1) {
          await settled();
          for (const answer of answers.splice(0)) answer();
        }
        const outcomes = await Promise.all(calls);
        await left.flushed();
        await settled();
        expect(left.pendingCalls).toBe(0);
        expect(heard).toEqual(sent.slice(0, heard.length));
        expect(observed).toEqual(offered.slice(0, observed.length));
        if (cut)
          for (const outcome of outcomes) expect(outcome instanceof ConnectionClosed || isOwn(outcome)).toBe(true);
        else {
          expect(heard).toEqual(sent);
          expect(observed).toEqual(offered);
          for (const outcome of outcomes) expect(isOwn(outcome)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function isOwn(outcome: unknown): boolean {
  return Array.isArray(outcome) && outcome[0] === outcome[1];
}

describe("any garbage", () => {
  const good = fc.constantFrom(
    '{"jsonrpc":"2.0","method":"note"}',
    '{"jsonrpc":"2.0","id":9,"result":1}',
    '{"jsonrpc":"2.0","id":3,"method":"call","params":[]}',
    "",
  );
  const bad = fc.oneof(
    fc.json().map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
  );
  const lines = fc.array(
    fc.oneof(
      good.map((text) => Buffer.from(text)),
      bad,
    ),
    { minLength: 1, maxLength: 8 },
  );

  it("[T1] [case T-09] ends the connection with its reason, or is a message; it never throws", async () => {
    await fc.assert(
      fc.asyncProperty(lines, fc.integer({ min: 1, max: 30 }), async (sent, size) => {
        const { left, link } = createPair({ frameLimit: 100 });
        const call = left.request("call").catch((error: unknown) => error);
        link.split("right", size);
        const bytes = Buffer.concat(sent.flatMap((line) => [line, Buffer.from("\n")]));
        link.inject("right", bytes);
        await settled();
        const fine = bytes
          .toString("latin1")
          .split("\n")
          .slice(0, -1)
          .map((line) => Buffer.from(line, "latin1"))
          .every((line) => /^[ \t\r]*$/.test(line.toString("latin1")) || isMessage(line));
        expect(left.reason === undefined).toBe(fine);
        if (left.reason !== undefined) expect(["protocol_error", "frame_too_large"]).toContain(left.reason.kind);
        left.close();
        expect([await call, left.pendingCalls]).toEqual([expect.anything(), 0]);
      }),
      { numRuns: 1_000 },
    );
  });

  function isMessage(line: Buffer): boolean {
    const text = line.toString();
    const size = line.at(-1) === 13 ? line.length - 1 : line.length;
    if (size > 100 || !Buffer.from(text).equals(line)) return false;
    const { kind } = readEnvelope(text);
    return kind !== "broken" && kind !== "unaddressed_error";
  }
});
