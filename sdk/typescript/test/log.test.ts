/** What the log and error replies say of things that went wrong. */
import { expect, test } from "vitest";
import { createLog, messageOf } from "../src/log.ts";

test("[T2] a line of log names the extension; details are an error's stack, a text, JSON, or what else can be said", () => {
  const lines: string[] = [];
  const log = createLog("acme", (line) => void lines.push(line));
  const circular: { self?: object } = {};
  circular.self = circular;
  log("plain");
  log("text", "more");
  log("json", { a: 1 });
  log("circular", circular);
  expect(lines).toEqual([
    "[acme] plain\n",
    "[acme] text more\n",
    '[acme] json {"a":1}\n',
    "[acme] circular [object Object]\n",
  ]);
  log("failed", new Error("why"));
  expect(lines.at(-1)).toMatch(/^\[acme\] failed Error: why\n {4}at /);
});

test("[E1] any thrown value has a message, of bounded length", () => {
  expect(messageOf(new Error("why"))).toBe("why");
  expect(messageOf(new TypeError())).toBe("TypeError");
  expect(messageOf("text")).toBe("text");
  expect(messageOf({ code: 1 })).toBe('a thrown value that is no Error: {"code":1}');
  expect(messageOf(undefined)).toBe("a thrown value that is no Error: undefined");
  expect(messageOf("x".repeat(5_000))).toBe(`${"x".repeat(4_096)}… (904 characters more)`);
});
