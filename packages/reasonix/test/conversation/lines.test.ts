/** What typed keys and lines mean, without a terminal. */
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { actionArgs } from "../../src/conversation/action-args.ts";
import { answerOf, permissionOf, questionLines } from "../../src/conversation/answers.ts";
import { completions, readLine } from "../../src/conversation/commands.ts";
import { reloadLines } from "../../src/conversation/extension-commands.ts";
import { addToHistory, readHistory } from "../../src/conversation/history.ts";
import { LineQueue } from "../../src/conversation/line-queue.ts";
import { costLines } from "../../src/conversation/session-commands.ts";
import { TypedKeys, type Typed } from "../../src/conversation/typed-keys.ts";
import { pointTimes } from "../../src/extensions/point-times.ts";

describe("keys and pastes", () => {
  const paste = "a\u001b[200~one\r\ntwo\rthree\u001b[201~b";
  const expected: readonly Typed[] = [
    { kind: "keys", text: "a" },
    { kind: "paste", text: "one\ntwo\nthree" },
    { kind: "keys", text: "b" },
  ];

  test("a paste cut at any byte is the same paste", () => {
    for (let at = 0; at <= paste.length; at++) {
      const keys = new TypedKeys();
      const typed = [...keys.push(paste.slice(0, at)), ...keys.push(paste.slice(at))];
      const joined: Typed[] = [];
      for (const one of typed) {
        const last = joined.at(-1);
        if (last?.kind === one.kind) joined[joined.length - 1] = { kind: one.kind, text: last.text + one.text };
        else joined.push(one);
      }
      expect([at, joined]).toEqual([at, expected]);
    }
  });

  test("arrows and other sequences come whole with the next key", () => {
    const keys = new TypedKeys();
    expect(keys.push("\u001b[A")).toEqual([{ kind: "keys", text: "\u001b[A" }]);
    expect([keys.push("\u001b"), keys.push("[A")]).toEqual([[], [{ kind: "keys", text: "\u001b[A" }]]);
  });
});

describe("lines", () => {
  test.each([
    ["  ", "nothing"],
    ["hello", "message"],
    ["/etc/hosts is broken", "message"],
    ["what does /help do?", "message"],
    ["/help", "command help "],
    ["/model  a/b high ", "command model a/b high"],
    ["/compact keep\nthe names", "command compact keep\nthe names"],
    ["/my-plugin:run k=v", "plugin my-plugin run k=v"],
    ["/hepl", "unknown hepl, near help"],
    ["/zzz", "unknown zzz, near null"],
  ])("%j is %s", (line, expected) => {
    const typed = readLine(line);
    const shown =
      typed.kind === "command"
        ? `command ${typed.command.name} ${typed.rest}`
        : typed.kind === "plugin"
          ? `plugin ${typed.word.plugin} ${typed.word.name} ${typed.word.rest}`
          : typed.kind === "unknown"
            ? `unknown ${typed.word}, near ${typed.near}`
            : typed.kind;
    expect(shown).toBe(expected);
  });

  test("the tab key offers commands and nothing else", () => {
    expect([completions("/re"), completions("/reload x"), completions("re")]).toEqual([["/resume", "/reload"], [], []]);
  });

  test("[U5] arguments of an action have names, or are counted", () => {
    expect(actionArgs("k=v word key=\"two words\" 'last one'")).toEqual({
      k: "v",
      arg1: "word",
      key: "two words",
      arg2: "last one",
    });
  });
});

describe("answers", () => {
  test.each([
    ["y", true, "once"],
    [" YES ", true, "once"],
    ["s", true, "session"],
    ["a", true, "always"],
    ["a", false, null],
    ["", true, "no"],
    ["n", true, "no"],
    ["yes please, and then", true, null],
  ])("%j, with a rule %s, is %s", (line, mayKeep, expected) => {
    expect(permissionOf(line, mayKeep)).toBe(expected);
  });

  const options = ["red", "green"];
  test.each([
    ["input", {}, " as typed ", { value: " as typed " }],
    ["input", { required: true }, "", { problem: "This one needs an answer; Ctrl-D gives it up." }],
    ["confirm", {}, "", { value: false }],
    ["confirm", { default: true }, "", { value: true }],
    ["confirm", {}, "perhaps", { problem: "Please answer y or n." }],
    ["select", { options }, "2", { value: "green" }],
    ["select", { options }, "red", { value: "red" }],
    ["select", { options }, "3", { problem: "Please give a number from 1 to 2." }],
    ["multiselect", { options }, "2, 1,2", { value: ["green", "red"] }],
    ["multiselect", { options }, "1,x", { problem: "Please give a number from 1 to 2." }],
  ] as const)("%s %j answered with %j", (kind, more, line, expected) => {
    expect(answerOf({ key: "k", kind, label: "?", ...more }, line)).toEqual(expected);
  });

  test("[U2] [case U-02] a question is shown with its options numbered, whatever its label holds", () => {
    expect(
      questionLines({ key: "k", kind: "select", label: "Which\u001b[2J?\nreally", options, required: true }),
    ).toEqual(["? Which? really (a number; required)", "  1  red", "  2  green"]);
  });
});

