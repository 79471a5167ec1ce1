/** The tables of the language: what each row says, and that no row contradicts another. */
import { expect, test } from "vitest";
import {
  decode,
  decodeTolerant,
  ErrorData,
  isMethodName,
  isPluginRef,
  isPointName,
  isReason,
  isSlotName,
  LIMITS,
  METHOD_NAMES,
  METHODS,
  NAMED_SLOTS,
  parsePluginRef,
  parseSlot,
  PLAIN_SLOTS,
  POINT_NAMES,
  POINTS,
  REASON_NAMES,
  reasonOf,
  REASONS,
  wireError,
  type MethodName,
  type MethodRow,
  type PointName,
} from "../src/index.ts";
import { POINT_EFFECTS } from "../src/point-effects.ts";

test("the language has 22 methods, 17 points, 10 kinds of slots and 28 reasons", () => {
  expect([
    METHOD_NAMES.length,
    POINT_NAMES.length,
    PLAIN_SLOTS.length + NAMED_SLOTS.length,
    REASON_NAMES.length,
  ]).toEqual([22, 17, 10, 28]);
});

test("[L4] before the barrier only the handshake and the shutdown may travel, all from the host", () => {
  const early = METHOD_NAMES.filter((name) => METHODS[name].beforeBarrier);
  expect(early.toSorted()).toEqual(["extension/initialize", "extension/initialized", "extension/shutdown"]);
  expect(early.every((name) => METHODS[name].direction === "host_to_extension")).toBe(true);
});

test.each(METHOD_NAMES)("[T4] the params of %s are an object, and so is its result", (name: MethodName) => {
  const { params, result }: MethodRow = METHODS[name];
  for (const value of [[], null, "x", 1, true]) {
    expect(decode(params, value).ok).toBe(false);
    if (result !== null) expect(decode(result, value).ok).toBe(false);
  }
});

test.each(METHOD_NAMES)("[T5] an unknown field in the params of %s is an error with its path", (name: MethodName) => {
  const { params }: MethodRow = METHODS[name];
  const strict = decode(params, { unheardOf: 1 });
  expect(strict.ok ? [] : strict.problems).toContainEqual(
    expect.objectContaining({ kind: "unknown", path: "/unheardOf", member: "unheardOf" }),
  );
  const tolerant = decodeTolerant(params, { unheardOf: 1 });
  expect(tolerant.ok ? [] : tolerant.problems.filter((problem) => problem.kind === "unknown")).toEqual([]);
});

test.each<[PointName, string, readonly string[]]>([
  ["session.start", "slow", ["session_policy"]],
  ["session.load", "slow", ["session_policy"]],
  ["session.save", "slow", ["session_policy"]],
  ["session.rotate", "slow", ["session_policy"]],
  ["session.end", "slow", ["session_policy"]],
  ["system_prompt.build", "slow", ["system_prompt"]],
  ["input.receive", "fast", []],
  ["agent.before_start", "slow", []],
  ["context.prepare", "slow", ["context"]],
  ["provider.request", "slow", ["provider_request", "provider"]],
  ["provider.response", "slow", ["provider_response", "provider"]],
  ["tool.before", "fast", ["tool"]],
  ["permission.decision", "fast", ["permission"]],
  ["tool.after", "fast", ["tool"]],
  ["compaction.prepare", "slow", ["compaction"]],
  ["compaction.complete", "slow", ["compaction"]],
  ["frontend.event", "fast", ["frontend_events"]],
])("[I1] [I10] [I14] %s is of the %s family, its owners are %j", (name, family, slots) => {
  expect([POINTS[name].family, POINTS[name].slots]).toEqual([family, slots]);
});

test("[I10] every kind of slot has the last word at some point", () => {
  const served = new Set(POINT_NAMES.flatMap((name): readonly string[] => POINTS[name].slots));
  expect([...served].toSorted()).toEqual([...PLAIN_SLOTS, ...NAMED_SLOTS].toSorted());
});

test.each<[PointName, readonly string[], readonly string[]]>([
  ["session.save", [], ["phase", "sessionPath"]],
  ["system_prompt.build", ["/prompt"], ["workspaceRoot"]],
  ["input.receive", ["/text"], []],
  ["agent.before_start", ["/sessionId"], []],
  ["context.prepare", ["/messages"], []],
  ["provider.request", ["/request", "/request/messages", "/request/tools"], []],
  ["provider.response", [], []],
  ["tool.before", ["/name", "/arguments"], []],
  ["permission.decision", ["/name", "/hostDecision"], ["name", "arguments", "readOnly"]],
  ["tool.after", ["/name"], []],
  ["compaction.prepare", ["/messages"], []],
  ["compaction.complete", ["/summary"], []],
  ["frontend.event", ["/kind"], ["kind"]],
])("[I7] a replacement at %s must hold %j and cannot change %j", (name, required, fixed) => {
  expect([POINTS[name].required, POINTS[name].fixed]).toEqual([required, fixed]);
});

