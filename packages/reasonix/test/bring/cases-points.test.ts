/** All seventeen points of one real session, as a real sidecar hears them: order, payloads, and who is meant. */
import { POINT_NAMES, POINTS, type PointName } from "@reasonix-ts/protocol";
import { expect, it } from "vitest";
import { calls, says, scripted, SCRIPTED, type ScriptedModels } from "./support/models.ts";
import { stage, until, type Frame, type PluginOptions, type Stage } from "./support/stage.ts";

const WATCH: PluginOptions = { plugin: "watch", fixture: "tools.mjs", intercepts: POINT_NAMES };
const FREE = { mode: "danger-full-access", approvals: "auto" } as const;
const RULES = { rules: { allow: [], ask: [], deny: [] }, addedDirs: [], protectedPaths: [], network: false };

const pointOf = ({ params }: Frame): PointName | undefined => POINT_NAMES.find((name) => name === params["event"]);

/** Without frontend.event, which comes between all of them. */
async function heard(set: Stage, method = "extension/intercept"): Promise<readonly Frame[]> {
  return (await set.frames("watch", method)).filter((frame) => pointOf(frame) !== "frontend.event");
}

async function watched(models: ScriptedModels, more: Partial<Parameters<typeof stage>[0]> = {}): Promise<Stage> {
  return stage({
    model: SCRIPTED,
    models,
    plugins: [WATCH],
    settings: { permissions: { ...FREE, ...RULES } },
    ...more,
  });
}

it("[I1] [I2] every point fires at its moment, intercepted and observed, and says whose session it is", async () => {
  const models = scripted([
    calls("bash", { command: "echo hi" }),
    calls("task", { description: "look", prompt: "look around" }, "call_2"),
    says("looked"),
    says("one"),
    says("two"),
    says("three"),
    says("the summary"),
    says("four"),
  ]);
  const set = await watched(models);
  const { session, runtime } = set;
  const first = session.id;
  for (const text of ["one", "two", "three"]) await runtime.turn(text);
  expect(await runtime.compact("names")).toMatchObject({ kind: "folded", summary: "the summary" });
  await session.rotate();
  await runtime.turn("four");
  const second = session.id;
  await session.close();

  const step = ["context.prepare", "provider.request", "provider.response"];
  const tool = ["tool.before", "permission.decision", "tool.after"];
  const begin = ["input.receive", "agent.before_start"];
  const frames = await heard(set);
  expect(frames.map(pointOf)).toEqual([
    // Once a generation, whoever asks.
    "system_prompt.build",
    "session.start",
    ...begin,
    ...step,
    ...tool,
    ...step,
    // The sub-agent begins after its call was judged, and ends before its result is.
    "tool.before",
    "permission.decision",
    "agent.before_start",
    ...step,
    "tool.after",
    ...step,
    "session.save",
    ...begin,
    ...step,
    "session.save",
    ...begin,
    ...step,
    "session.save",
    "compaction.prepare",
    ...step,
    "compaction.complete",
    "session.save",
    "session.rotate",
    "session.end",
    "session.start",
    ...begin,
    ...step,
    "session.save",
    "session.end",
  ]);
  const agents = frames.map(({ _meta }) => _meta?.["agent"]);
  expect(new Set(agents)).toEqual(new Set(["main", "task", "compaction"]));
  // The stored session's id, which a rotation changes.
  const sessions = frames.map(({ _meta }) => _meta?.["sessionId"]);
  expect([...new Set(sessions)]).toEqual([first, second]);
  const numbers = (await set.frames("watch", "extension/intercept")).map(({ params }) => params["seq"]);
  expect(numbers).toEqual(numbers.map((_seq, index) => index + 1));

  // Each was observed as well, in the same order.
  await until(async () => (await heard(set, "extension/event")).length === frames.length);
  expect((await heard(set, "extension/event")).map(pointOf)).toEqual(frames.map(pointOf));
  expect((await set.frames("watch", "extension/intercept")).some((frame) => pointOf(frame) === "frontend.event")).toBe(
    true,
  );
});

it("[I1] [I14] payloads hold what the contract says, and each call its point's budget", async () => {
  const set = await watched(scripted([calls("bash", { command: "echo hi" }), says("done")]));
  await set.runtime.turn("go");
  const { file, id } = set.session;
  await set.session.close();
  const again = await watched(scripted([says("again")]), { folder: set.folder, choice: { kind: "resume", id } });
  await again.session.close();

  const frames = await heard(again);
  const payloads = new Map(frames.map((frame) => [pointOf(frame), frame.params["payload"]]));
  const call = { name: "bash", arguments: '{"command":"echo hi"}' };
  expect(payloads.get("session.start")).toEqual({ phase: "start", sessionPath: file });
  expect(payloads.get("session.load")).toEqual({ phase: "load", sessionPath: file });
  expect(payloads.get("session.save")).toEqual({ phase: "save", sessionPath: file });
  expect(payloads.get("session.end")).toEqual({ phase: "end", sessionPath: file });
  expect(payloads.get("system_prompt.build")).toEqual({
    prompt: expect.stringContaining(set.workspace),
    workspaceRoot: set.workspace,
  });
  expect(payloads.get("input.receive")).toEqual({ text: "go" });
  expect(payloads.get("agent.before_start")).toEqual({
    sessionId: id,
    model: SCRIPTED,
    toolCount: expect.any(Number),
  });
  expect(payloads.get("tool.before")).toEqual(call);
  expect(payloads.get("permission.decision")).toEqual({ ...call, readOnly: false, hostDecision: "allow" });
  expect(payloads.get("tool.after")).toEqual({ ...call, result: "hi", isError: false });
  expect(payloads.get("provider.response")).toMatchObject({ text: "done" });
  for (const frame of frames) {
    const point = pointOf(frame);
    if (point === undefined) throw new Error(`no point is named ${String(frame.params["event"])}`);
    expect([point, frame.params["timeoutMillis"]]).toEqual([point, POINTS[point].family === "fast" ? 5_000 : 30_000]);
  }
});

it("[R4] [I1] a swap ends no session and begins none: the new generation is asked for the prompt, and goes on", async () => {
  const set = await watched(scripted([says("done")]));
  await set.runtime.turn("one");
  const before = (await heard(set)).length;
  expect(await set.runtime.askReload().result).toMatchObject({ kind: "done", generation: 2 });
  await set.runtime.turn("two");
  const frames = (await heard(set)).slice(before);
  expect(frames.map(pointOf)).toEqual([
    "system_prompt.build",
    "input.receive",
    "agent.before_start",
    "context.prepare",
    "provider.request",
    "provider.response",
    "session.save",
  ]);
  expect(new Set(frames.map(({ _meta }) => _meta?.["sessionId"]))).toEqual(new Set([set.session.id]));
});
