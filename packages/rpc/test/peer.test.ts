/** Calls, replies, handlers and closing, over the in-memory pair. */
import { describe, expect, it } from "vitest";
import { createPair, ConnectionClosed, RpcError } from "../src/index.ts";

describe("calls", () => {
  it("[T1] carries a call and its result", async () => {
    const { left, right } = createPair();
    right.onRequest("add", ({ a, b }) => ({ sum: Number(a) + Number(b) }));
    expect(await left.request("add", { a: 1, b: 2 })).toEqual({ sum: 3 });
    expect(left.pendingCalls).toBe(0);
  });

  it("[T1] turns an error reply into RpcError with code, message and data", async () => {
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

  it("[L6] rejects every pending call when the other side dies", async () => {
    const { left, link } = createPair();
    const calls = [left.request("a"), left.request("b", {}, { timeoutMillis: 60_000 })];
    link.cut();
    const outcomes = await Promise.allSettled(calls);
    for (const outcome of outcomes) {
      expect(outcome.status === "rejected" && outcome.reason instanceof ConnectionClosed).toBe(true);
    }
    expect(left.reason).toEqual({ kind: "ended", message: "the other side ended its output" });
  });
});
