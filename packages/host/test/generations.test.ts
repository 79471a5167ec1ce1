/** Reloads: leases, swaps, failed builds, what stays the same and what does not, with real processes. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { processIsAlive } from "@reasonix-ts/process";
import { createHost } from "../src/index.ts";
import { fastClock } from "./support/fake-clock.ts";
import { ruleOnce, setStage, until, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

const intercepts = ["input.receive"] as const;
const tagging = (text: string) => ({ on: { "input.receive": { do: "tag", text } } });

test("[R1] [R4] [R6] [case R-01] [case R-03] a lease keeps its generation; the old sidecars stop with its last lease", async () => {
  const host = await stage.host([stage.spec("p", { intercepts }, tagging("old"))]);
  const oldPid = Number(host.diagnostics().plugins[0]?.pid);
  const turn = host.lease();
  const other = host.lease();
  const result = await host.reload({ specs: [stage.spec("p", { intercepts }, tagging("new"))] });
  const newPid = Number(host.diagnostics().plugins[0]?.pid);
  expect(result).toEqual({ kind: "done", generation: 2, plugins: [{ name: "p", oldPid, newPid }] });
  expect(newPid).not.toBe(oldPid);
  expect(await turn.rule("input.receive", { text: "x" }, {})).toMatchObject({ payload: { text: "xold" } });
  expect(await ruleOnce(host, "input.receive", { text: "x" })).toMatchObject({ payload: { text: "xnew" } });
  expect([turn.generation, host.generation]).toEqual([1, 2]);
  turn.release();
  turn.release();
  expect(host.diagnostics().retiring).toEqual([{ generation: 1, leases: 1 }]);
  expect(await other.rule("input.receive", { text: "x" }, {})).toMatchObject({ payload: { text: "xold" } });
  other.release();
  await until(() => !processIsAlive(oldPid));
  await until(() => host.diagnostics().retiring.length === 0);
  expect(processIsAlive(newPid)).toBe(true);
});

test("[R4] every reload starts every sidecar anew, also where nothing changed, one reload after another", async () => {
  const specs = [stage.spec("a", { intercepts }), stage.spec("b", { intercepts })];
  const host = await stage.host(specs);
  const results = await Promise.all([host.reload({ specs }), host.reload({ specs })]);
  const pids = results.flatMap(({ plugins }) => plugins.flatMap(({ oldPid, newPid }) => [oldPid, newPid]));
  expect(results.map(({ generation }) => generation)).toEqual([2, 3]);
  expect(new Set(pids).size).toBe(6);
});

test.each([
  ["ends before it answers", { exitAtOnce: 1, stderr: "SyntaxError: x" }, "SyntaxError: x"],
  ["over-declares", { init: { replaces: ["permission"] } }, "runtime.replaces"],
])("[R5] [case R-02] a new build that %s leaves the old one untouched", async (_name, script, text) => {
  const keep = stage.spec("keep", { intercepts }, tagging("!"));
  const host = await stage.host([keep]);
  const { pid } = host.diagnostics().plugins[0] ?? {};
  const result = await host.reload({ specs: [keep, stage.spec("bad", { required: true, intercepts }, script)] });
  expect(result).toMatchObject({ kind: "failed", generation: 1, failures: [{ kind: "start_failed", plugin: "bad" }] });
  expect(result.plugins).toEqual([
    { name: "keep", oldPid: pid },
    { name: "bad", error: expect.stringContaining(text) },
  ]);
  expect(host.diagnostics()).toMatchObject({ generation: 1, plugins: [{ plugin: "keep", pid, state: "ready" }] });
  expect(await ruleOnce(host, "input.receive", { text: "x" })).toMatchObject({ payload: { text: "x!" } });
  const started = [...(await stage.log("keep")), ...(await stage.log("bad"))].flatMap((entry) => entry["pid"] ?? []);
  expect(started.map(Number).filter(processIsAlive)).toEqual([pid]);
});

test("[R5] [case R-02] a new build that hangs ends with its budget and leaves the old one untouched", async () => {
  const keep = stage.spec("keep", { intercepts }, tagging("!"));
  const host = await stage.host([keep], { clock: fastClock(20) });
  const { pid } = host.diagnostics().plugins[0] ?? {};
  const result = await host.reload({ specs: [keep, stage.spec("hang", { required: true }, { initDelay: "never" })] });
  expect(result).toMatchObject({ kind: "failed", failures: [{ plugin: "hang", reason: "activation_failed" }] });
  const started = [...(await stage.log("keep")), ...(await stage.log("hang"))].flatMap((entry) => entry["pid"] ?? []);
  expect(started.map(Number).filter(processIsAlive)).toEqual([pid]);
});

test("[I11] [R5] [case S-01] [case R-02] a slot collision fails boot and reload before anything starts, naming both", async () => {
  const a = stage.spec("rt-slot-a", { replaces: ["system_prompt"] });
  const b = stage.spec("rt-slot-b", { replaces: ["system_prompt"], version: "2.0.0" });
  const boot = await createHost(stage.options([a, b]));
  const failure = {
    kind: "slot_collision",
    reason: "activation_failed",
    slot: "system_prompt",
    first: { plugin: "rt-slot-a", version: "1.0.0", source: "/src/rt-slot-a" },
    second: { plugin: "rt-slot-b", version: "2.0.0", source: "/src/rt-slot-b" },
    message: expect.stringContaining('plugin "rt-slot-a" 1.0.0 from /src/rt-slot-a and plugin "rt-slot-b" 2.0.0'),
  };
  expect(boot).toEqual({ kind: "failed", failures: [failure] });
  expect([await stage.log("rt-slot-a"), await stage.log("rt-slot-b")]).toEqual([[], []]);
  const host = await stage.host([a]);
  expect(await host.reload({ specs: [a, b] })).toMatchObject({ kind: "failed", failures: [failure] });
  expect(await stage.frames("rt-slot-a", "extension/initialize")).toHaveLength(1);
  expect(host.generation).toBe(1);
});

test("[I11] a plugin whose runtime is broken keeps its slots, and a required one stops the build", async () => {
  const broken = {
    plugin: "broken",
    version: "1.0.0",
    source: "/src/broken",
    required: false,
    replaces: ["compaction"],
    problem: "no command",
  } as const;
  const host = await stage.host([], { broken: [broken] });
  expect(await ruleOnce(host, "compaction.prepare", { messages: [] })).toMatchObject({
    kind: "failed",
    plugin: "broken",
    reason: "activation_failed",
  });
  const result = await host.reload({ specs: [], broken: [{ ...broken, required: true }] });
  expect(result).toMatchObject({ kind: "failed", failures: [{ kind: "broken", plugin: "broken" }] });
  expect(result.plugins[0]?.error).toContain("no command");
});

test("[K2] [R5] a host that is stopped gives up a build that hangs, and leaves no process", async () => {
  const host = await stage.host([stage.spec("keep", { intercepts })]);
  const reload = host.reload({ specs: [stage.spec("hang", {}, { initDelay: "never" })] });
  const outcome = expect(reload).rejects.toThrow("the host was stopped");
  await until(async () => (await stage.log("hang")).length === 2);
  const startedAt = performance.now();
  await host.stop();
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  await outcome;
  expect(() => host.lease()).toThrow("stopped");
});

test("[R5] a boot and a reload that their caller gives up leave no process and reject with the reason", async () => {
  const hang = stage.spec("hang", { intercepts }, { initDelay: "never" });
  const started = () => stage.frames("hang", "extension/initialize");
  const boot = new AbortController();
  const booting = expect(createHost(stage.options([hang]), { signal: boot.signal })).rejects.toThrow("escape");
  await until(async () => (await started()).length === 1);
  boot.abort(new Error("escape"));
  await booting;
  const host = await stage.host([stage.spec("keep", { intercepts })]);
  const again = new AbortController();
  const reloading = expect(host.reload({ specs: [hang] }, { signal: again.signal })).rejects.toThrow("changed my mind");
  await until(async () => (await started()).length === 2);
  again.abort(new Error("changed my mind"));
  await reloading;
  expect(host.diagnostics()).toMatchObject({ generation: 1, plugins: [{ plugin: "keep", state: "ready" }] });
  const pids = (await stage.log("hang")).flatMap((entry) => entry["pid"] ?? []).map(Number);
  expect(pids.map(processIsAlive)).toEqual([false, false]);
});

test("[R7] [K3] a reload that changes nothing gives the same system prompt, byte for byte, and tells no change", async () => {
  const script = { on: { "system_prompt.build": { do: "set", members: { prompt: "You are kind. 读" } } } };
  const specs = [
    stage.spec("owner", { replaces: ["system_prompt"] }, script),
    stage.spec("watch", { intercepts: ["system_prompt.build"] }),
  ];
  const host = await stage.host(specs);
  const build = () => ruleOnce(host, "system_prompt.build", { prompt: "base", workspaceRoot: "/w" });
  const before = await build();
  await host.reload({ specs });
  expect(JSON.stringify(await build())).toBe(JSON.stringify(before));
  expect(host.diagnostics().changes).toEqual([]);
});

test("[K3] [R7] a prompt that changes is told with plugin and slot; another price is no change of the prefix", async () => {
  const prompts = (text: string) => ({ on: { "system_prompt.build": { do: "set", members: { prompt: text } } } });
  const models = (price: number) => ({ init: { providers: [{ ref: "plugin/shop/chat/m", inputPerMillion: price }] } });
  const lineup = (text: string, price: number) => [
    stage.spec("clock", { replaces: ["system_prompt"] }, prompts(text)),
    stage.spec("shop", { capabilities: ["providers"] }, models(price)),
  ];
  const host = await stage.host(lineup("Now: 1", 1));
  const build = () => ruleOnce(host, "system_prompt.build", { prompt: "base", workspaceRoot: "/w" });
  await build();
  await host.reload({ specs: lineup("Now: 1", 2) });
  await build();
  expect(host.diagnostics().changes).toEqual([
    { kind: "providerChanged", part: "models", plugin: "shop", slot: null, generation: 2, times: 1 },
  ]);
  await host.reload({ specs: lineup("Now: 2", 2) });
  await build();
  expect(host.diagnostics().changes[1]).toEqual({
    kind: "prefixChanged",
    part: "system_prompt",
    plugin: "clock",
    slot: "system_prompt",
    generation: 3,
    times: 1,
  });
  expect(stage.notices.filter(({ code }) => code === "prefix_changed").map(({ plugin }) => plugin)).toEqual([
    "shop",
    "clock",
  ]);
});

test("[K3] who changes the messages but not the front of a request has no part in a changed prefix", async () => {
  const answer = {
    do: "set",
    members: {
      messages: [
        { role: "system", content: "same" },
        { role: "user", content: "!" },
      ],
    },
  };
  const script = { on: { "context.prepare": answer } };
  const host = await stage.host([stage.spec("notes", { intercepts: ["context.prepare"] }, script)]);
  const prepare = (content: string) =>
    ruleOnce(host, "context.prepare", {
      messages: [
        { role: "system", content },
        { role: "user", content: "hi" },
      ],
    });
  await prepare("same");
  await prepare("same");
  expect(host.diagnostics().changes).toEqual([]);
  await prepare("another");
  await prepare("same");
  expect(host.diagnostics().changes).toEqual([]);
});
