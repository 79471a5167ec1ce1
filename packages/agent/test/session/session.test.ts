import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { forkSession, listSessions, readExtensionState } from "../../src/index.ts";
import {
  bench,
  blocked,
  calls,
  failed,
  replaced,
  says,
  scriptedModel,
  tableExtensions,
  temporaryFolder,
} from "../support.ts";

async function recordsOf(file: string): Promise<readonly Record<string, unknown>[]> {
  return (await readFile(file, "utf8"))
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Record<string, unknown> => JSON.parse(line));
}

describe("a stored session", () => {
  it("is a file of its own that only its owner reads", async () => {
    const { session } = await bench({ models: scriptedModel([says("hi")]) });
    await session.turn("go");
    expect((await stat(session.file)).mode & 0o777).toBe(0o600);
    const records = await recordsOf(session.file);
    expect(records.map((record) => record["type"])).toEqual([
      "session",
      "turn",
      "prefix",
      "message",
      "message",
      "turn",
    ]);
  });

  it("[case I-12] resumes with the same bytes: request N is an exact prefix of request N+1, also across a resume", async () => {
    const folder = await temporaryFolder();
    const native = { provider: "test", blocks: [{ type: "thinking", signature: "s" }] };
    const models = scriptedModel([
      [{ type: "reasoning", text: "hm" }, { type: "native", native }, ...calls(["bash", { command: "echo one" }])],
      says("first"),
      says("second"),
      says("third"),
    ]);
    const extensions = tableExtensions({
      "input.receive": ({ text }) => replaced<"input.receive">({ text: `${text}\n\n<recall>notes</recall>` }),
    });
    const one = await bench({ models, folder, extensions });
    await one.session.turn("typed");
    await one.session.turn("more");
    const { id } = one.session;
    await one.session.close();
    const two = await bench({ models, folder, extensions, choice: { kind: "resume", id } });
    expect(two.of("notice")).toEqual([]);
    await two.session.turn("last");
    const sent = models.requests.map((request) => JSON.stringify([request.tools, ...request.messages]).slice(0, -1));
    expect(sent).toHaveLength(4);
    for (let index = 1; index < sent.length; index++) {
      expect(sent[index]?.startsWith(sent[index - 1] ?? "?")).toBe(true);
    }
    expect(models.requests[3]?.messages[2]?.native).toEqual(native);
    const typed = two.session.entries.flatMap((entry) => (entry.kind === "message" && entry.typed) || []);
    expect(typed).toEqual(["typed", "more", "last"]);
    expect(models.requests[3]?.messages[1]?.content).toBe("typed\n\n<recall>notes</recall>");
  });

  it("keeps what changes from request to request at the end: a goal breaks no prefix", async () => {
    const models = scriptedModel([calls(["bash", { command: "true" }]), says("done"), says("more")]);
    const { session } = await bench({ models });
    await session.setGoal("ship it");
    await session.turn("go");
    await session.turn("on");
    const tail = { role: "system", content: "The goal of this session, until the person changes it: ship it" };
    const sent = models.requests.map((request) => {
      expect(request.messages.at(-1)).toEqual(tail);
      return JSON.stringify(request.messages.slice(0, -1)).slice(0, -1);
    });
    expect(sent[1]?.startsWith(sent[0] ?? "?")).toBe(true);
    expect(sent[2]?.startsWith(sent[1] ?? "?")).toBe(true);
  });

  it("carries goal and model over a resume", async () => {
    const folder = await temporaryFolder();
    const models = scriptedModel([says("hi")]);
    const one = await bench({ models, folder });
    await one.session.setGoal("ship it");
    await one.session.setModel("test/other", "high");
    await one.session.close();
    const two = await bench({ models, folder, choice: { kind: "resume", id: one.session.id } });
    expect(two.session.goal).toBe("ship it");
    expect(two.session.model).toEqual({ ref: "test/other", effort: "high" });
  });

  it("opens whole to the last whole line after a cut at every byte of its last record", async () => {
    const folder = await temporaryFolder();
    const models = scriptedModel([calls(["bash", { command: "echo hi" }]), says("done — ✓"), says("goes on")]);
    const one = await bench({ models, folder });
    await one.session.turn("go");
    await one.session.close();
    const { file, id } = one.session;
    const whole = await readFile(file);
    const lines = whole.toString("utf8").trimEnd().split("\n");
    // The last record that holds something: the answer, before the record of the turn's end.
    const kept = Buffer.byteLength(`${lines.slice(0, -2).join("\n")}\n`);
    const end = kept + Buffer.byteLength(`${lines.at(-2) ?? ""}\n`);
    expect(lines.at(-2)).toContain("done — ✓");
    for (let cut = kept; cut < end; cut++) {
      await writeFile(file, whole.subarray(0, cut));
      const two = await bench({ models, folder, choice: { kind: "resume", id } });
      expect(two.session.entries).toHaveLength(3);
      expect(two.of("notice").at(-1)?.text).toBe("The last turn was interrupted; the model is told.");
      await two.session.close();
    }
    expect((await recordsOf(file)).at(-1)).toMatchObject({ type: "turn", state: "interrupted" });
  });

  it("closes tool calls that an interrupted turn left without results, and tells the model", async () => {
    const folder = await temporaryFolder();
    const models = scriptedModel([
      calls(["bash", { command: "echo a" }], ["bash", { command: "echo b" }]),
      says("done"),
    ]);
    const one = await bench({ models, folder });
    await one.session.turn("go");
    await one.session.close();
    const lines = (await readFile(one.session.file, "utf8")).split("\n");
    const cut = lines.findIndex((line) => line.includes('"role":"tool"')) + 1;
    await writeFile(one.session.file, `${lines.slice(0, cut).join("\n")}\n`);
    const two = await bench({ models, folder, choice: { kind: "resume", id: one.session.id } });
    expect(two.of("notice").map((event) => event.text)).toEqual([
      "The last turn was interrupted, and 1 of its tool calls had no result; the model is told.",
    ]);
    await two.session.turn("again");
    const results = models.requests.at(-1)?.messages.filter((message) => message.role === "tool") ?? [];
    expect(results.map((message) => [message.tool_call_id, message.content])).toEqual([
      ["call_0_bash", "a"],
      [
        "call_1_bash",
        "The turn was interrupted before this call was finished. Whether it took effect is not known: look before you repeat it.",
      ],
    ]);
  });

  it("passes over lines that it does not understand and says how many", async () => {
    const folder = await temporaryFolder();
    const models = scriptedModel([says("hi")]);
    const one = await bench({ models, folder });
    await one.session.turn("go");
    await one.session.close();
    const text = await readFile(one.session.file, "utf8");
    await writeFile(one.session.file, `${text}{"type":"of tomorrow"}\nnot json\n`);
    const two = await bench({ models, folder, choice: { kind: "resume", id: one.session.id } });
    expect(two.of("notice").map((event) => event.text)).toEqual([
      "2 lines of the session file were not understood and left out.",
    ]);
    expect(two.session.entries).toHaveLength(2);
  });

  it("is open in one place at a time, and refuses two turns at once", async () => {
    const folder = await temporaryFolder();
    const { session } = await bench({ models: scriptedModel([says("hi")]), folder });
    await expect(bench({ folder, choice: { kind: "resume", id: session.id } })).rejects.toMatchObject({
      reason: "in_use",
    });
    const turn = session.turn("go");
    await expect(session.turn("too")).rejects.toMatchObject({ reason: "busy" });
    expect(session.busy).toBe(true);
    await turn;
    await session.close();
    await expect(session.turn("late")).rejects.toMatchObject({ reason: "closed" });
    await expect(bench({ folder, choice: { kind: "resume", id: "nowhere" } })).rejects.toMatchObject({
      reason: "not_found",
    });
  });

  it("ends a running turn and its jobs when it is closed", async () => {
    const { session, events } = await bench({
      models: scriptedModel([
        calls(["bash", { command: "sleep 600", run_in_background: true }]),
        calls(["bash", { command: "echo up; sleep 600" }]),
      ]),
    });
    const turn = session.turn("go");
    const deadline = Date.now() + 20_000;
    while (!events.some((event) => event.kind === "tool_progress")) {
      if (Date.now() > deadline) throw new Error("the command did not start within 20 s");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(session.jobs.map((job) => job.state)).toEqual(["running"]);
    await session.close();
    expect(await turn).toMatchObject({ outcome: "interrupted" });
    expect(session.jobs.map((job) => job.state)).toEqual(["killed"]);
  });

  it("lists sessions newest first, of one workspace or of all, with what was typed first", async () => {
    const folder = await temporaryFolder();
    const models = scriptedModel([says("hi")]);
    const one = await bench({ models, folder });
    await one.session.turn("the first thing\nthat was typed");
    await one.session.close();
    const two = await bench({ models, folder });
    await two.session.turn("the second");
    await two.session.close();
    const listed = await listSessions(one.sessionsDir, { workspaceRoot: one.workspace });
    expect(listed.map((summary) => [summary.id, summary.title])).toEqual([
      [two.session.id, "the second"],
      [one.session.id, "the first thing that was typed"],
    ]);
    expect(await listSessions(one.sessionsDir, { workspaceRoot: "/elsewhere" })).toEqual([]);
    expect(await listSessions(path.join(folder, "none"))).toEqual([]);
  });

  it("[M7] forks into a session of its own, with the state of extensions", async () => {
    const folder = await temporaryFolder();
    const models = scriptedModel([says("one"), says("fork"), says("original")]);
    const ports = { extensionState: () => ({ plugins: { acme: { version: "1.0.0", stateSchemaVersion: 2 } } }) };
    const one = await bench({ models, folder, ports });
    await one.session.turn("go");
    const fork = await bench({ models, folder, ports, choice: { kind: "fork", id: one.session.id } });
    expect(fork.session.id).not.toBe(one.session.id);
    expect(fork.session.entries).toEqual(one.session.entries);
    await fork.session.turn("in the fork");
    expect(one.session.entries).toHaveLength(2);
    expect(fork.session.entries).toHaveLength(4);
    expect((await recordsOf(fork.session.file))[0]).toMatchObject({ forkedFrom: one.session.id });
    expect(await readExtensionState(fork.session.file.replace(/\.jsonl$/, ".extensions.json"))).toEqual({
      version: 1,
      model: "offline/scripted",
      plugins: { acme: { version: "1.0.0", stateSchemaVersion: 2 } },
    });
    await expect(forkSession(one.sessionsDir, "nowhere", 0)).rejects.toThrow("There is no session nowhere");
  });

  it("[M7] opens a session whose extension state is missing or broken", async () => {
    const folder = await temporaryFolder();
    const models = scriptedModel([says("one")]);
    const one = await bench({ models, folder });
    await one.session.turn("go");
    await one.session.close();
    const state = one.session.file.replace(/\.jsonl$/, ".extensions.json");
    expect(await readExtensionState(state)).toBeNull();
    await writeFile(state, "{broken");
    expect(await readExtensionState(state)).toBeNull();
    const two = await bench({ models, folder, choice: { kind: "resume", id: one.session.id } });
    expect(two.session.entries).toHaveLength(2);
  });

  it("rotates into a new file; a refusal keeps the old one", async () => {
    let refuse = true;
    const extensions = tableExtensions({
      "session.rotate": (payload) => (refuse ? blocked("not yet") : { kind: "proceed", payload, changedBy: [] }),
    });
    const { session, sessionsDir } = await bench({ models: scriptedModel([says("hi")]), extensions });
    await session.turn("go");
    const before = session.id;
    await expect(session.rotate()).rejects.toMatchObject({
      reason: "refused",
      message: "No new session was begun. Blocked by guard: not yet",
    });
    expect(session.id).toBe(before);
    refuse = false;
    await session.rotate();
    expect(session.id).not.toBe(before);
    expect(session.entries).toEqual([]);
    await session.turn("fresh");
    expect((await readdir(sessionsDir)).filter((name) => name.endsWith(".jsonl"))).toHaveLength(2);
  });

  it("does not open when session.start is blocked or fails, and leaves no lock", async () => {
    const folder = await temporaryFolder();
    const refusing = tableExtensions({ "session.start": () => blocked("closed on Sundays") });
    await expect(bench({ folder, extensions: refusing })).rejects.toMatchObject({
      reason: "refused",
      message: "The session was not opened. Blocked by guard: closed on Sundays",
    });
    const one = await bench({ folder, models: scriptedModel([says("hi")]) });
    await one.session.turn("go");
    await one.session.close();
    const failing = tableExtensions({ "session.load": () => failed("policy died at session.load") });
    const choice = { kind: "resume", id: one.session.id } as const;
    await expect(bench({ folder, extensions: failing, choice })).rejects.toMatchObject({
      reason: "refused",
      message: "The session was not loaded. policy died at session.load",
    });
    expect((await readdir(one.sessionsDir)).filter((name) => name.endsWith(".lock"))).toEqual([]);
  });

  it("keeps the transcript where session.save is blocked, tries again, and the turn does not fail", async () => {
    let block = true;
    const states: unknown[] = [];
    const extensions = tableExtensions({
      "session.save": (payload) => (block ? blocked("not now") : { kind: "proceed", payload, changedBy: [] }),
    });
    const ports = {
      extensionState: () => {
        states.push(block);
        return { plugins: {} };
      },
    };
    const { session, of } = await bench({ models: scriptedModel([says("hi")]), extensions, ports });
    expect(await session.turn("go")).toMatchObject({ outcome: "done" });
    expect(of("notice").map((event) => event.text)).toEqual([
      "The session is not saved yet, and is tried again: Blocked by guard: not now",
    ]);
    expect(states).toEqual([]);
    expect(session.entries).toHaveLength(2);
    block = false;
    await session.close();
    expect(states).toEqual([false]);
  });

  it("[K3] [case R-06] tells the hash of the prefix, and what changed it", async () => {
    let prompt = "be kind";
    let generation = 1;
    const extensions = tableExtensions(
      { "system_prompt.build": (payload) => replaced<"system_prompt.build">({ ...payload, prompt }) },
      { generation: () => generation },
    );
    const { session } = await bench({ models: scriptedModel([says("hi")]), extensions });
    await session.turn("one");
    const first = session.prefix;
    expect(first?.hash).toMatch(/^[0-9a-f]{16}$/);
    generation = 2;
    await session.turn("two");
    expect(session.prefix).toEqual({ ...first, generation: 2 });
    generation = 3;
    prompt = `Now: ${new Date(0).toISOString()}`;
    await session.turn("three");
    expect(session.prefix?.hash).not.toBe(first?.hash);
    expect(session.prefix?.changed).toBe("the system prompt (by tester at system_prompt.build) changed");
  });

  it("[K3] [case S-04] names who changes the beginning of requests, once, and not who adds to their end", async () => {
    let requests = 0;
    const clock = tableExtensions({
      "context.prepare": ({ messages }) =>
        replaced<"context.prepare">(
          { messages: [{ role: "system", content: `Now: ${++requests}` }, ...messages] },
          "clock",
        ),
    });
    const one = await bench({ models: scriptedModel([says("hi")]), extensions: clock });
    for (const text of ["one", "two", "three"]) await one.session.turn(text);
    expect(one.of("context_maintenance").map((event) => event.text)).toEqual([
      "Requests no longer begin as the one before did: message 1 of 5 differs (changed by clock at context.prepare). " +
        "The provider's cache cannot serve what follows, and each request costs more. What changes from request to " +
        "request belongs to the end.",
    ]);
    const tail = tableExtensions({
      "context.prepare": ({ messages }) =>
        replaced<"context.prepare">({ messages: [...messages, { role: "system", content: `Now: ${++requests}` }] }),
    });
    const two = await bench({ models: scriptedModel([says("hi")]), extensions: tail });
    for (const text of ["one", "two", "three"]) await two.session.turn(text);
    expect(two.of("context_maintenance")).toEqual([]);
  });

  it("leaves no file where nothing was said, and takes its model along when it rotates", async () => {
    const folder = await temporaryFolder();
    const models = scriptedModel([says("hi")]);
    const { session, sessionsDir } = await bench({ models, folder });
    await session.setModel("test/other", "high");
    await session.turn("go");
    await session.rotate();
    const second = session.id;
    await session.turn("on");
    await session.rotate();
    await session.close();
    expect((await listSessions(sessionsDir)).map((summary) => summary.title).sort()).toEqual(["go", "on"]);
    const again = await bench({ models, folder, choice: { kind: "resume", id: second } });
    expect(again.session.model).toEqual({ ref: "test/other", effort: "high" });
  });

  it("[K3] leaves the prefix as it is for an observation-only extension", async () => {
    const observed = scriptedModel([says("hi")]);
    const alone = scriptedModel([says("hi")]);
    const folder = await temporaryFolder();
    const extensions = tableExtensions({}, { wants: ["input.receive", "context.prepare", "provider.request"] });
    const one = await bench({ models: observed, extensions, folder });
    await one.session.turn("go");
    const two = await bench({ models: alone, folder });
    await two.session.turn("go");
    expect(JSON.stringify(observed.requests)).toBe(JSON.stringify(alone.requests));
  });

  it("goes on over a change of extensions with transcript, goal and grants [R4]", async () => {
    const models = scriptedModel([says("one"), says("two")]);
    const { session } = await bench({ models });
    await session.setGoal("ship");
    await session.permissions.grant(["bash(make:*)"], "session");
    await session.turn("go");
    const extensions = tableExtensions({
      "input.receive": ({ text }) => replaced<"input.receive">({ text: `${text}!` }),
      "system_prompt.build": (payload) => replaced<"system_prompt.build">({ ...payload, prompt: "theirs" }),
    });
    session.useExtensions(extensions);
    await session.turn("more");
    expect(models.requests[1]?.messages[0]?.content).toBe("theirs");
    expect(session.prefix?.changed).toBe("the system prompt (by tester at system_prompt.build) changed");
    const others = tableExtensions({
      "system_prompt.build": (payload) => replaced<"system_prompt.build">({ ...payload, prompt: "others" }),
    });
    session.useExtensions(others);
    await session.turn("and more");
    expect(models.requests[2]?.messages[0]?.content).toBe("others");
    expect(models.requests[1]?.messages.map((message) => message.content).slice(1, -1)).toEqual(["go", "one", "more!"]);
    expect([session.goal, session.permissions.grants]).toEqual(["ship", ["bash(make:*)"]]);
  });

  it("exports what people saw as Markdown", async () => {
    const { session } = await bench({
      models: scriptedModel([calls(["bash", { command: "echo '```'" }]), says("done")]),
    });
    await session.turn("go");
    expect(session.export()).toBe(
      [
        `# Session ${session.id}`,
        "## You\n\ngo",
        '**bash**\n\n````\n{"command":"echo \'```\'"}\n````',
        "Result of bash:\n\n````\n```\n````",
        "## Reasonix\n\ndone",
        "",
      ]
        .join("\n\n")
        .replace(/\n\n$/, "\n"),
    );
  });
});
