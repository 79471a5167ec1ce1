/** The pure decisions, row by row. */
import { expect, test } from "vitest";
import type { PointName, SlotName } from "@reasonix-ts/protocol";
import { deathOf, stderrSentence } from "../src/death.ts";
import { Bench, mayBench } from "../src/dispatch/bench.ts";
import { consequenceOf, faultText, type Fault } from "../src/dispatch/fault.ts";
import { makePlan, nextSlot } from "../src/dispatch/plan.ts";
import { changedMembers } from "../src/dispatch/receipt.ts";
import { InterceptClock } from "../src/intercept-clock.ts";
import { collisionText, findCollisions } from "../src/slots.ts";
import { interceptBudget } from "../src/spec.ts";
import { isStartPermission, mintStartPermission } from "../src/trust.ts";
import { fakeClock } from "./support/fake-clock.ts";

const seat = (plugin: string, priority: number, order: number, owns: readonly SlotName[] = []) => ({
  plugin,
  priority,
  order,
  intercepts: new Set<PointName>(["tool.before"]),
  owns: new Set(owns),
});

test("[I4] the chain is sorted by priority, then by code unit, then as given", () => {
  const seats = [seat("b", 0, 0), seat("B", 0, 1), seat("a", 5, 2), seat("z", -1000, 3), seat("b", 0, 4)];
  const { chains } = makePlan(seats);
  expect(chains["tool.before"].map(({ plugin, order }) => `${plugin}${order}`)).toEqual(["z3", "B1", "b0", "b4", "a2"]);
  expect(chains["input.receive"]).toEqual([]);
});

test("[K1] a plan wants only points that somebody intercepts or owns", () => {
  const { wanted } = makePlan([seat("a", 0, 0, ["tool:bash", "compaction"])]);
  expect([...wanted].toSorted()).toEqual(["compaction.complete", "compaction.prepare", "tool.after", "tool.before"]);
});

test.each<[PointName, string | undefined, string | undefined, SlotName[], SlotName | null]>([
  ["tool.before", "bash", undefined, [], "tool:bash"],
  ["tool.before", "grep", undefined, [], null],
  ["provider.request", undefined, "m/x", [], "provider_request"],
  ["provider.request", undefined, "m/x", ["provider_request"], "provider:m/x"],
  ["provider.request", undefined, "m/y", ["provider_request"], null],
  ["provider.response", undefined, "m/x", [], "provider_response"],
  ["session.load", undefined, undefined, [], "session_policy"],
  ["input.receive", undefined, undefined, [], null],
  ["frontend.event", undefined, undefined, ["frontend_events"], null],
])(
  "[I10] [I12] at %s of tool %s and model %s, after %j, the next to have a word is %s",
  (point, tool, modelRef, asked, next) => {
    const owners = new Map(
      (
        [
          "tool:bash",
          "provider_request",
          "provider_response",
          "provider:m/x",
          "session_policy",
          "frontend_events",
        ] as const
      ).map((slot) => [slot, true]),
    );
    expect(nextSlot(point, [{ tool, modelRef }], owners, new Set(asked))).toBe(next);
  },
);

const FAULTS = {
  error_reply: { kind: "error_reply", reason: null, code: -32603, message: "no" },
  timeout: { kind: "timeout", budgetMillis: 5_000, elapsedMillis: 5_001 },
  death: { kind: "death", reason: "internal", message: 'Plugin "p" ended by itself.' },
  illegal: { kind: "illegal", problem: "blok" },
  oversize: { kind: "oversize", bytes: 9_437_184, limit: 8_388_608 },
} as const satisfies { readonly [K in Fault["kind"]]: Fault };
const kinds = Object.keys(FAULTS) as (keyof typeof FAULTS)[];

test("[I13] [I15] whatever goes wrong with an owner or a required plugin fails the operation", () => {
  for (const kind of kinds) {
    const position = { point: "tool.before", hasRuled: true } as const;
    expect(consequenceOf(FAULTS[kind], { ...position, asOwner: true, required: false })).toBe("fail");
    expect(consequenceOf(FAULTS[kind], { ...position, asOwner: false, required: true })).toBe("fail");
  }
});

