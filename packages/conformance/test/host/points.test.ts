/** A plugin that hangs at each of the seventeen points, and one that says no at each. */
import { POINT_NAMES, POINTS, type PointRow, type SlotName } from "@reasonix-ts/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SAMPLES } from "../../src/play/payloads.ts";
import { impostor, setStage, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

const MODEL = "sample/model";
const ALL_SLOTS: readonly SlotName[] = [
  "system_prompt",
  "context",
  "provider_request",
  "provider_response",
  "compaction",
  "session_policy",
  "permission",
  "frontend_events",
  "tool:bash",
  `provider:${MODEL}`,
];
const scope = { modelRef: MODEL };

test.each([
  ["an optional observer", { intercepts: POINT_NAMES }, () => "proceed"],
  ["a required plugin", { intercepts: POINT_NAMES, required: true }, () => "failed"],
  [
    "the owner of all slots",
    { replaces: ALL_SLOTS },
    ({ slots }: PointRow) => (slots.length > 0 ? "failed" : "proceed"),
  ],
] as const)("[I10] [I13] [I14] [I15] %s that hangs at each of the seventeen points", async (_who, claims, wanted) => {
  const host = await stage.host([impostor("silent", ["--at=intercept"], { timeoutMillis: 40, ...claims })]);
  const lease = host.lease();
  const fates = [];
  for (const point of POINT_NAMES) fates.push([point, await lease.rule(point, SAMPLES[point], scope)] as const);
  lease.release();
  expect(fates.map(([point, { kind }]) => [point, kind])).toEqual(
    POINT_NAMES.map((point) => [point, wanted(POINTS[point])]),
  );
  for (const [point, ruling] of fates) {
    if (ruling.kind === "proceed") expect(ruling.payload).toEqual(SAMPLES[point]);
    if (ruling.kind === "failed") expect(ruling).toMatchObject({ plugin: "silent", reason: "intercept_timeout" });
  }
  expect(host.diagnostics().plugins).toMatchObject([{ state: "ready" }]);
});

test("[I6] [I10] a block is heard at each of the seventeen points, from the chain and from each slot's owner", async () => {
  const result = '--result={"decision":"block","reason":"no"}';
  const host = await stage.host([impostor("bad-decision", [result], { plugin: "guard", intercepts: POINT_NAMES })]);
  const owning = await stage.host([impostor("bad-decision", [result], { plugin: "owner", replaces: ALL_SLOTS })]);
  for (const point of POINT_NAMES) {
    const [chain, owner] = [host.lease(), owning.lease()];
    expect(await chain.rule(point, SAMPLES[point], scope)).toEqual({ kind: "blocked", plugin: "guard", reason: "no" });
    const ruling = await owner.rule(point, SAMPLES[point], scope);
    expect(ruling.kind).toBe(POINTS[point].slots.length > 0 ? "blocked" : "proceed");
    chain.release();
    owner.release();
  }
});
