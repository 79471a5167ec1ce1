/** Waits of the contract to the millisecond, on a clock that moves only when told, with real sidecars. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { UiPort } from "../src/index.ts";
import { fakeClock } from "./support/fake-clock.ts";
import { end, listen, offering, provider, refOf, text, textOf } from "./support/offers.ts";
import { ruleOnce, setStage, until, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

const nobody: UiPort = { show: () => {}, ask: () => Promise.resolve({ kind: "cancelled" }) };

/** Whether a promise is still open after everything that is due has run. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  return (await Promise.race([promise, Promise.resolve(isOpen)])) === isOpen;
}

test("[P4] [case P-02] a hole is waited for one second after the end, and no longer", async () => {
  const clock = fakeClock();
  const probe = { ui: { surfaceId: "s", kind: "status", payload: { label: "x" } } };
  const steps = [text(1, "A"), text(3, "C"), end(3), probe];
  const host = await stage.host([provider(stage, "maker", steps)], { clock });
  const heard = listen(host, refOf("maker"));
  await until(async () => (await stage.log("maker")).some((entry) => entry["ui"] !== undefined));
  clock.advance(999);
  expect(await isOpen(heard)).toBe(true);
  clock.advance(1);
  const { error, ...rest } = await heard;
  expect(textOf({ error, ...rest })).toBe("A");
  expect(String(error)).toContain("chunk 2 never came (waited 1 s)");
});

test.each([
  ["an intercept lives 30 s longer than its answer took", "ofCall"],
  ["an event lives 30 s", "ofEvent"],
])("[C4] the reference of %s", async (_whose, member) => {
  const clock = fakeClock();
  const steps = [{ do: "keepReference" }, ...Array.from({ length: 3 }, () => ({ do: "readKept" }))];
  const spec = stage.spec("reader", { intercepts: ["input.receive"] }, { on: { "input.receive": steps } });
  const host = await stage.host([spec], { clock });
  await ruleOnce(host, "input.receive", { text: "x".repeat(70_000) });
  await until(async () => (await stage.frames("reader", "extension/event")).length === 1);
  const reads: unknown[] = [];
  for (const millis of [0, 29_999, 1]) {
    clock.advance(millis);
    await ruleOnce(host, "input.receive", { text: "small" });
    reads.push((await stage.log("reader")).findLast((entry) => entry[member] !== undefined)?.[member]);
  }
  expect(reads).toEqual([70_011, 70_011, "content_ref_expired"]);
});

test("[U5] an action and a form are answered within 30 s, or fail with the plugin's name", async () => {
  const clock = fakeClock();
  const form = { ui: { surfaceId: "f", kind: "form", payload: { fields: [{ key: "k", kind: "input" }] } } };
  const spec = offering(
    stage,
    "slow",
    { capabilities: ["ui"] },
    { init: { uiActions: [{ actionId: "go" }] }, onInitialized: [form], hangsOnSubmit: true },
  );
  const host = await stage.host([spec], { clock }, { ui: nobody });
  await until(async () => (await stage.log("slow")).some((entry) => entry["ui"] !== undefined));
  const asked = [host.runAction("slow", "go", {}), host.submitForm("slow", "f", { k: "v" })];
  for (const method of ["extension/ui/action", "extension/ui/submit"])
    await until(async () => (await stage.frames("slow", method)).length === 1);
  clock.advance(29_999);
  expect(await Promise.all(asked.map(isOpen))).toEqual([true, true]);
  clock.advance(1);
  const answers = await Promise.all(asked);
  expect(answers).toMatchObject([
    { kind: "failed", plugin: "slow", message: expect.stringContaining("no answer within 30 s") },
    { kind: "failed", plugin: "slow", message: expect.stringContaining("no answer within 30 s") },
  ]);
  expect(host.diagnostics().plugins).toMatchObject([{ state: "ready" }]);
});

/** More than pipe and process together take. */
const MUCH = { text: "x".repeat(4_000_000) };

test("[T1] [L6] a request that waits 10 s to be written, with no intercept running, counts as a crash", async () => {
  const clock = fakeClock();
  const spec = offering(
    stage,
    "deaf",
    { capabilities: ["ui"], required: true },
    { init: { uiActions: [{ actionId: "go" }] }, onInitialized: [{ deaf: true }] },
  );
  const host = await stage.host([spec], { clock }, { ui: nobody });
  await until(async () => (await stage.log("deaf")).some((entry) => entry["deaf"] === true));
  const action = host.runAction("deaf", "go", MUCH);
  clock.advance(9_999);
  expect(await isOpen(action)).toBe(true);
  clock.advance(1);
  const answer = await action;
  expect(answer).toMatchObject({ kind: "failed", plugin: "deaf" });
  expect(answer.kind === "failed" ? answer.message : "").toContain("took no input for 10000 ms");
  expect(host.diagnostics().plugins).toMatchObject([{ state: "gone" }]);
  expect(stage.notices.map(({ code }) => code)).toEqual(["sidecar_died"]);
});

test("[I14] while an intercept runs its own budget decides, and a pipe that takes nothing ends nobody", async () => {
  const clock = fakeClock();
  const spec = offering(
    stage,
    "deaf",
    { capabilities: ["ui", "interceptors"], intercepts: ["context.prepare"] },
    { init: { uiActions: [{ actionId: "go" }] }, onInitialized: [{ deaf: true }] },
  );
  const host = await stage.host([spec], { clock }, { ui: nobody });
  await until(async () => (await stage.log("deaf")).some((entry) => entry["deaf"] === true));
  const ruling = ruleOnce(host, "context.prepare", { messages: [] });
  const action = host.runAction("deaf", "go", MUCH);
  clock.advance(29_999);
  expect([await isOpen(ruling), await isOpen(action)]).toEqual([true, true]);
  clock.advance(1);
  expect(await ruling).toMatchObject({ kind: "proceed" });
  expect(await action).toMatchObject({ kind: "failed", message: expect.stringContaining("no answer within 30 s") });
  expect(host.diagnostics().plugins).toMatchObject([{ state: "ready" }]);
  expect(stage.notices.map(({ code }) => code)).toEqual(["interceptor_skipped"]);
  // It hears no goodbye either, whose time has to pass as well.
  const stopping = host.stop();
  await until(async () => {
    clock.advance(1_000);
    return !(await isOpen(stopping));
  });
});

test("[P7] a cancel that is not answered is waited for no longer than 5 s, and harms nobody", async () => {
  const clock = fakeClock();
  const host = await stage.host([provider(stage, "maker", [text(1, "A")], { ignoresCancel: true })], { clock });
  const aborting = new AbortController();
  const heard = listen(host, refOf("maker"), { signal: aborting.signal });
  await until(async () => (await stage.frames("maker", "extension/provider/stream/open")).length === 1);
  aborting.abort(new Error("enough"));
  expect((await heard).error).toMatchObject({ kind: "cancelled" });
  await until(async () => (await stage.frames("maker", "extension/provider/stream/cancel")).length === 1);
  const before = clock.timers;
  clock.advance(4_999);
  expect(clock.timers).toBe(before);
  clock.advance(1);
  expect(clock.timers).toBe(before - 1);
  expect(host.diagnostics().plugins).toMatchObject([{ state: "ready" }]);
});
