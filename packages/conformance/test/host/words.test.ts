/** What a host says of sidecars: no secret, no control character, and nothing lost that belongs to the model. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { SAMPLE_REQUEST } from "../../src/play/payloads.ts";
import { impostor, ruleOnce, setStage, until, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

const SECRET = "sk-fixture0123456789abcdef";
const asked = { intercepts: ["input.receive"] } as const;

test.each(["block", "error", "stderr"])(
  "[X3] [case X-01] a secret in its %s is in no text for people",
  async (where) => {
    const host = await stage.host([impostor("secret-telling", [`--where=${where}`], { ...asked, required: true })]);
    const ruling = await ruleOnce(host, "input.receive", { text: "x" });
    expect(ruling.kind).toBe(where === "block" ? "blocked" : "failed");
    const told = JSON.stringify([ruling, stage.notices, host.diagnostics()]);
    expect(told).toMatch(/token \[redacted\] refused/);
    expect(told).not.toContain(SECRET);
  },
);

test("[P6] [case X-01] a secret in a provider's error is redacted again by the host", async () => {
  const host = await stage.host([impostor("secret-telling", ["--where=stream"], { capabilities: ["providers"] })]);
  const lease = host.lease();
  const listening = (async () => {
    for await (const chunks of lease.stream("plugin/secret-telling/chat/large", SAMPLE_REQUEST, {})) void chunks;
  })();
  const error: unknown = await listening.catch((reason: unknown) => reason);
  lease.release();
  const told = error instanceof Error ? error.message : "";
  expect(told).toMatch(/token \[redacted\] refused/);
  expect(JSON.stringify([told, stage.notices])).not.toContain(SECRET);
});

test("[X3] [case X-03] a secret that an interceptor puts into the input reaches the model byte for byte", async () => {
  const host = await stage.host([impostor("honest", [`--tag= ${SECRET}`], asked)]);
  expect(await ruleOnce(host, "input.receive", { text: "x" })).toMatchObject({ payload: { text: `x ${SECRET}` } });
});

test("[T2] [case W-04] a legacy code page on stderr is shown somehow, and breaks nothing", async () => {
  const host = await stage.host([impostor("gbk", [], asked)]);
  expect(await ruleOnce(host, "input.receive", { text: "x" })).toMatchObject({ kind: "proceed" });
  await until(() => stage.notices.some(({ code }) => code === "sidecar_died"));
  expect(stage.notices.find(({ code }) => code === "sidecar_died")?.text).toMatch(/exit code 1 .*wrote to stderr: \S/);
});
