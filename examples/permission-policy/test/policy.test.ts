/** The policy as a table: which call meets which verdict. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { judge, parsePolicy } from "../src/policy.ts";

const shipped = parsePolicy(readFileSync(new URL("../policy.txt", import.meta.url), "utf8"));

const CALLS: readonly (readonly [verdict: "allow" | "deny" | "host's", tool: string, args: object | string])[] = [
  ["allow", "bash", { command: "npm test" }],
  ["allow", "bash", { command: "git status --short" }],
  ["allow", "bash", { command: "npm run lint -- --fix", timeout_ms: 1000 }],
  ["deny", "bash", { command: "git push origin main" }],
  ["deny", "bash", { command: "npm test && git push" }],
  ["deny", "write_file", { path: "Cargo.lock", content: "" }],
  ["host's", "bash", { command: "npm test; rm -rf ." }],
  ["host's", "bash", { command: "git status $(rm x)" }],
  ["host's", "bash", { command: "git status\nrm x" }],
  ["host's", "bash", { command: "git status > .bashrc" }],
  ["host's", "bash", { command: "npm tests" }],
  ["host's", "bash", {}],
  ["host's", "bash", { command: 7 }],
  ["host's", "read_file", { path: "git push" }],
  ["deny", "bash", '{"command":"git push'],
  ["host's", "bash", '["npm test"]'],
];

describe("[I5] [I8] the shipped policy", () => {
  test.each(CALLS)("%s: %s %j", (verdict, tool, args) => {
    const json = typeof args === "string" ? args : JSON.stringify(args);
    expect(judge(shipped, tool, json)?.verdict ?? "host's").toBe(verdict);
  });
});

test("the first line that fits decides; * as a tool fits every tool; an allowed path does not climb", () => {
  const policy = parsePolicy("deny * secret/*\nallow write_file *\n");
  expect(judge(policy, "write_file", '{"path":"secret/key"}')?.number).toBe(1);
  expect(judge(policy, "write_file", '{"path":"notes"}')?.number).toBe(2);
  expect(judge(policy, "write_file", '{"path":"a/../../b"}')).toBeNull();
});

test("every line that is not understood is named", () => {
  expect(() => parsePolicy("allow bash ls\nalow bash x\n# fine\ndeny bash\n")).toThrow(
    'line 2 is "alow bash x"; line 4 is "deny bash"; wanted: allow or deny, a tool, what the call is about',
  );
});