test("what a point fixes or wants is a field of its payload", () => {
  for (const name of POINT_NAMES) {
    const { payload, fixed, required } = POINTS[name];
    const fields = Object.keys(payload.fields);
    expect(fields).toEqual(expect.arrayContaining([...fixed]));
    expect(fields).toEqual(expect.arrayContaining(required.map((pointer) => pointer.split("/")[1])));
  }
});

test("an answer that is not understood refuses the operation at the two guarded points", () => {
  expect(POINT_NAMES.filter((name) => POINTS[name].guard)).toEqual(["tool.before", "permission.decision"]);
});

test("existing sidecars know these seven points as events", () => {
  expect(POINT_NAMES.filter((name) => POINTS[name].eventByHabit)).toEqual([
    "session.start",
    "session.load",
    "session.save",
    "session.rotate",
    "session.end",
    "system_prompt.build",
    "frontend.event",
  ]);
});

test("the index says what replace and block do at every point", () => {
  expect(Object.keys(POINT_EFFECTS).toSorted()).toEqual(POINT_NAMES.toSorted());
});

test("[T3] [C1] [C2] [C3] the four sizes", () => {
  expect(LIMITS).toEqual({
    frameBytes: 8 * 1024 * 1024,
    externalizeFieldBytes: 64 * 1024,
    contentRefChunkBytes: 256 * 1024,
    contentRefObjectBytes: 8 * 1024 * 1024,
  });
});

test("[E1] an error carries its reason, whether to try again, and one sentence on what to do", () => {
  expect(wireError("content_ref_expired", "content c-1 is gone")).toEqual({
    code: -32000,
    message: "content c-1 is gone",
    data: { reason: "content_ref_expired", retryable: true, action: REASONS.content_ref_expired.action },
  });
  for (const reason of REASON_NAMES) {
    const { data } = wireError(reason, "x");
    expect(decode(ErrorData, { ...data }).ok).toBe(true);
    expect(data.action).toMatch(/^[A-Z][^\n]{10,}[^.]\.$/);
  }
});

test("[E1] only the four protocol reasons have codes of JSON-RPC itself", () => {
  const standard = REASON_NAMES.filter((reason) => REASONS[reason].code !== -32000);
  expect(standard).toEqual(["internal", "invalid_params", "protocol_error", "unknown_method"]);
});

test.each([
  [{ reason: "stream_gap", retryable: true, action: "x", extra: 1 }, "stream_gap"],
  [{ reason: "made_up" }, null],
  [{ reason: 5 }, null],
  [{}, null],
  [null, null],
  ["stream_gap", null],
  [undefined, null],
])("the reason of error data %j is %s", (data, reason) => {
  expect(reasonOf(data)).toBe(reason);
});

test.each([
  ["compaction", { kind: "compaction", name: "" }],
  ["tool:bash", { kind: "tool", name: "bash" }],
  ["tool:mcp:odd:name", { kind: "tool", name: "mcp:odd:name" }],
  ["provider:plugin/acme/chat/a/b", { kind: "provider", name: "plugin/acme/chat/a/b" }],
  ["tool:", null],
  ["tool", null],
  ["compaction:x", null],
  ["", null],
  ["toString", null],
])("[I10] slot %j is read as %j", (text, slot) => {
  expect(parseSlot(text)).toEqual(slot);
  expect(isSlotName(text)).toBe(slot !== null);
});

test.each([
  ["plugin/acme/chat/large", { plugin: "acme", rest: "chat/large" }],
  ["plugin/acme/chat/org/model:v1", { plugin: "acme", rest: "chat/org/model:v1" }],
  ["plugin/acme/one", { plugin: "acme", rest: "one" }],
  ["plugin/acme/", null],
  ["plugin/acme", null],
  ["plugin//x", null],
  ["plugin/acme//x", null],
  ["plugin/acme/x/", null],
])("[P2] model reference %j is read as %j", (ref, parts) => {
  expect(parsePluginRef(ref)).toEqual(parts);
  expect(isPluginRef(ref)).toBe(true);
});

test("[P2] other model references are not a plugin's", () => {
  expect(
    ["deepseek/chat", "plugins/a/b", "", "Plugin/a/b"].map((ref) => [isPluginRef(ref), parsePluginRef(ref)]),
  ).toEqual([
    [false, null],
    [false, null],
    [false, null],
    [false, null],
  ]);
});

test("names of object members that every object has are no names of ours", () => {
  for (const name of ["constructor", "__proto__", "toString", "", 5, null]) {
    expect([isMethodName(name), isPointName(name), isReason(name)]).toEqual([false, false, false]);
  }
});
