import { expect, test } from "vitest";
import type { SurfaceKind } from "@reasonix-ts/protocol";
import { judgeValues, type AnswerRule } from "../src/surfaces/form.ts";
import { judgeSurface } from "../src/surfaces/surface.ts";
import { Throttle } from "../src/surfaces/throttle.ts";
import { fakeClock } from "./support/fake-clock.ts";

const redact = (text: string) => text.replaceAll("hunter22", "[redacted]");
const stamp = { plugin: "p", surfaceId: "s", sessionId: "session-1", generation: 1 };
const judge = (kind: SurfaceKind, payload: unknown) =>
  judgeSurface(stamp, kind, payload, { actions: new Set(["go"]), redact });

/** Each string of [case U-02], and what may be left of it. */
test.each([
  ["ok\u001b]52;c;aGk=\u0007", "ok"],
  ["\u001b[2J\u001b[10Abody", "body"],
  ["\u001b]8;;http://x.test\u0007hi\u001b]8;;\u0007", "hi"],
  ["\u009b2Jx", "x"],
  ["a\u001b]b", "ab"],
  ["\u202eabc\u200b", "abc"],
  ["family \u{1f468}\u200d\u{1f469}", "family \u{1f468}\u200d\u{1f469}"],
  ["key hunt\u200ber22", "key [redacted]"],
])("[U3] [X3] [case U-02] no control leaves a surface, and no secret hides behind one: %j", (raw, clean) => {
  const judged = judge("card", {
    title: raw,
    text: raw,
    markdown: raw,
    fields: [{ key: raw, value: raw }],
    actions: [{ actionId: "go", label: raw }],
  });
  expect(judged).toMatchObject({
    ok: true,
    surface: {
      payload: {
        title: clean,
        text: clean,
        markdown: clean,
        fields: [{ key: clean, value: clean }],
        actions: [{ actionId: "go", label: clean }],
      },
    },
  });
  expect(judge("notification", { title: raw, body: raw })).toMatchObject({
    surface: { payload: { title: clean, body: clean } },
  });
  expect(judge("status", { label: raw, detail: raw })).toMatchObject({
    surface: { payload: { label: clean, detail: clean } },
  });
  expect(
    judge("form", { title: raw, message: raw, fields: [{ key: "k", kind: "select", label: raw, options: [raw] }] }),
  ).toMatchObject({
    surface: { payload: { title: clean, message: clean, fields: [{ label: clean, options: [clean] }] } },
  });
});

test.each([
  ["status", { label: "x", html: "<b>" }, "/html"],
  ["status", { label: "x", progress: 2 }, "/progress"],
  ["status", { label: "x", severity: "fatal" }, "/severity"],
  ["status", { label: "\u200b" }, "/payload/label"],
  ["notification", { body: "x" }, "/title"],
  ["card", { fields: [{ key: "", value: "x" }] }, "/fields/0/key"],
  ["card", { script: "x" }, "/script"],
  ["form", { title: "x" }, "/fields"],
  ["form", { fields: [{ key: "k", kind: "slider" }] }, "/fields/0/kind"],
  ["card", "text", ""],
] as const)("[U1] [U3] a %s that is not of its shape is refused with its path: %j", (kind, payload, path) => {
  const judged = judge(kind, payload);
  expect(judged.ok ? [] : judged.problems.map((problem) => problem.path)).toEqual([path]);
});

test("[U1] the empty severity counts as absent, newline and tab stay in texts and go from titles", () => {
  expect(judge("status", { label: "a\nb", severity: "" })).toMatchObject({ surface: { payload: { label: "a b" } } });
  const judged = judge("notification", { title: "t", body: "a\n\tb", severity: "" });
  expect(judged).toMatchObject({
    surface: { ...stamp, kind: "notification", payload: { title: "t", body: "a\n\tb" } },
  });
  expect(judged.ok && "severity" in judged.surface.payload).toBe(false);
});