test.each<[keyof typeof FAULTS, PointName, boolean, string]>([
  ["illegal", "tool.before", false, "refuse"],
  ["illegal", "permission.decision", true, "refuse"],
  ["illegal", "input.receive", true, "skip"],
  ["timeout", "tool.before", false, "skip"],
  ["timeout", "tool.before", true, "ask_person"],
  ["death", "permission.decision", true, "ask_person"],
  ["death", "tool.after", true, "skip"],
  ["timeout", "input.receive", true, "skip"],
  ["error_reply", "tool.before", true, "skip"],
  ["oversize", "tool.before", true, "skip"],
  ["error_reply", "session.start", false, "listen_only"],
  ["error_reply", "system_prompt.build", true, "listen_only"],
  ["error_reply", "frontend.event", false, "listen_only"],
  ["timeout", "session.start", false, "skip"],
])("[I15] [case I-04] an optional plugin: %s at %s (has ruled: %s) → %s", (kind, point, hasRuled, consequence) => {
  expect(consequenceOf(FAULTS[kind], { point, asOwner: false, required: false, hasRuled })).toBe(consequence);
});

test("[I7] [case I-07] fault texts name plugin, point, budget and what to do", () => {
  expect(faultText("p", "input.receive", FAULTS.timeout)).toBe(
    'Plugin "p" at input.receive: no answer within its 5 s (intercept_timeout, waited 5 s). Make it answer faster or raise runtime.timeoutMillis in its manifest.',
  );
  expect(faultText("p", "tool.after", FAULTS.oversize)).toBe(
    'Plugin "p" at tool.after: the payload has 9437184 bytes (9 MiB), more than the 8388608 (8 MiB) that can travel.',
  );
});

test("[I15] three failures in a row bench an observer for 60 s, and one more sends it back", () => {
  const clock = fakeClock();
  const bench = new Bench(clock);
  const fail = () => bench.failed("p", "input.receive", true);
  expect([fail(), fail()]).toEqual([false, false]);
  bench.answered("p", "input.receive");
  expect([fail(), fail(), bench.has("p", "input.receive"), fail()]).toEqual([false, false, false, true]);
  expect(bench.has("p", "input.receive")).toBe(true);
  expect(bench.has("p", "tool.after")).toBe(false);
  expect(bench.list()).toEqual([{ plugin: "p", point: "input.receive", failures: 3, remainingMillis: 60_000 }]);
  clock.advance(60_000);
  expect(bench.has("p", "input.receive")).toBe(false);
  expect(bench.list()).toEqual([]);
  expect(fail()).toBe(true);
});

test.each<[boolean, boolean, boolean, PointName, boolean]>([
  [false, false, false, "tool.before", true],
  [false, false, true, "tool.before", false],
  [false, false, true, "tool.after", false],
  [false, false, true, "input.receive", false],
  [false, false, true, "permission.decision", false],
  [false, false, true, "context.prepare", true],
  [true, false, false, "context.prepare", false],
  [false, true, false, "context.prepare", false],
])("[I15] required %s, owner %s, ruler %s at %s: benched %s", (required, ownsSlot, hasRuled, point, benched) => {
  expect(mayBench({ required, ownsSlot, hasRuled }, point)).toBe(benched);
});

test.each([
  [0, "input.receive", 5_000],
  [0, "permission.decision", 5_000],
  [0, "frontend.event", 5_000],
  [0, "session.start", 30_000],
  [0, "provider.request", 30_000],
  [60_000, "input.receive", 60_000],
  [61_000, "context.prepare", 60_000],
  [100, "context.prepare", 100],
] as const)("[I14] [case I-07] timeoutMillis %i gives %s a budget of %i ms", (timeoutMillis, point, budget) => {
  expect(interceptBudget({ timeoutMillis }, point)).toBe(budget);
});

