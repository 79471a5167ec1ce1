/** Lines for people: broken at words where a screen is looked at, and in words that fit. */
import { PassThrough } from "node:stream";
import type { TranscriptEntry } from "@reasonix-ts/agent";
import { describe, expect, test } from "vitest";
import { completions } from "../src/conversation/commands.ts";
import { resumedLines } from "../src/conversation/session-commands.ts";
import { eventLines } from "../src/print/event-lines.ts";
import { textPrinter } from "../src/print/text.ts";
import { receiptLine } from "../src/receipts-file.ts";
import { surfaceLines } from "../src/surface-text.ts";
import { columnsOf, wrapLines } from "../src/wrap.ts";

describe("wrapping", () => {
  test("lines break at words, continue further in, and keep what has no blank whole", () => {
    const lines = ["short", "error:   a plugin that says very much about itself", `  ${"x".repeat(50)} end`];
    expect(wrapLines(lines, 40)).toEqual([
      "short",
      "error:   a plugin that says very much",
      "  about itself",
      `  ${"x".repeat(50)}`,
      "    end",
    ]);
    expect(wrapLines(lines, null)).toEqual(lines);
  });

  test("only a screen has columns", () => {
    expect([columnsOf({ isTTY: true }), columnsOf({ isTTY: true, columns: 120 }), columnsOf({})]).toEqual([
      80,
      120,
      null,
    ]);
  });

  test.each([
    [true, "warn: a notice that is longer than the\n  screen is wide\n"],
    [false, "warn: a notice that is longer than the screen is wide\n"],
  ])("a notice on a screen: %s", (isTTY, expected) => {
    const stream = Object.assign(new PassThrough(), { isTTY, columns: 40 });
    textPrinter(stream, stream).emit({
      kind: "notice",
      severity: "warn",
      text: "a notice that is longer than the screen is wide",
    });
    stream.setEncoding("utf8");
    expect(stream.read()).toBe(expected);
  });
});

test("[I6] a turn that was blocked says so once, with who and why", () => {
  const ended = { kind: "turn_done", steps: 0, elapsedMillis: 1 } as const;
  expect(eventLines({ ...ended, outcome: "blocked", text: "Blocked by shout: no way" })).toEqual([
    "turn blocked by shout: no way",
  ]);
  expect(eventLines({ ...ended, outcome: "failed", text: "no model" })).toEqual(["turn failed: no model"]);
});

test("[U5] [U6] the tab key offers commands and the actions of extensions", () => {
  const actions = ["shout:loud", "shout:low", "other:x"];
  expect(completions("/mod", actions)).toEqual(["/model"]);
  expect(completions("/shout:lo", actions)).toEqual(["/shout:loud", "/shout:low"]);
  expect(completions("/sho", actions)).toEqual(["/shout:loud", "/shout:low"]);
  expect(completions("say /shout", actions)).toEqual([]);
});

describe("the recap of a resumed session", () => {
  const entry = (role: "user" | "assistant", content: string): TranscriptEntry => ({
    kind: "message",
    message: { role, content },
  });
  const done = [entry("user", "first"), entry("assistant", "one")];

  test("shows the answer of the last turn", () => {
    expect(resumedLines("s1", done)).toEqual(["Going on with session s1, 1 turn long.", "> first", "one"]);
  });

  test("never shows an older answer under a turn that was interrupted", () => {
    expect(resumedLines("s1", [...done, entry("user", "second")])).toEqual([
      "Going on with session s1, 2 turns long.",
      "> second",
      "(interrupted)",
    ]);
  });
});

test("[U1] a status tells how far it is behind what it says", () => {
  const surface = { plugin: "p", surfaceId: "s", sessionId: "x", generation: 1 } as const;
  const payload = { label: "activity", detail: "1 tool call", progress: 0.02 };
  expect(surfaceLines({ ...surface, kind: "status", payload })).toEqual(["[p] activity: 1 tool call (2 %)"]);
});

test("a ruling's time is told to the microsecond", () => {
  const receipt = { generation: 1, point: "input.receive", plugin: "p", slot: null, outcome: "continue" } as const;
  expect(receiptLine({ ...receipt, changed: [], millis: 1.23456789 }).millis).toBe(1.235);
});
