/** Faults in time: cancelled calls, late answers, reloads in a turn, a clock that jumps, a stalled reader. */
import { systemHostClock, type SidecarSpec } from "@reasonix-ts/host";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  fastClock,
  impostor,
  isAlive,
  ROLES,
  ruleOnce,
  setStage,
  until,
  type Role,
  type Stage,
} from "./support/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

const messages = { messages: [{ role: "user", content: "x" }] } as const;
function claims(role: Role): Partial<SidecarSpec> {
  const required = role === "required";
  return role === "owner" ? { required, replaces: ["context"] } : { required, intercepts: ["context.prepare"] };
}

const asked = { intercepts: ["input.receive"] } as const;
const textOf = async (host: Awaited<ReturnType<Stage["host"]>>) => {
  const ruling = await ruleOnce(host, "input.receive", { text: "x" });
  return ruling.kind === "proceed" && "text" in ruling.payload ? ruling.payload.text : ruling;
};

test.each(ROLES)("[I2] a call is cancelled before, during and after: %s", async (role) => {
  const host = await stage.host([impostor("honest", ["--delay=50"], claims(role))]);
  const cause = new Error("the person pressed Escape");
  await expect(ruleOnce(host, "context.prepare", messages, AbortSignal.abort(cause))).rejects.toBe(cause);
  const during = new AbortController();
  const ruling = ruleOnce(host, "context.prepare", messages, during.signal);
  during.abort(cause);
  await expect(ruling).rejects.toBe(cause);
  const after = new AbortController();
  expect(await ruleOnce(host, "context.prepare", messages, after.signal)).toMatchObject({ kind: "proceed" });
  after.abort(cause);
  // Whoever was cancelled has failed at nothing.
  expect(await ruleOnce(host, "context.prepare", messages)).toMatchObject({ kind: "proceed", payload: messages });
  expect(stage.notices).toEqual([]);
});

test.each([
  ["optional", "proceed"],
  ["required", "failed"],
  ["owner", "failed"],
] as const)("[case T-08] an answer that comes after its time is applied to nothing: %s", async (role, fate) => {
  const host = await stage.host([impostor("late", ["--delay=900"], { timeoutMillis: 600, ...claims(role) })]);
  expect(await ruleOnce(host, "context.prepare", messages)).toMatchObject({ kind: fate });
  // Its late block arrives while these are asked, under another id.
  const end = performance.now() + 600;
  while (performance.now() < end)
    expect(await ruleOnce(host, "context.prepare", messages)).toMatchObject({ kind: "proceed", payload: messages });
});

test("[case T-08] second answers and answers to nobody leave the next call alone", async () => {
  const host = await stage.host([
    impostor("twice", [], { ...asked, priority: -1 }),
    impostor("unknown-reply", [], asked),
    impostor("honest", ["--tag=!"], asked),
  ]);
  for (let turn = 0; turn < 20; turn++) expect(await textOf(host)).toBe("x!");
  expect(stage.notices).toEqual([]);
});

test("[R1] [R4] [R6] [case R-01] [case R-03] a reload in a turn: the turn keeps its generation, the next has the new one", async () => {
  const host = await stage.host([impostor("honest", ["--tag=1"], asked)]);
  const turn = host.lease();
  const old = host.diagnostics().plugins[0]?.pid ?? 0;
  const reloaded = await host.reload({ specs: [impostor("honest", ["--tag=2"], asked)] });
  expect(reloaded).toMatchObject({ kind: "done", generation: 2, plugins: [{ name: "honest", oldPid: old }] });
  expect(await turn.rule("input.receive", { text: "x" }, {})).toMatchObject({ payload: { text: "x1" } });
  expect(await textOf(host)).toBe("x2");
  expect(isAlive(old)).toBe(true);
  turn.release();
  await until(() => !isAlive(old));
});

test.each([
  ["ends at once", "dying", ["--at=start"]],
  ["over-declares", "over-declaring", []],
  ["prints a banner", "banner", []],
])("[R5] [case R-02] a reload in a turn whose build %s leaves the old one untouched", async (_how, name, args) => {
  const host = await stage.host([impostor("honest", ["--tag=1"], asked)]);
  const turn = host.lease();
  const pid = host.diagnostics().plugins[0]?.pid;
  const next = [impostor("honest", ["--tag=2"], asked), impostor(name, args, { ...asked, required: true })];
  const result = await host.reload({ specs: next });
  expect(result).toMatchObject({ kind: "failed", generation: 1, failures: [{ plugin: name }] });
  expect(await turn.rule("input.receive", { text: "x" }, {})).toMatchObject({ payload: { text: "x1" } });
  turn.release();
  expect(await textOf(host)).toBe("x1");
  expect(host.diagnostics()).toMatchObject({ generation: 1, plugins: [{ pid }], retiring: [] });
});

test("[I11] [case S-01] two owners of one slot: nothing starts, both are named with their sources", async () => {
  const owner = (plugin: string) => impostor("honest", [], { plugin, replaces: ["context"] });
  const boot = await stage.boot([owner("left"), owner("right")]);
  expect(boot.kind).toBe("failed");
  const [failure] = boot.kind === "failed" ? boot.failures : [];
  expect(failure).toMatchObject({ kind: "slot_collision", slot: "context" });
  for (const part of ["context", "left", "right", "/impostors/left", "/impostors/right", "1.0.0"])
    expect(failure?.message).toContain(part);
});

test.each(ROLES)("[I14] the wall clock jumps by hours while a call runs, and nothing times out: %s", async (role) => {
  let hours = 0;
  const clock = { ...systemHostClock, wall: () => systemHostClock.wall() + hours * 3_600_000 };
  const host = await stage.host([impostor("honest", ["--delay=40"], claims(role))], { clock });
  for (const jump of [12, -36]) {
    const ruling = ruleOnce(host, "context.prepare", messages);
    hours += jump;
    expect(await ruling).toMatchObject({ kind: "proceed", payload: messages });
  }
  expect(stage.notices).toEqual([]);
});

test("[I3] a reader that stalls loses observations, with one warning, and delays nobody", async () => {
  const big = { text: "y".repeat(60_000) };
  const host = await stage.host(
    [
      impostor("honest", [], { ...asked, priority: -1, plugin: "asked" }),
      impostor("deaf", [], { replaces: [], ...asked, timeoutMillis: 40 }),
    ],
    { clock: fastClock(4) },
  );
  for (let turn = 0; turn < 400; turn++) expect((await ruleOnce(host, "input.receive", big)).kind).toBe("proceed");
  await until(() => (host.diagnostics().plugins.find(({ plugin }) => plugin === "deaf")?.observationsDropped ?? 0) > 0);
  expect(stage.notices.filter(({ code }) => code === "observation_dropped")).toHaveLength(1);
});

test("[L5] [case L-01] every misbehaving leaver is gone with its descendants within ten seconds", async () => {
  const host = await stage.host([
    impostor("lingering", [], asked),
    impostor("forking", ["--detached"], asked),
    impostor("deaf", [], asked),
    impostor("honest", [], asked),
  ]);
  const pids = host.diagnostics().plugins.flatMap(({ pid }) => pid ?? []);
  const started = performance.now();
  await host.stop();
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(pids.filter(isAlive)).toEqual([]);
});
