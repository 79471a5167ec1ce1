/** The three forms of the report, and the command line. */
import { expect, test } from "vitest";
import type { Verdict } from "../src/checks/check.ts";
import { parseCommand } from "../src/command.ts";
import { show } from "../src/finding.ts";
import { jsonReport } from "../src/report/json.ts";
import type { Subject } from "../src/report/subject.ts";
import { tapReport } from "../src/report/tap.ts";
import { textReport } from "../src/report/text.ts";

const base = { title: "It holds", level: "must", cites: ["T1"] } as const;
const finding = {
  what: "a # line",
  wanted: "JSON",
  got: "x",
  after: "a blank line",
  sent: '{"id":1}',
  stderr: ["one", "two"],
};
const verdicts: readonly Verdict[] = [
  { check: { ...base, id: "a.passed" }, outcome: { kind: "passed", remark: "3 pages" }, millis: 4 },
  { check: { ...base, id: "a.failed" }, outcome: { kind: "failed", finding }, millis: 5 },
  { check: { ...base, id: "a.warned", level: "should" }, outcome: { kind: "failed", finding }, millis: 6 },
  { check: { ...base, id: "a.skipped" }, outcome: { kind: "skipped", why: "it declares no provider" }, millis: 0 },
];
const declaration = { name: "x", version: "1.0.0", protocolVersion: "2", stateSchemaVersion: 0 };
const subject: Subject = { program: ["/bin/x", "--y"], manifest: null, declaration, verdicts };

test("for people: what was sent, came and was wanted stands under each failure", () => {
  expect(textReport(subject).split("\n")).toEqual([
    "/bin/x --y",
    "x 1.0.0; no manifest: every point and capability is offered",
    "",
    "ok   a.passed                       It holds (3 pages)",
    "FAIL a.failed                       It holds",
    "       what:   a # line",
    "       after:  a blank line",
    '       sent:   {"id":1}',
    "       came:   x",
    "       wanted: JSON",
    "       stderr: one",
    "               two",
    "       rule:   T1 Strict JSON-RPC 2.0: one whole JSON object a line on stdin and stdout; writers end lines with LF only.",
    "warn a.warned                       It holds",
    "       what:   a # line",
    "       after:  a blank line",
    '       sent:   {"id":1}',
    "       came:   x",
    "       wanted: JSON",
    "       stderr: one",
    "               two",
    "       rule:   T1 Strict JSON-RPC 2.0: one whole JSON object a line on stdin and stdout; writers end lines with LF only.",
    "",
    "not tried, because it declares no provider: a.skipped",
    "1 passed, 1 failed, 1 warning, 1 did not apply. It does not conform.",
    "",
  ]);
});

test("as TAP: a warning is a TODO, diagnostics are YAML", () => {
  expect(tapReport(subject).split("\n").slice(0, 14)).toEqual([
    "TAP version 14",
    "1..4",
    "ok 1 - a.passed: It holds # time=4ms",
    "not ok 2 - a.failed: It holds",
    "  ---",
    '  what: "a # line"',
    '  wanted: "JSON"',
    '  got: "x"',
    '  after: "a blank line"',
    '  sent: "{\\"id\\":1}"',
    '  stderr: ["one","two"]',
    '  requirements: ["T1"]',
    "  ...",
    "not ok 3 - a.warned: It holds # TODO it should hold",
  ]);
  expect(tapReport(subject)).toContain("ok 4 - a.skipped: It holds # SKIP it declares no provider\n");
});

test("as JSON: one object with counts and findings", () => {
  expect(JSON.parse(jsonReport(subject))).toMatchObject({
    program: ["/bin/x", "--y"],
    conforms: false,
    counts: { passed: 1, failed: 1, warned: 1, skipped: 1 },
    checks: [
      { id: "a.passed", result: "passed", remark: "3 pages" },
      { id: "a.failed", result: "failed", finding },
      { id: "a.warned", result: "warned" },
      { id: "a.skipped", result: "skipped", why: "it declares no provider" },
    ],
  });
});

test("control characters of frames are shown, not written, and long ones are cut", () => {
  expect(show("a\u001b[2J\n\u2028")).toBe("a\\u001b[2J\\u000a\\u2028");
  expect(show("x".repeat(700))).toBe(`${"x".repeat(600)}… (700 characters)`);
});

test.each([
  [["./x", "--report", "tap"], { program: ["./x", "--report", "tap"], report: "text" }],
  [["--report", "tap", "./x"], { program: ["./x"], report: "tap" }],
  [["--only=a.b,c.", "--timeout=500", "--", "./x"], { program: ["./x"], only: ["a.b", "c."], timeout: 500 }],
  [["--manifest", "m.json"], { program: [], manifest: "m.json", timeout: null }],
])("the command line %j means %j", (args, wanted) => {
  expect(parseCommand(args)).toMatchObject({ kind: "run", command: wanted });
});

test.each([
  [[], "name a program to judge, or a manifest"],
  [["--report=xml", "x"], '--report is text, tap or json; "xml" came'],
  [["--timeout=soon", "x"], '--timeout is a number of milliseconds; "soon" came'],
  [["--colour"], "Unknown option '--colour'"],
])("the command line %j is refused: %s", (args, problem) => {
  const parsed = parseCommand(args);
  expect(parsed.kind === "usage" ? parsed.problem : "").toContain(problem);
});
