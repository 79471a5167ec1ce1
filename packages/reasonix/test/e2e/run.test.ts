/** `reasonix run` as a process: its formats, its inputs, its ends. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startScriptedServer, streamOf, textStep } from "@reasonix-ts/agent/scripted-server";
import { describe, expect, test } from "vitest";
import { openApp, providerTable, until } from "../support/app.ts";

describe("what run prints", () => {
  test("text: the answer alone on stdout, everything else as plain lines on stderr; -p is the same", async () => {
    const app = await openApp();
    const task = 'hi\nTOOL bash {"command":"echo ok"}';
    const [long, short] = await Promise.all([app.run(["run", task]), app.run(["-p", task])]);
    expect(long.stdout).toBe("bash: ok\nYou said: hi\n");
    expect(long.stderr).toContain('> bash {"command":"echo ok"}\n  ok\n');
    expect(long.stderr).toContain("This is the offline model");
    expect([long.code, short.code, short.stdout]).toEqual([0, 0, long.stdout]);
  });

  test("json: one object, with the task from standard input behind that of the command line", async () => {
    const app = await openApp();
    const { code, stdout } = await app.run(["run", "--output-format", "json", "first"], { input: "second\n" });
    const report = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(report).toMatchObject({
      outcome: "done",
      text: "You said: first\n\nsecond",
      model: "offline/scripted",
      input: { typed: "first\n\nsecond", sent: "first\n\nsecond", changedBy: [] },
      steps: 1,
      tools: [],
      rulings: [],
    });
    expect(report.sessionId).toMatch(/^\d{8}-\d{6}-[0-9a-f]{8}$/);
  });

  test("stream-json: one event a line, from turn_started to turn_done", async () => {
    const app = await openApp();
    const { stdout } = await app.run(["run", "--output-format", "stream-json", "hello"]);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const kinds = events.map((event) => event.kind);
    expect(kinds.indexOf("turn_started")).toBeLessThan(kinds.indexOf("text"));
    expect(kinds.findLast((kind) => kind !== "turn_status")).toBe("turn_done");
    expect(
      events
        .filter(({ kind }) => kind === "text")
        .map(({ text }) => text)
        .join(""),
    ).toBe("You said: hello");
  });
});

describe("sessions over several runs", () => {
  test("--continue and --resume go on, sessions lists, exports and forks, undo takes files back", async () => {
    const app = await openApp();
    const note = join(app.workspace, "note.txt");
    await writeFile(note, "before\n");
    await app.run(["run", "the first thing"]);
    const [listed = ""] = (await app.call(["sessions"])).stdout.split("\n");
    const id = listed.split("  ")[0] ?? "";
    expect(listed).toMatch(/^\d{8}-\d{6}-[0-9a-f]{8} {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}the first thing$/);

    const write = 'TOOL write_file {"path":"note.txt","content":"after\\n"}';
    expect((await app.call(["run", "--continue", write])).code).toBe(0);
    expect(await readFile(note, "utf8")).toBe("after\n");
    const resumed = await app.call(["run", "--resume", id, "--output-format", "json", "again"]);
    expect(JSON.parse(resumed.stdout).sessionId).toBe(id);

    const exported = await app.call(["sessions", "export", id]);
    expect(exported.stdout).toContain("## You\n\nthe first thing\n");
    expect(exported.stdout).toContain("**write_file**");
    const fork = (await app.call(["sessions", "fork", id])).stdout.trim();
    expect(fork).not.toBe(id);

    const undone = await app.call(["undo", "--resume", id]);
    expect([undone.code, undone.stdout]).toEqual([
      0,
      `put back ${note}\nWhat commands of that turn did is not undone.\n`,
    ]);
    expect(await readFile(note, "utf8")).toBe("before\n");
  });

  test("a session that is not there is named, and nothing is begun in its place", async () => {
    const app = await openApp();
    const [resume, go] = await Promise.all([
      app.call(["run", "--resume", "nope", "x"]),
      app.call(["run", "--continue", "x"]),
    ]);
    expect([resume.code, resume.stderr]).toEqual([1, expect.stringContaining("There is no session nope")]);
    expect([go.code, go.stderr]).toEqual([
      1,
      expect.stringContaining(`There is no session of ${app.workspace} to go on`),
    ]);
    expect((await app.call(["sessions"])).stdout).toBe(`There is no session of ${app.workspace} yet.\n`);
  });
});

describe("limits that protect people", () => {
  test("--max-steps ends the turn with exit code 1 and says which limit it was", async () => {
    const app = await openApp();
    const task = 'TOOL read_file {"path":"a"}\nTOOL read_file {"path":"b"}\nTOOL read_file {"path":"c"}';
    const { code, stderr } = await app.call(["run", "--max-steps", "2", task]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/turn failed: .*2 /);
  });

  test("--max-cost ends the turn once the price of what was used is above it", async () => {
    const call = { kind: "call", id: "c1", name: "read_file", arguments: '{"path":"a"}' } as const;
    const server = await startScriptedServer({
      replies: [{ ...streamOf(call), usage: { prompt: 1_000_000, completion: 0 } }],
    });
    try {
      const app = await openApp();
      await app.config(
        providerTable("openai", server.url, 'prices = { input = 2.0, output = 2.0, currency = "USD" }\n'),
      );
      const { code, stderr } = await app.call(["run", "--max-cost", "1", "go"]);
      expect([code, server.requests.length]).toEqual([1, 1]);
      expect(stderr).toMatch(/turn failed: .*cost/i);
    } finally {
      await server.close();
    }
  });

  test("Ctrl-C once stops the turn, keeps the partial answer, ends what tools started, and exits with 130", async () => {
    const server = await startScriptedServer({
      replies: [streamOf(textStep("the first half"), { kind: "stall" })],
    });
    try {
      const app = await openApp();
      await app.config(providerTable("openai", server.url));
      const running = app.start(["run", "tell me"], { input: "" });
      await until(() => running.stdout().includes("the first half"), "the first half of the answer");
      running.child.kill("SIGINT");
      const { code } = await running.ended;
      expect(code).toBe(130);
      const sessions = await app.call(["sessions", "--json"]);
      const id = JSON.parse(sessions.stdout)[0].id;
      expect((await app.call(["sessions", "export", id])).stdout).toContain("the first half");
    } finally {
      await server.close();
    }
  });
});

test("[L5] Ctrl-C twice leaves with 130, and nothing that a tool started lives on", async () => {
  const app = await openApp();
  const stubborn = "trap '' TERM INT HUP; echo $$ > pid; while :; do sleep 0.1; done";
  const task = `TOOL bash ${JSON.stringify({ command: stubborn })}`;
  const running = app.start(["run", "--permission-mode", "danger-full-access", task], { input: "" });
  const file = join(app.workspace, "pid");
  const pid = async (): Promise<number> => Number(await readFile(file, "utf8").catch(() => ""));
  await until(async () => (await pid()) > 0, "the stubborn command");
  running.child.kill("SIGINT");
  running.child.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
  const stubbornPid = await pid();
  await until(() => !isAlive(stubbornPid), "the end of the stubborn command");
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("[case K-02] a reader that leaves early is no error", async () => {
  const app = await openApp();
  const running = app.start(["run", "REPEAT 100000 a long answer"], { input: "" });
  await until(() => running.stdout().length > 1000, "the beginning of the answer");
  running.child.stdout?.destroy();
  const { code, stderr } = await running.ended;
  expect([code, stderr.includes("EPIPE"), /^\s+at /m.test(stderr)]).toEqual([0, false, false]);
});
