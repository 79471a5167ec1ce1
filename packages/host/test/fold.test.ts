/** What answers do to payloads, row by row. */
import { describe, expect, test } from "vitest";
import type { PointName } from "@reasonix-ts/protocol";
import { fold } from "../src/dispatch/fold.ts";

const input = { text: "x" };
const tool = { name: "bash", arguments: '{"command":"ls"}' };
const permission = { name: "bash", arguments: "{}", readOnly: true, hostDecision: "deny" };
const brought = { jsonPointer: "/payload", contentRef: "content-1", totalBytes: 70_000, sha256: "a".repeat(64) };

describe("legal answers", () => {
  test.each<[PointName, object, unknown, unknown]>([
    ["input.receive", input, { decision: "continue" }, { kind: "continue" }],
    ["input.receive", input, { decision: "block", reason: "no" }, { kind: "block", reason: "no" }],
    ["input.receive", input, { decision: "block" }, { kind: "block", reason: "" }],
    [
      "input.receive",
      input,
      { decision: "replace", replacement: { text: "y" } },
      { kind: "replace", payload: { text: "y" } },
    ],
    ["permission.decision", permission, { decision: "allow", reason: "ok" }, { kind: "allow", reason: "ok" }],
    ["permission.decision", permission, { decision: "deny" }, { kind: "deny", reason: "" }],
    [
      "permission.decision",
      permission,
      { decision: "replace", replacement: { name: "other", hostDecision: "allow" } },
      { kind: "replace", payload: permission },
    ],
    [
      "tool.before",
      tool,
      { decision: "replace", replacement: { name: "grep", arguments: '{"pattern":"x"}' } },
      { kind: "replace", payload: { name: "grep", arguments: '{"pattern":"x"}' } },
    ],
    [
      "agent.before_start",
      { sessionId: "s", model: "m" },
      { decision: "replace", replacement: { sessionId: "t" } },
      { kind: "replace", payload: { sessionId: "s", model: "m" } },
    ],
  ])("[I5] [I6] [I7] [I8] at %s %j + %j", (point, payload, answer, folded) => {
    expect(fold(point, payload, structuredClone(answer), null)).toEqual(folded);
  });
});

describe("zero values and fixed members", () => {
  test.each<[string, PointName, object, object, object]>([
    [
      "an absent or null member is its zero value",
      "tool.after",
      { name: "bash", arguments: "{}", result: "r", isError: true },
      { name: "bash", arguments: null, result: null },
      { name: "bash", arguments: "" },
    ],
    [
      "the workspace root stays the host's",
      "system_prompt.build",
      { prompt: "p", workspaceRoot: "/w" },
      { prompt: "q", workspaceRoot: "/elsewhere" },
      { prompt: "q", workspaceRoot: "/w" },
    ],
    [
      "an event's kind stays the host's",
      "frontend.event",
      { kind: "text", text: "a", detail: "d" },
      { kind: "other", text: "b" },
      { kind: "text", text: "b" },
    ],
    [
      "zero values reach into lists",
      "provider.request",
      { request: { messages: [], tools: [], maxTokens: 5 } },
      { request: { messages: [{ role: "assistant", tool_calls: [{ id: "1", name: "bash" }] }], tools: [] } },
      {
        request: {
          messages: [{ role: "assistant", tool_calls: [{ id: "1", name: "bash", arguments: "" }] }],
          tools: [],
          maxTokens: 0,
        },
      },
    ],
    ["an answer may be emptied", "provider.response", { text: "a", reasoning: "r" }, {}, {}],
  ])("[I7] %s", (_name, point, payload, replacement, result) => {
    expect(fold(point, payload, { decision: "replace", replacement }, null)).toEqual({
      kind: "replace",
      payload: result,
    });
  });

  test("[I7] session points keep the host's phase and path", () => {
    const payload = { phase: "load", sessionPath: "/s" };
    const answer = { decision: "replace", replacement: { phase: "save", sessionPath: "/other" } };
    expect(fold("session.load", payload, answer, null)).toEqual({ kind: "replace", payload });
  });
});

