/** What is ignored of a sidecar costs a line for whoever looks, and nothing else; with real sidecars. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { UiPort } from "../src/index.ts";
import { stderrLines } from "../src/stderr-lines.ts";
import { fakeClock } from "./support/fake-clock.ts";
import { offering } from "./support/offers.ts";
import { ruleOnce, setStage, until, type Stage } from "./support/stage.ts";

let stage: Stage;
let lines: string[];
beforeEach(async () => {
  stage = await setStage();
  lines = [];
});
afterEach(() => stage.strike());

const debug = (line: string): void => void lines.push(line);
const nobody: UiPort = { show: () => {}, ask: () => Promise.resolve({ kind: "cancelled" }) };

test("[case T-08] an answer that is late, given twice or never asked for is one line each", async () => {
  const steps = [{ do: "keep" }, { do: "answerKeptToo", text: " late" }, { do: "continue" }];
  const clock = fakeClock();
  const spec = stage.spec("late", { intercepts: ["input.receive"] }, { on: { "input.receive": steps } });
  const host = await stage.host([spec], { debug, clock });
  const first = ruleOnce(host, "input.receive", { text: "one" });
  await until(async () => (await stage.frames("late", "extension/intercept")).length === 1);
  clock.advance(5_000);
  expect((await first).kind).toBe("proceed");
  for (const text of ["two", "three"]) expect((await ruleOnce(host, "input.receive", { text })).kind).toBe("proceed");
  await until(() => lines.length === 3);
  expect(lines.map((line) => line.replace(/call \d+, which has ended/, "call N, which has ended"))).toEqual([
    'plugin "late": ignored a reply to call N, which has ended',
    'plugin "late": ignored a reply to call N, which has ended',
    'plugin "late": ignored a reply to call 999999, which was never made',
  ]);
  expect(stage.notices.map(({ code }) => code)).toEqual(["interceptor_skipped"]);
});

test("[U4] [X3] [case U-01] a surface of an older generation is one line, without controls and secrets", async () => {
  const surfaceId = "idx-sk-live0123456789abcdef";
  const status = { ui: { surfaceId, kind: "status", payload: { label: "x" } } };
  const question = { ui: { method: "host/ui/request", surfaceId: "q", kind: "confirm", payload: { fields: [] } } };
  const overrides = { capabilities: ["ui", "interceptors"], intercepts: ["tool.before"] } as const;
  const old = offering(stage, "paint", overrides, { interceptAfter: [status, question] });
  const host = await stage.host([old], { debug }, { ui: nobody });
  const lease = host.lease();
  await host.reload({ specs: [offering(stage, "paint", overrides, {})] });
  await lease.rule("tool.before", { name: "bash", arguments: "{}" }, {});
  lease.release();
  expect(lines).toEqual([
    'plugin "paint": dropped the surface idx-[redacted]: it is of generation 1, and 2 is live (stale_generation)',
    'plugin "paint": dropped the surface q: it is of generation 1, and 2 is live (stale_generation)',
  ]);
});

test("[T1] an unknown notification is one line, and costs nothing where nobody looks", async () => {
  const step = { raw: '{"jsonrpc":"2.0","method":"host/from/the/future","params":{}}' };
  const spec = offering(
    stage,
    "new",
    { capabilities: ["interceptors"], intercepts: ["tool.before"] },
    { interceptAfter: [step] },
  );
  for (const options of [{ debug }, {}]) {
    const host = await stage.host([spec], options);
    expect(await ruleOnce(host, "tool.before", { name: "bash", arguments: "{}" })).toMatchObject({ kind: "proceed" });
    expect(host.diagnostics().plugins).toMatchObject([{ state: "ready" }]);
  }
  expect(lines).toEqual(['plugin "new": ignored a notification of the unknown method "host/from/the/future"']);
  expect(stage.notices).toEqual([]);
});

test("[T2] [X3] each line on stderr is told with its plugin, without secrets and controls", async () => {
  const text = "\u001b[31mone\u001b[0m sk-live0123456789abcdef\n\r\n  \ntwo\r\nhalf a line";
  const overrides = { capabilities: ["interceptors"], intercepts: ["tool.before"] } as const;
  const spec = offering(stage, "loud", overrides, { interceptAfter: [{ stderr: text }] });
  const host = await stage.host([spec], { debug });
  await ruleOnce(host, "tool.before", { name: "bash", arguments: "{}" });
  await until(() => lines.length === 2);
  expect(lines).toEqual(['plugin "loud": stderr: one [redacted]', 'plugin "loud": stderr: two']);
});

test("[T2] characters cut between two pieces are whole, and a line without end is told in pieces", () => {
  const heard: string[] = [];
  const follow = stderrLines((line) => heard.push(line));
  for (const byte of Buffer.from("读—\n")) follow(Buffer.from([byte]));
  for (let piece = 0; piece < 9; piece++) follow(Buffer.alloc(1_000, "x"));
  expect(heard.map((line) => (line.length > 9 ? line.length : line))).toEqual(["读—", 4_096, 4_096]);
});