test("[U5] what cannot be used is left out and told: actions, selects without options, doubled and hidden keys", () => {
  const card = judge("card", {
    title: "t",
    actions: [
      { actionId: "go", label: "Go" },
      { actionId: "rm", label: "Rm" },
    ],
  });
  expect(card).toMatchObject({ surface: { payload: { actions: [{ actionId: "go", label: "Go" }] } } });
  expect(card.ok && card.dropped).toEqual(['the action at /actions/1 ("rm"): the handshake did not declare it']);
  const form = judge("form", {
    fields: [
      { key: "a", kind: "input", default: 5 },
      { key: "a", kind: "confirm" },
      { key: "b", kind: "select" },
      { key: "c\u0007", kind: "input" },
      { key: "d", kind: "multiselect", options: ["x", "y"], default: ["y"] },
    ],
  });
  expect(form).toMatchObject({
    surface: {
      payload: {
        fields: [
          { key: "a", kind: "input", label: "a", required: false },
          { key: "d", kind: "multiselect", label: "d", options: ["x", "y"], default: ["y"] },
        ],
      },
    },
  });
  expect(form.ok && form.dropped.map((text) => text.split(":")[0])).toEqual([
    "the default at /fields/0/default",
    'the field at /fields/1 ("a")',
    'the field at /fields/2 ("b")',
    'the field at /fields/3 ("c")',
  ]);
});

const rule = (kind: AnswerRule["kind"], required = false): AnswerRule => ({
  key: "k",
  kind,
  required,
  options: new Map([
    ["shown", "own\u0007"],
    ["b", "b"],
  ]),
});

test.each([
  ["input", "text", "text"],
  ["input", 5, null],
  ["confirm", false, false],
  ["confirm", "true", null],
  ["select", "shown", "own\u0007"],
  ["select", "other", null],
  ["multiselect", ["shown", "b"], ["own\u0007", "b"]],
  ["multiselect", [], []],
  ["multiselect", "b", null],
  ["multiselect", ["b", 1], null],
] as const)("[U2] an answer to %s is judged by its kind: %j", (kind, value, expected) => {
  const judged = judgeValues([rule(kind)], { k: value, foreign: 1 });
  expect(judged.ok ? judged.values["k"] : null).toEqual(expected);
  expect(judged.ok ? Object.keys(judged.values) : ["k"]).toEqual(["k"]);
});

test("[U2] a field may stay empty unless it is required", () => {
  expect(judgeValues([rule("input")], {})).toEqual({ ok: true, values: {} });
  expect(judgeValues([rule("input", true)], {})).toMatchObject({ ok: false });
  expect(judgeValues([rule("input", true)], { k: "" })).toMatchObject({ ok: false });
  expect(judgeValues([rule("confirm", true)], { k: false })).toEqual({ ok: true, values: { k: false } });
  expect(judgeValues([rule("select", true)], { k: null })).toMatchObject({ ok: false });
});

test("[U4] [case U-04] at most ten repaints a second of each surface, the last value always", () => {
  const clock = fakeClock();
  const shown: [number, string][] = [];
  const throttle = new Throttle<string>(100, clock, (value) => shown.push([clock.now(), value]));
  for (let step = 0; step < 50; step++) {
    throttle.push("idx", `v${step}`);
    if (step === 3) throttle.push("other", "x");
    clock.advance(20);
  }
  clock.advance(1_000);
  const own = shown.filter(([, value]) => value !== "x");
  expect(own).toHaveLength(11);
  expect(own[0]).toEqual([0, "v0"]);
  expect(own.at(-1)).toEqual([1_000, "v49"]);
  expect(own.every(([at], index) => index === 0 || at - (own[index - 1]?.[0] ?? 0) >= 100)).toBe(true);
  expect(shown).toContainEqual([60, "x"]);
  expect(clock.timers).toBe(0);
});