describe("illegal answers", () => {
  test.each<[PointName, object, unknown, string]>([
    [
      "tool.before",
      tool,
      { decision: "blok" },
      'intercept result: "blok" at /decision, wanted one of "allow", "block", "continue", "deny", "replace"',
    ],
    ["tool.before", tool, { decision: "" }, '"" at /decision'],
    ["tool.before", tool, {}, 'missing field "decision" at /decision'],
    ["tool.before", tool, null, "null came, wanted an object"],
    [
      "tool.before",
      tool,
      { decision: "deny" },
      'the decision "deny" is legal at permission.decision only (allow, deny); legal here are continue, replace, block',
    ],
    ["tool.before", tool, { decision: "allow" }, 'the decision "allow" is legal at permission.decision only'],
    ["tool.before", tool, { decision: "replace" }, "without a replacement at /replacement"],
    ["input.receive", input, { decision: "replace", replacement: null }, "without a replacement at /replacement"],
    [
      "tool.before",
      tool,
      { decision: "continue", replacement: {} },
      'a replacement came beside the decision "continue"',
    ],
    ["input.receive", input, { decision: "continue", note: 1 }, 'unknown field "note" at /note'],
    [
      "input.receive",
      input,
      { decision: "replace", replacement: { text: "x", foo: 1 } },
      'replacement at input.receive: unknown field "foo" at /foo',
    ],
    ["input.receive", input, { decision: "replace", replacement: { text: 42 } }, "42 at /text, wanted a string"],
    ["input.receive", input, { decision: "replace", replacement: [] }, "an empty array came, wanted an object"],
    ["input.receive", input, { decision: "replace", replacement: {} }, 'missing field "text" at /text'],
    ["input.receive", input, { decision: "replace", replacement: { text: null } }, 'missing field "text" at /text'],
    [
      "provider.request",
      { request: { messages: [], tools: [], maxTokens: 1 } },
      { decision: "replace", replacement: { request: { messages: [] } } },
      'missing field "tools" at /request/tools',
    ],
    [
      "tool.before",
      tool,
      { decision: "replace", replacement: { name: "bash", arguments: "[1]" } },
      "the JSON text of an array of 1 at /arguments, wanted the JSON text of an object",
    ],
    [
      "tool.before",
      tool,
      { decision: "replace", replacement: { name: "bash", arguments: "{" } },
      '"{" at /arguments, wanted the JSON text of an object',
    ],
    [
      "tool.before",
      tool,
      { decision: "replace", replacement: { name: "", arguments: "{}" } },
      '"" at /name, wanted a non-empty string',
    ],
    [
      "context.prepare",
      { messages: [] },
      { decision: "replace", replacement: { messages: [{ role: "robot" }] } },
      '"robot" at /messages/0/role',
    ],
  ])("[I7] [I8] [case I-04] [case I-05] at %s %j + %j", (point, payload, answer, problem) => {
    const before = structuredClone(payload);
    const folded = fold(point, payload, structuredClone(answer), null);
    expect(folded).toMatchObject({ kind: "illegal" });
    expect(folded.kind === "illegal" ? folded.problem : "").toContain(problem);
    expect(payload).toEqual(before);
  });
});

describe("replacements by reference", () => {
  const back = { ...brought, jsonPointer: "/replacement" };
  test("[C1] the reference that the call brought stands for its payload", () => {
    const answer = { decision: "replace", replacement: null, externalized: [back] };
    expect(fold("input.receive", input, answer, brought)).toEqual({ kind: "replace", payload: input });
  });
  test.each([
    [
      { ...back, contentRef: "content-2" },
      brought,
      'the content reference "content-2" is not one that this call brought',
    ],
    [back, null, "is not one that this call brought"],
    [{ ...back, jsonPointer: "/payload" }, brought, 'the jsonPointer "/replacement"'],
    [{ ...back, totalBytes: 1 }, brought, "another hash or size"],
    [{ ...back, sha256: "b".repeat(64) }, brought, "another hash or size"],
  ])("[C1] [C4] %j is refused", (field, given, problem) => {
    const folded = fold("input.receive", input, { decision: "replace", externalized: [field] }, given);
    expect(folded.kind === "illegal" ? folded.problem : "").toContain(problem);
  });
});
