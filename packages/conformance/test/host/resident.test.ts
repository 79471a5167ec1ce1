/** Resident sidecars are started once and asked in order, however many calls there are. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { impostor, setStage, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

const CALLS = 100;

test("[I4] [case F-01] three sidecars around a hundred tool calls: each is asked once a point, in order, by one process", async () => {
  const names = ["first", "second", "third"];
  const host = await stage.host(
    names.map((plugin, priority) =>
      impostor("honest", [], { plugin, priority, intercepts: ["tool.before", "tool.after"] }),
    ),
  );
  const pids = host.diagnostics().plugins.map(({ pid }) => pid);
  const lease = host.lease();
  const call = { name: "noop", arguments: "{}" };
  for (let n = 0; n < CALLS; n++) {
    expect((await lease.rule("tool.before", call, { callId: `c${n}` })).kind).toBe("proceed");
    expect((await lease.rule("tool.after", { ...call, result: "done" }, { callId: `c${n}` })).kind).toBe("proceed");
  }
  lease.release();
  const wanted = Array.from({ length: CALLS }, (_, n) =>
    ["tool.before", "tool.after"].flatMap((point) => names.map((plugin) => [`c${n}`, point, plugin, "continue"])),
  ).flat();
  expect(stage.receipts.map(({ callId, point, plugin, outcome }) => [callId, point, plugin, outcome])).toEqual(wanted);
  expect(host.diagnostics().plugins.map(({ pid }) => pid)).toEqual(pids);
});

test("[C1] [case F-01] payloads of a megabyte go by reference to each of three, and come back unchanged", async () => {
  const host = await stage.host(
    ["first", "second", "third"].map((plugin) => impostor("honest", [], { plugin, intercepts: ["tool.after"] })),
  );
  const lease = host.lease();
  const payload = { name: "read_file", arguments: "{}", result: "y".repeat(1_048_576), isError: false };
  for (let n = 0; n < 10; n++) {
    const ruling = await lease.rule("tool.after", payload, {});
    expect(ruling).toEqual({ kind: "proceed", payload, changedBy: [] });
  }
  lease.release();
});
