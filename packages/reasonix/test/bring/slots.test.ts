import { access, readFile } from "node:fs/promises";
import path from "node:path";
import type { SessionSettings } from "@reasonix-ts/agent";
import { describe, expect, it } from "vitest";
import { calls, contents, says, scripted, SCRIPTED } from "./support/models.ts";
import { stage, type Stage, type StageOptions } from "./support/stage.ts";

type SlotOptions = Partial<Omit<StageOptions, "plugins">> & {
  readonly env?: { readonly [name: string]: string };
};

/** A session whose one extension owns these slots. */
function owned(slots: NonNullable<StageOptions["plugins"][number]["replaces"]>, options: SlotOptions): Promise<Stage> {
  const { env = {}, models = scripted([says("fine")]), ...more } = options;
  return stage({
    model: SCRIPTED,
    models,
    plugins: [{ plugin: "owner", fixture: "owner.mjs", replaces: slots, env }],
    ...more,
  });
}

const FREE: SessionSettings["permissions"] = {
  mode: "danger-full-access",
  approvals: "auto",
  rules: { allow: [], ask: [], deny: [] },
  addedDirs: [],
  protectedPaths: [],
  network: false,
};

describe("[I10] the owner of a slot has the last word in a turn:", () => {
  it("system_prompt", async () => {
    const models = scripted([says("fine")]);
    const { session } = await owned(["system_prompt"], { models });
    await session.turn("one");
    await session.turn("two");
    const prompts = models.requests.map((request) => contents(request, "system")[0]);
    expect(prompts[0]).toMatch(/^OWNED\. \d+ characters left out\.$/);
    expect(prompts).toEqual([prompts[0], prompts[0]]);
    expect(session.prefix?.changed).toBeNull();
  });

  it("context, for the request alone and not for the transcript", async () => {
    const models = scripted([says("fine")]);
    const { session } = await owned(["context"], { models });
    await session.turn("first");
    await session.turn("second");
    expect(models.requests.map((request) => contents(request, "user"))).toEqual([[], ["second"]]);
    expect(
      session.entries.flatMap((entry) =>
        entry.kind === "message" && entry.message.role === "user" ? [entry.message.content] : [],
      ),
    ).toEqual(["first", "second"]);
  });

  it("provider_request", async () => {
    const models = scripted([says("fine")]);
    const { session } = await owned(["provider_request"], { models });
    expect(await session.turn("hello")).toMatchObject({ outcome: "done", text: "fine" });
    expect(models.requests).toHaveLength(1);
    expect(models.requests[0]).toMatchObject({ temperature: 0.25, tools: [] });
  });

  it("provider_response, stored and shown in place of the streamed text", async () => {
    const models = scripted([says("fi", "ne")]);
    const { session, of } = await owned(["provider_response"], { models });
    expect(await session.turn("hello")).toMatchObject({ outcome: "done", text: "FINE" });
    expect(
      of("text")
        .map(({ text }) => text)
        .join(""),
    ).toBe("fine");
    expect(of("message")).toMatchObject([{ text: "FINE", replaced: true }]);
    await session.turn("again");
    expect(contents(models.requests[1], "assistant")).toEqual(["FINE"]);
  });

  it("compaction, over what is folded, what the summary heeds, and the summary", async () => {
    const models = scripted([says("one"), says("two"), says("three"), says("the model's summary"), says("four")]);
    const { session } = await owned(["compaction"], { models });
    for (const text of ["a", "b", "c"]) await session.turn(text);
    expect(await session.compact()).toMatchObject({ kind: "folded", summary: "the owner's summary" });
    const asked = models.requests[3];
    expect(contents(asked, "assistant")).toEqual(["one"]);
    expect(contents(asked, "user").at(-1)).toContain("keep the names");
    await session.turn("d");
    const folded = contents(models.requests[4], "user");
    expect(folded.join("\n")).toContain("the owner's summary");
    expect(folded).not.toContain("b");
  });

  it("session_policy: a save that is refused keeps the transcript, and the turn is done", async () => {
    const { session, of } = await owned(["session_policy"], { env: { REFUSES: "session.save" } });
    expect(await session.turn("hello")).toMatchObject({ outcome: "done", text: "fine" });
    expect(of("notice").map(({ text }) => text)).toEqual([
      "The session is not saved yet, and is tried again: Blocked by owner: not now",
    ]);
    await expect(access(session.file)).resolves.toBeUndefined();
  });

  it("session_policy: a session that is refused does not open", async () => {
    await expect(owned(["session_policy"], { env: { REFUSES: "session.start" } })).rejects.toThrow(
      "The session was not opened. Blocked by owner: not now",
    );
  });

  it("session_policy: a rotation that is refused goes on with the old session", async () => {
    const { session } = await owned(["session_policy"], { env: { REFUSES: "session.rotate" } });
    await session.turn("hello");
    const before = session.id;
    await expect(session.rotate()).rejects.toThrow("No new session was begun. Blocked by owner: not now");
    expect(session.id).toBe(before);
    expect(await session.turn("still here")).toMatchObject({ outcome: "done" });
  });

  it("permission: an allow over a deny runs, is shown and audited; [I9] a deny stops what the host would allow", async () => {
    const models = scripted([
      calls("write_file", { path: "note.txt", content: "allowed" }, "call_1"),
      calls("read_file", { path: "forbidden.txt" }, "call_2"),
      says("fine"),
    ]);
    const { session, of, audits, workspace } = await owned(["permission"], {
      models,
      settings: { permissions: { ...FREE, approvals: "never", mode: "read-only" } },
    });
    await session.turn("go");
    expect(await readFile(path.join(workspace, "note.txt"), "utf8")).toBe("allowed");
    expect(of("tool_result").map(({ text, isError }) => [isError, isError ? text : ""])).toEqual([
      [false, ""],
      [true, "Denied by owner: forbidden here"],
    ]);
    expect(audits).toMatchObject([
      { plugin: "owner", tool: "write_file", reason: "the owner knows it", callId: "call_1", generation: 1 },
    ]);
    expect(of("notice").map(({ plugin, severity }) => [plugin, severity])).toEqual([["owner", "warn"]]);
  });

  it("frontend_events: changes a text and hides an event, for frontends alone", async () => {
    const models = scripted([says("the sec", "ret is 42")]);
    const { session, of } = await owned(["frontend_events"], { models });
    expect(await session.turn("hello")).toMatchObject({ text: "the secret is 42" });
    expect(
      of("text")
        .map(({ text }) => text)
        .join(""),
    ).toBe("the ••• is 42");
    expect(of("message").map(({ text }) => text)).toEqual(["the ••• is 42"]);
    expect(of("turn_phase")).toEqual([]);
  });

  it("tool:<name>, before and after that tool and no other", async () => {
    const models = scripted([
      calls("bash", { command: "echo wanted" }, "call_1"),
      calls("list_dir", {}, "call_2"),
      says("fine"),
    ]);
    const { session, of, frames } = await owned(["tool:bash"], { models, settings: { permissions: FREE } });
    await session.turn("go");
    expect(of("tool_started").map((event) => [event.name, event.arguments])).toEqual([
      ["bash", '{"command":"echo owned"}'],
      ["list_dir", "{}"],
    ]);
    expect(of("tool_result")[0]?.text).toBe("owned and seen");
    const asked = (await frames("owner", "extension/intercept")).map(({ params }) => params["event"]);
    expect(asked).toEqual(["tool.before", "tool.after"]);
  });

  it("provider:<ref>, for that model and no other", async () => {
    const models = scripted([says("fine")]);
    const mine = await owned([`provider:${SCRIPTED}`], { models });
    expect(await mine.session.turn("hello")).toMatchObject({ text: "FINE" });
    expect(models.requests[0]).toMatchObject({ temperature: 0.25 });
    const other = scripted([says("fine")]);
    const others = await owned(["provider:test/another"], { models: other });
    expect(await others.session.turn("hello")).toMatchObject({ text: "fine" });
    expect(other.requests[0]).not.toHaveProperty("temperature");
  });
});

describe("[I13] [L7] an owner that dies", () => {
  it.each([
    ["context", "context.prepare"],
    ["provider_request", "provider.request"],
    ["provider_response", "provider.response"],
    [`provider:${SCRIPTED}`, "provider.request"],
  ] as const)("of %s fails the turn, and nothing built in acts in its place", async (slot, point) => {
    const models = scripted([says("fine")]);
    const { session } = await owned([slot], { models, env: { DIES_AT: point } });
    const first = await session.turn("hello");
    expect(first.outcome).toBe("failed");
    expect(first.text).toContain('"owner"');
    expect(first.text).toContain("7");
    const asked = models.requests.length;
    const second = await session.turn("and again");
    expect(second.outcome).toBe("failed");
    expect(models.requests).toHaveLength(point === "provider.response" ? asked + 1 : asked);
    expect(asked).toBe(point === "provider.response" ? 1 : 0);
  });
});