test("a queue of lines gives them in order, gives up with its signal, and ends once", async () => {
  const queue = new LineQueue();
  const stop = new AbortController();
  const first = queue.next(stop.signal);
  stop.abort();
  queue.push("a");
  queue.push("b");
  expect([await first, await queue.next(), await queue.next()]).toEqual([null, "a", "b"]);
  const last = queue.next();
  queue.end();
  queue.push("too late");
  expect([await last, await queue.next()]).toEqual([null, null]);
});

test("the history keeps messages whole and newest first, readable by its owner alone, and forgets pastes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "reasonix-history-"));
  try {
    const file = join(folder, "home", "history");
    expect(await readHistory(file)).toEqual([]);
    for (const message of ["one", "two\nlines", " ", "x".repeat(5_000)]) await addToHistory(file, message);
    expect(await readHistory(file)).toEqual(["two\nlines", "one"]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await writeFile(file, `${"a line of an old history\n".repeat(50_000)}newest\n`);
    expect((await readHistory(file)).length).toBe(500);
    expect((await readFile(file, "utf8")).split("\n").length).toBe(501);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("[case P-08] what is not known of a session's cost is said to be unknown", () => {
  const nothing = { promptTokens: 0, completionTokens: 0, cacheHitTokens: 0, cacheMissTokens: 0, reasoningTokens: 0 };
  expect(costLines({ requests: 2, counted: 0, priced: 0, ...nothing, cost: null, currency: null })).toEqual([
    "2 requests, of which 2 told no usage",
    "cost: unknown, as no price is set for the model",
  ]);
  const told = { promptTokens: 100, completionTokens: 20, cacheHitTokens: 75, cacheMissTokens: 25, reasoningTokens: 5 };
  expect(costLines({ requests: 1, counted: 1, priced: 1, ...told, cost: 0.25, currency: "USD" })).toEqual([
    "1 request",
    "100 tokens in, 75 % of it from the cache",
    "20 tokens out, 5 of them reasoning",
    "cost: 0.2500 USD",
  ]);
  expect(costLines({ requests: 3, counted: 3, priced: 1, ...told, cost: 0, currency: null }).at(-1)).toBe(
    "cost: 0.0000 for 1 of 3 requests; what the others cost is unknown, or in another currency",
  );
});

test("[case R-02] a reload says which process became which, and what stayed when it failed", () => {
  const plugins = [
    { name: "a", oldPid: 1, newPid: 2 },
    { name: "b", oldPid: 3 },
    { name: "c", newPid: 4 },
  ];
  expect(reloadLines({ kind: "done", generation: 2, plugins })).toEqual([
    "Reloaded: generation 2 is live.",
    "  a: pid 1 -> pid 2",
    "  b: pid 3 -> gone",
    "  c: pid 4",
  ]);
  const failed = [{ name: "a", oldPid: 1, error: "It did not start." }];
  expect(reloadLines({ kind: "failed", generation: 1, failures: [], plugins: failed })).toEqual([
    "The reload failed; generation 1 goes on as it is.",
    "  a: It did not start.",
  ]);
});

test("times of a point: the median is of the calls themselves, faults are counted", () => {
  const receipt = { point: "tool.before", plugin: "p", changed: [] };
  const times = [4, 1, 2].map((millis) => ({ ...receipt, outcome: "continue", millis }));
  expect(pointTimes([...times, { ...receipt, outcome: "timeout", millis: 9 }])).toEqual([
    { plugin: "p", point: "tool.before", calls: 4, median: 2, max: 9, faults: 1 },
  ]);
});
