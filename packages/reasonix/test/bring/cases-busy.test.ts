/** What a reload waits for: whatever has a person's question open, and not a command in the background. */
import type { Person } from "@reasonix-ts/agent";
import { expect, it } from "vitest";
import { calls, says, scripted, SCRIPTED } from "./support/models.ts";
import { stage, until, type PluginOptions } from "./support/stage.ts";

const ASKER: PluginOptions = { plugin: "asker", fixture: "asking.mjs", intercepts: ["input.receive"] };

/** A person who answers when the test says so. */
function slowPerson(): { readonly person: Person; readonly asked: () => number; readonly answer: () => void } {
  let asked = 0;
  let answer = (): void => {};
  const waits = new Promise<void>((resolve) => {
    answer = resolve;
  });
  return {
    asked: () => asked,
    answer,
    person: {
      present: true,
      askPermission: async () => "no",
      ask: async () => {
        asked += 1;
        await waits;
        return { kind: "answered", values: { sure: true } };
      },
    },
  };
}

it("[R1] [R3] [U5] [case R-03] a reload waits for an action whose question is open, and the action ends as it began", async () => {
  const { person, asked, answer } = slowPerson();
  const set = await stage({
    model: SCRIPTED,
    models: scripted([says("fine")]),
    plugins: [ASKER],
    frontend: { person },
  });
  const { runtime, log } = set;
  const action = runtime.runAction({ plugin: "asker", actionId: "sure" }, {});
  await until(() => asked() === 1);
  const reloads = [runtime.askReload(), runtime.askReload()];
  expect(reloads.map(({ awaits, wasQueued }) => [awaits, wasQueued])).toEqual([
    ["the running action", false],
    ["the running action", true],
  ]);
  const started = async (): Promise<number> => (await log("asker")).filter(({ pid }) => pid !== undefined).length;
  expect(await started()).toBe(1);
  answer();
  expect(await action).toEqual({ kind: "answered", accepted: true, message: 'sure: {"sure":true}' });
  for (const { result } of reloads) expect(await result).toMatchObject({ kind: "done", generation: 2 });
  expect(await started()).toBe(2);
});

it("[R3] [case R-03] a command in the background is nothing to wait for, and lives on", async () => {
  const models = scripted([
    calls("bash", { command: "until [ -e go ]; do sleep 0.05; done; echo went", run_in_background: true }, "call_1"),
    says("started"),
    calls("bash", { command: "touch go" }, "call_2"),
    (request) => calls("job_output", { job_id: jobIn(request.messages), wait: true }, "call_3"),
    says("done"),
  ]);
  const set = await stage({ model: SCRIPTED, models, plugins: [ASKER] });
  await set.runtime.turn("start it");
  const reload = set.runtime.askReload();
  expect([reload.awaits, reload.wasQueued]).toEqual([null, false]);
  expect(await reload.result).toMatchObject({ kind: "done", generation: 2 });
  expect(set.session.jobs).toHaveLength(1);
  expect(await set.runtime.turn("go on")).toMatchObject({ outcome: "done", text: "done" });
  expect(set.of("tool_result").at(-1)?.text).toContain("went");
});

function jobIn(messages: readonly { readonly role?: string; readonly content?: string }[]): string {
  const told = messages.find(({ role }) => role === "tool")?.content ?? "";
  return /Started as (\S+)\./.exec(told)?.[1] ?? "";
}
