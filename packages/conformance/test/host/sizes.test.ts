/** The boundaries of size, as a host keeps them towards sidecars. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { impostor, ROLES, ruleOnce, setStage, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

const EMPTY = '{"messages":[{"content":""}]}'.length;
const ofBytes = (bytes: number) => ({ messages: [{ content: "x".repeat(bytes - EMPTY) }] });

test.each(ROLES)("[C1] [case C-02] 64 KiB travels inline, one byte more by reference: %s", async (role) => {
  const host = await stage.host([
    impostor("honest", ["--tell-passage"], {
      required: role === "required",
      ...(role === "owner" ? { replaces: ["context"] } : { intercepts: ["context.prepare"] }),
    }),
  ]);
  const told = [];
  for (const bytes of [65_535, 65_536, 65_537]) {
    const ruling = await ruleOnce(host, "context.prepare", ofBytes(bytes));
    told.push(ruling.kind === "blocked" ? ruling.reason : ruling);
  }
  expect(told).toEqual(["inline", "inline", "by reference /payload 65537"]);
});

test.each([
  ["optional", 8_388_608, "blocked"],
  ["required", 8_388_608, "blocked"],
  ["owner", 8_388_608, "blocked"],
  ["optional", 8_388_609, "proceed"],
  ["required", 8_388_609, "failed"],
  ["owner", 8_388_609, "failed"],
] as const)("[C3] [case C-06] for one that is %s a payload of %i bytes is %s", async (role, bytes, fate) => {
  const host = await stage.host([
    impostor("honest", ["--tell-passage"], {
      required: role === "required",
      ...(role === "owner" ? { replaces: ["context"] } : { intercepts: ["context.prepare"] }),
    }),
  ]);
  const ruling = await ruleOnce(host, "context.prepare", ofBytes(bytes));
  expect(ruling.kind).toBe(fate);
  if (ruling.kind === "failed") expect(ruling.message).toMatch(/8388609 bytes.*8388608/);
  if (ruling.kind === "proceed")
    expect(stage.notices.filter(({ code }) => code === "interceptor_skipped")).toHaveLength(1);
  expect(host.diagnostics().plugins).toMatchObject([{ state: "ready" }]);
});
