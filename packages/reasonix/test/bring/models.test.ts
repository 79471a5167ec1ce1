import { access } from "node:fs/promises";
import path from "node:path";
import { createModels, systemClock, type Models, type Session } from "@reasonix-ts/agent";
import { describe, expect, it } from "vitest";
import { contents, says, scripted, SCRIPTED, type ScriptedModels } from "./support/models.ts";
import { stage, until, type StageOptions } from "./support/stage.ts";

const SMALL = "plugin/lab/lab/small";
const PLAIN = "plugin/lab/lab/plain";
const LAB = { plugin: "lab", fixture: "model.mjs" } as const;

/** The registry as the command makes it, with a scripted built-in model beside what extensions bring. */
function registry(builtIn: ScriptedModels): Models {
  const models = createModels({ providers: [], apiKey: () => undefined, clock: systemClock });
  return {
    list: (lease) => models.list(lease),
    resolve: (ref, lease) => (ref === SCRIPTED ? builtIn : models).resolve(ref, lease),
  };
}

async function lab(options: Partial<StageOptions> = {}, builtIn = scripted([says("built in")])) {
  const set = await stage({ model: SMALL, models: registry(builtIn), plugins: [LAB], ...options });
  return { ...set, builtIn };
}

/** What the model told of the request that it got. */
async function told(session: Session, images?: readonly string[]) {
  const result = await session.turn({ text: "tell", ...(images === undefined ? {} : { images }) });
  const seen: { model?: string; effort?: string; request: { messages: { [member: string]: unknown }[] } } = JSON.parse(
    result.text,
  );
  return seen;
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

describe("a model of an extension", () => {
  it("[P2] answers on the very first turn, under its own ref", async () => {
    const { session, of } = await lab();
    expect(await session.turn("hello")).toMatchObject({ outcome: "done", text: "you said hello" });
    expect(of("turn_started")[0]?.model).toBe(SMALL);
    expect(of("stream_attempt").map(({ model }) => model)).toEqual([SMALL]);
  });

  it("[P5] [case P-08] counts and costs as a built-in model with the same numbers does, and the last usage wins", async () => {
    const one = await lab();
    await one.session.turn("hello");
    await one.session.turn("twice");
    const lease = one.extensions.lease();
    const descriptor = lease.models.find(({ ref }) => ref === SMALL);
    lease.release();
    const usage = one.of("usage")[0]?.usage;
    if (usage === undefined) throw new Error("the model told no usage");
    const same = scripted([[{ type: "text", text: "x" }, { type: "usage", usage }, { type: "done" }]], descriptor);
    const two = await stage({ model: SCRIPTED, models: same, plugins: [] });
    await two.session.turn("hello");
    await two.session.turn("hello");
    expect(one.session.spent).toEqual(two.session.spent);
    expect(one.session.spent).toMatchObject({ promptTokens: 2000, cacheHitTokens: 1200, currency: "EUR" });
    // 600 hits at 0.5, 400 others at 2, 100 written at 10, twice, by the million.
    expect(one.session.spent.cost).toBeCloseTo(0.0042, 10);
  });

  it("[case P-08] that tells no usage is counted as unknown, not as 0", async () => {
    const { session, of } = await lab();
    await session.turn("uncounted");
    expect(of("usage")).toEqual([]);
    expect(session.spent).toMatchObject({ requests: 1, counted: 0, cost: null });
  });

  it("[P5] gets its reasoning back with the signature, and its calls with their results", async () => {
    const { session, workspace, of } = await lab();
    await session.turn("think");
    expect(of("reasoning").map(({ text }) => text)).toEqual(["hm"]);
    expect(await session.turn("work")).toMatchObject({ outcome: "done", steps: 2 });
    expect(await exists(path.join(workspace, "note.txt"))).toBe(true);
    expect(of("tool_result").map(({ name, isError }) => [name, isError])).toEqual([["write_file", false]]);
    const { request } = await told(session);
    expect(request.messages.slice(1).map(({ role, content: _content, ...rest }) => ({ role, ...rest }))).toEqual([
      { role: "user" },
      { role: "assistant", reasoning_content: "hm", reasoning_signature: "sig-1" },
      { role: "user" },
      {
        role: "assistant",
        tool_calls: [{ id: "w1", name: "write_file", arguments: '{"path":"note.txt","content":"by the model"}' }],
      },
      { role: "tool", tool_call_id: "w1", name: "write_file" },
      { role: "assistant" },
      { role: "user" },
    ]);
  });

  it("[P1] is asked with its own name for itself, the effort that was chosen, or its default", async () => {
    const { session } = await lab();
    expect(await told(session)).toMatchObject({ model: "small-1", effort: "low" });
    await session.setModel(SMALL, "high");
    expect(await told(session)).toMatchObject({ effort: "high" });
    await session.setModel(PLAIN);
    expect(await told(session)).not.toHaveProperty("effort");
  });

  it("[P1] sees images where it says that it does, else a note in their place", async () => {
    const { session } = await lab();
    const image = "data:image/png;base64,iVBORw0KGgo=";
    expect((await told(session, [image])).request.messages.at(-1)).toMatchObject({ content: "tell", images: [image] });
    await session.setModel(PLAIN);
    const blind = (await told(session)).request.messages;
    expect(blind.some((message) => "images" in message)).toBe(false);
    expect(blind[1]?.["content"]).toBe("tell\n[1 image left out: this model takes no images]");
  });

  it("[P2] takes over in mid-session and gives back, with the whole conversation each time", async () => {
    const { session, builtIn, of } = await lab({ model: SCRIPTED });
    await session.turn("one");
    await session.setModel(SMALL);
    expect(await session.turn("two")).toMatchObject({ text: "you said two" });
    await session.setModel(SCRIPTED);
    await session.turn("three");
    expect(contents(builtIn.requests[1], "user")).toEqual(["one", "two", "three"]);
    expect(contents(builtIn.requests[1], "assistant")).toEqual(["built in", "you said two"]);
    expect(of("turn_started").map(({ model }) => model)).toEqual([SCRIPTED, SMALL, SCRIPTED]);
    // The tools and the prompt in front are the same for both.
    expect(session.prefix?.changed).toBeNull();
  });

  it("[P2] stays chosen when the session is resumed", async () => {
    const one = await lab({ model: SCRIPTED });
    await one.session.turn("one");
    await one.session.setModel(SMALL, "high");
    const { id } = one.session;
    await one.session.close();
    const two = await lab({ model: SCRIPTED, folder: one.folder, choice: { kind: "resume", id } });
    expect(two.session.model).toEqual({ ref: SMALL, effort: "high" });
    expect(await two.session.turn("again")).toMatchObject({ text: "you said again" });
  });

  it("[P3] may say 100,000 pieces at once: all of them come, in their order", async () => {
    const { session, of } = await lab();
    const { outcome, text } = await session.turn("flood");
    expect(outcome).toBe("done");
    expect(text).toBe("0123456789".repeat(10_000));
    expect(
      of("text")
        .map((event) => event.text)
        .join(""),
    ).toBe(text);
  });

  it("[P7] is told when the turn is stopped, and what came is kept", async () => {
    const { session, frames, of } = await lab();
    const stop = new AbortController();
    const turn = session.turn("wait", { signal: stop.signal });
    await until(() => of("text").length > 0);
    stop.abort();
    expect(await turn).toMatchObject({ outcome: "interrupted" });
    await until(async () => (await frames("lab", "extension/provider/stream/cancel")).length === 1);
    expect(await session.turn("hello")).toMatchObject({ outcome: "done", text: "you said hello" });
    const kept = session.entries.flatMap((entry) => (entry.kind === "message" && entry.partial ? [entry] : []));
    expect(kept.map(({ message }) => message.content)).toEqual(["waiting\n\n[This answer broke off here.]"]);
  });
});

describe("a model of an extension that fails", () => {
  it("[P9] [L7] [case P-03] runs nothing of a call it died in, names the plugin, and no other model answers", async () => {
    const { session, builtIn, of, workspace } = await lab();
    const end = await session.turn("die");
    expect(end.outcome).toBe("failed");
    expect(end.text).toContain('"lab"');
    expect(end.text).toContain("9");
    expect(of("tool_dispatch")).toEqual([]);
    expect(of("retrying")).toEqual([]);
    expect(await exists(path.join(workspace, "note.txt"))).toBe(false);
    expect(builtIn.requests).toEqual([]);

    const again = await session.turn("hello");
    expect(again.outcome).toBe("failed");
    expect(again.text).toContain('"lab"');
    expect(again.text).toContain("exit code 9");
    expect(again.text).not.toContain("Reload");
    await session.setModel(SCRIPTED);
    expect(await session.turn("hello")).toMatchObject({ outcome: "done", text: "built in" });
    expect(contents(builtIn.requests[0], "assistant")).toEqual(["let me \n\n[This answer broke off here.]"]);
  });

  it("[case P-03] runs no call of an answer that broke off, also not one that came whole", async () => {
    const { session, of, workspace } = await lab();
    expect(await session.turn("whole, then cut")).toMatchObject({ outcome: "failed" });
    expect(of("tool_dispatch")).toEqual([]);
    expect(await exists(path.join(workspace, "note.txt"))).toBe(false);
  });

  it("[P4] [case P-02] with a hole ends the turn by its number, keeps what came before, and is not asked again", async () => {
    const { session, builtIn, frames } = await lab();
    const end = await session.turn("gap");
    expect(end.outcome).toBe("failed");
    expect(end.text).toContain('plugin "lab"');
    expect(end.text).toContain("chunk 2 never came");
    expect(builtIn.requests).toEqual([]);
    expect(await frames("lab", "extension/provider/stream/open")).toHaveLength(1);
    const partial = session.entries.flatMap((entry) => (entry.kind === "message" && entry.partial ? [entry] : []));
    expect(partial.map(({ message }) => message.content)).toEqual(["one\n\n[This answer broke off here.]"]);
  });

  it("[P6] [P9] tells the provider's own words without its secrets, and no other model answers", async () => {
    const { session, builtIn } = await lab();
    const end = await session.turn("fail");
    expect(end.outcome).toBe("failed");
    expect(end.text).toContain('plugin "lab"');
    expect(end.text).toContain("upstream said 401");
    expect(end.text).not.toContain("0123456789abcdef");
    expect(builtIn.requests).toEqual([]);
  });

  it.each([
    ["plugin/gone/lab/small", [LAB], "no running plugin gone offers it"],
    ["plugin/lab/lab/huge", [LAB], `plugin lab offers ${SMALL}, ${PLAIN}`],
    ["plugin/lab/lab/small", [], "no running plugin lab offers it"],
  ])("[P11] %s is unavailable: the session opens, its turn fails and names it", async (model, plugins, why) => {
    const { session, builtIn } = await lab({ model, plugins });
    const end = await session.turn("hello");
    expect(end.outcome).toBe("failed");
    expect(end.text).toContain(`The model ${JSON.stringify(model)} is not available`);
    expect(end.text).toContain(why);
    expect(builtIn.requests).toEqual([]);
    await session.setModel(SCRIPTED);
    expect(await session.turn("hello")).toMatchObject({ outcome: "done", text: "built in" });
  });
});

describe("[I10] the owner of provider:<ref>", () => {
  const OWNER = {
    ...LAB,
    replaces: ["provider:offline/scripted"],
    env: { SERVES: "offline/scripted" },
  } as const satisfies StageOptions["plugins"][number];

  it("serves the stream of that model itself, under the same ref and its prices", async () => {
    const { session, of } = await lab({ model: "offline/scripted", plugins: [OWNER] });
    // The built-in model would have said: You said: hello
    expect(await session.turn("hello")).toMatchObject({ outcome: "done", text: "you said hello", cost: 0 });
    expect(of("turn_started")[0]?.model).toBe("offline/scripted");
  });

  it("[L7] fails the turn once it is gone, and the built-in model does not answer in its place", async () => {
    const { session } = await lab({ model: "offline/scripted", plugins: [OWNER] });
    expect(await session.turn("die")).toMatchObject({ outcome: "failed" });
    const end = await session.turn("hello");
    expect(end.outcome).toBe("failed");
    expect(end.text).toContain('"lab"');
    expect(end.text).not.toContain("You said");
  });
});
