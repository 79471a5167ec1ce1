/** The chain at the library's border, with real sidecars. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { ruleOnce, setStage, until, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

const tagging = (text: string, delay = 0) => ({ on: { "input.receive": { do: "tag", text, delay } } });
const intercepts = ["input.receive"] as const;

test("[I4] [case I-01] priority, then plugin id, decide the order, whatever the speed", async () => {
  const specs = [
    stage.spec("b-fast", { intercepts }, tagging("B")),
    stage.spec("a-slow", { intercepts }, tagging("A", 3)),
    stage.spec("z-first", { intercepts, priority: -10 }, tagging("Z")),
  ];
  const host = await stage.host(specs);
  for (let run = 0; run < 100; run++) {
    expect(await ruleOnce(host, "input.receive", { text: "x" })).toEqual({
      kind: "proceed",
      payload: { text: "xZAB" },
      changedBy: ["z-first", "a-slow", "b-fast"],
    });
  }
  const reloaded = await host.reload({ specs: specs.toReversed() });
  expect(reloaded.kind).toBe("done");
  const ruling = await ruleOnce(host, "input.receive", { text: "x" });
  expect(ruling).toMatchObject({ payload: { text: "xZAB" } });
});

test("[I5] [case I-02] a continue leaves an earlier rewrite alone, in both orders", async () => {
  const writer = stage.spec("writer", { intercepts }, tagging("!"));
  const before = stage.spec("before", { intercepts, priority: -1 });
  const after = stage.spec("zafter", { intercepts, priority: 1 });
  const host = await stage.host([writer, before, after]);
  const ruling = await ruleOnce(host, "input.receive", { text: "x" });
  expect(ruling).toEqual({ kind: "proceed", payload: { text: "x!" }, changedBy: ["writer"] });
  const seen = await stage.frames("zafter", "extension/intercept");
  expect(seen.map(({ params }) => params)).toEqual([
    { event: "input.receive", seq: 1, payload: { text: "x!" }, timeoutMillis: 5000 },
  ]);
});

test("[I2] [I3] every subscriber observes the payload as it stands after the chain", async () => {
  const host = await stage.host([
    stage.spec("a", { intercepts }, tagging("A")),
    stage.spec("b", { intercepts }, tagging("B")),
  ]);
  const scope = { callId: "c1", agent: "main", sessionId: "s1" };
  await ruleOnce(host, "input.receive", { text: "x" }, scope);
  for (const plugin of ["a", "b"]) {
    await until(async () => (await stage.frames(plugin, "extension/event")).length === 1);
    const [event] = await stage.frames(plugin, "extension/event");
    expect(event).toMatchObject({ params: { event: "input.receive", payload: { text: "xAB" } }, _meta: scope });
  }
});

test("[X3] [case X-03] what is meant for the model passes byte for byte, secrets and all", async () => {
  const secret = " sk-fixture0123456789abcdefghijkl password=hunter2-secret \u001b[31m";
  const host = await stage.host([stage.spec("a", { intercepts }, tagging(secret))]);
  expect(await ruleOnce(host, "input.receive", { text: "x" })).toMatchObject({ payload: { text: `x${secret}` } });
});