test("[I11] [case S-01] a collision names the slot and both plugins with versions and sources", () => {
  const a = { plugin: "a", version: "1.0.0", source: "/src/a", replaces: ["system_prompt", "tool:bash"] as const };
  const b = { plugin: "b", version: "2.1.0", source: "git:b", replaces: ["system_prompt"] as const };
  const collisions = findCollisions([a, b]);
  expect(collisions).toEqual([{ slot: "system_prompt", first: a, second: b }]);
  expect(collisions.map(collisionText)).toEqual([
    'Slot "system_prompt" has two owners: plugin "a" 1.0.0 from /src/a and plugin "b" 2.1.0 from git:b. A slot has one owner: disable one of the two with `reasonix plugin disable b`.',
  ]);
});

test("[I14] an intercept's clock stands still while a person answers, for running and coming intercepts", () => {
  const clock = fakeClock();
  const intercepts = new InterceptClock(clock);
  const first = intercepts.start(5_000);
  clock.advance(4_000);
  const release = intercepts.hold();
  const releaseAgain = intercepts.hold();
  const second = intercepts.start(5_000);
  clock.advance(60_000);
  release();
  clock.advance(60_000);
  expect([first.remaining(), second.remaining()]).toEqual([1_000, 5_000]);
  releaseAgain();
  releaseAgain();
  clock.advance(999);
  expect([first.expired, second.expired]).toEqual([false, false]);
  clock.advance(1);
  expect([first.expired, second.expired]).toEqual([true, false]);
  intercepts.finish(first);
  intercepts.finish(second);
  expect(intercepts.running).toBe(0);
});

test("[I9] receipts name the members that changed", () => {
  expect(changedMembers({ text: "a", "x/y": 1, same: [1] }, { text: "b", same: [1], more: true })).toEqual([
    "/text",
    "/more",
    "/x~1y",
  ]);
});

test("[X1] only a minted permission is genuine", () => {
  const permission = mintStartPermission("plugin-packages.json");
  expect(permission.grounds).toBe("plugin-packages.json");
  expect(isStartPermission(permission)).toBe(true);
  const lookalike: unknown = Object.create(permission);
  expect([isStartPermission(lookalike), isStartPermission({ grounds: "x" }), isStartPermission(null)]).toEqual([
    false,
    false,
    false,
  ]);
});

test.each([
  ["", ""],
  ["a log line\n", " It last wrote to stderr: a log line"],
  ["SyntaxError: bad token\n    at x\n", " It last wrote to stderr: SyntaxError: bad token"],
  [
    "/p/s.js:1\nnot code\n\nSyntaxError: Unexpected identifier 'code'\n    at wrap",
    " It failed with: SyntaxError: Unexpected identifier 'code'. It last wrote to stderr: /p/s.js:1\nnot code\n\nSyntaxError: Unexpected identifier 'code'",
  ],
  [
    `[p] onStart failed: no database Error: no database\n${"    at x (s.cjs:1:2)\n".repeat(12)}\nNode.js v20.20.2\n`,
    " It last wrote to stderr: [p] onStart failed: no database Error: no database",
  ],
  [
    "Traceback (most recent call last):\nModuleNotFoundError: No module named 'x'",
    " It failed with: ModuleNotFoundError: No module named 'x'. It last wrote to stderr: Traceback (most recent call last):\nModuleNotFoundError: No module named 'x'",
  ],
])("[L1] the line that says what went wrong comes before the end of stderr: %j", (stderr, sentence) => {
  expect(stderrSentence(stderr)).toBe(sentence);
});

test.each([
  [true, 'Plugin "p" is lost: gone. Reload to start it again. It last wrote to stderr: boom'],
  [false, 'Plugin "p" is lost: gone. It last wrote to stderr: boom'],
])("[L8] a reload is advised only where somebody can do it: %s", (reloads, message) => {
  const reason = { kind: "broken", message: "gone" } as const;
  const facts = { plugin: "p", reason, exit: null, killed: false, stderr: "boom\n", wanted: false, reloads };
  expect(deathOf({ ...facts, redact: (text) => text }).message).toBe(message);
});

test.each([
  ["boom", 'Plugin "p" at input.receive: it answered with an error (code -32603): boom.'],
  ["boom!", 'Plugin "p" at input.receive: it answered with an error (code -32603): boom!'],
])("[I15] words of an extension end before ours go on: %s", (message, text) => {
  expect(faultText("p", "input.receive", { kind: "error_reply", reason: null, code: -32603, message })).toBe(text);
});
