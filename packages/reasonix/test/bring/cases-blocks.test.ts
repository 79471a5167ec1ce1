/** What a block does at each of the seventeen points, said by a real sidecar in a real session. */
import { access } from "node:fs/promises";
import path from "node:path";
import type { SessionSettings } from "@reasonix-ts/agent";
import { POINT_NAMES, type PointName } from "@reasonix-ts/protocol";
import { expect, it } from "vitest";
import { calls, says, scripted, SCRIPTED, type ScriptedModels } from "./support/models.ts";
import { stage, type Stage } from "./support/stage.ts";

const REASON = "Blocked by owner: not now";
const FREE: SessionSettings["permissions"] = {
  mode: "danger-full-access",
  approvals: "auto",
  rules: { allow: [], ask: [], deny: [] },
  addedDirs: [],
  protectedPaths: [],
  network: false,
};

interface Blocked extends Stage {
  readonly models: ScriptedModels;
}

/** A session in which a plugin that owns nothing says no at one point. */
async function blocked(point: PointName, more: Partial<Parameters<typeof stage>[0]> = {}): Promise<Blocked> {
  const models = scripted([calls("bash", { command: "touch ran && echo ran" }), says("done"), says("more")]);
  const plugin = { plugin: "owner", fixture: "owner.mjs", intercepts: [point], env: { REFUSES: point } };
  const set = await stage({ model: SCRIPTED, models, plugins: [plugin], settings: { permissions: FREE }, ...more });
  return { ...set, models };
}

const ran = ({ workspace }: Stage): Promise<boolean> =>
  access(path.join(workspace, "ran")).then(
    () => true,
    () => false,
  );

/** The turn ends before it has asked a model, or after one answer of it. */
const endsTheTurn = (requests: number) => async (point: PointName) => {
  const set = await blocked(point);
  expect(await set.session.turn("go")).toMatchObject({ outcome: "blocked", text: REASON });
  expect([set.models.requests.length, await ran(set)]).toEqual([requests, false]);
  expect(set.of("tool_dispatch")).toEqual([]);
};

/** The call is refused, or its result withheld; the turn goes on, and the model is told why. */
const refusesTheCall = (hasRun: boolean) => async (point: PointName) => {
  const set = await blocked(point);
  expect(await set.session.turn("go")).toMatchObject({ outcome: "done", text: "done" });
  expect(set.of("tool_result")).toMatchObject([{ text: REASON, isError: true }]);
  expect(set.models.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: REASON });
  expect(await ran(set)).toBe(hasRun);
};

const skipsTheCompaction = async (point: PointName) => {
  const set = await blocked(point);
  for (const text of ["one", "two", "three"]) await set.session.turn(text);
  expect(await set.session.compact()).toEqual({ kind: "skipped", why: REASON });
  expect(await set.session.turn("four")).toMatchObject({ outcome: "done" });
};

/** THE table: one row a point. */
const ROWS: { readonly [P in PointName]: (point: P) => Promise<void> } = {
  "session.start": async (point) => {
    await expect(blocked(point)).rejects.toThrow(`The session was not opened. ${REASON}`);
  },
  "session.load": async (point) => {
    const one = await stage({ model: SCRIPTED, models: scripted([says("hi")]), plugins: [] });
    await one.session.turn("go");
    const { id } = one.session;
    await one.session.close();
    const { folder } = one;
    await expect(blocked(point, { folder, choice: { kind: "resume", id } })).rejects.toThrow(REASON);
    // It is as it was, and opens without the plugin.
    const again = await stage({
      model: SCRIPTED,
      models: scripted([says("hi")]),
      plugins: [],
      folder,
      choice: { kind: "resume", id },
    });
    expect(again.session.entries).toHaveLength(2);
  },
  "session.save": async (point) => {
    const set = await blocked(point);
    expect(await set.session.turn("go")).toMatchObject({ outcome: "done" });
    expect(set.of("notice").map(({ text }) => text)).toEqual([
      `The session is not saved yet, and is tried again: ${REASON}`,
    ]);
  },
  "session.rotate": async (point) => {
    const set = await blocked(point);
    await expect(set.session.rotate()).rejects.toThrow(`No new session was begun. ${REASON}`);
    expect(await set.session.turn("go")).toMatchObject({ outcome: "done" });
  },
  "session.end": async (point) => {
    const set = await blocked(point);
    await set.session.turn("go");
    await set.session.close();
    expect(set.of("notice").map(({ text }) => text)).toEqual([`The session was closed all the same: ${REASON}`]);
    await expect(set.session.turn("again")).rejects.toThrow("The session is closed");
  },
  "system_prompt.build": async (point) => {
    const set = await blocked(point);
    for (let turn = 0; turn < 2; turn++) {
      const end = await set.session.turn("go");
      expect([end.outcome === "done", end.text]).toEqual([false, expect.stringContaining(REASON)]);
    }
    expect(set.models.requests).toEqual([]);
  },
  "input.receive": endsTheTurn(0),
  "agent.before_start": endsTheTurn(0),
  "context.prepare": endsTheTurn(0),
  "provider.request": endsTheTurn(0),
  "provider.response": endsTheTurn(1),
  "tool.before": refusesTheCall(false),
  "permission.decision": refusesTheCall(false),
  "tool.after": refusesTheCall(true),
  "compaction.prepare": skipsTheCompaction,
  "compaction.complete": skipsTheCompaction,
  "frontend.event": async (point) => {
    const set = await blocked(point);
    expect(await set.session.turn("go")).toMatchObject({ outcome: "done", text: "done" });
    expect([set.of("text"), set.of("message"), set.of("tool_result")]).toEqual([[], [], []]);
    // What the model and the transcript have is whole.
    expect(set.models.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: "ran" });
  },
};

function rowOf<P extends PointName>(point: P): () => Promise<void> {
  return () => ROWS[point](point);
}

it.each(POINT_NAMES.map((point) => ({ point, row: rowOf(point) })))(
  "[I1] [I6] a block at $point does what the contract says of it",
  async ({ row }) => {
    expect.hasAssertions();
    await row();
  },
);
