/** The scripted server itself: its language on both wire formats, its record, and its program. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Model, StoredMessage } from "../../src/ports.ts";
import { startScriptedServer, streamOf, textStep, type ScriptedServer } from "../scripted-server/index.ts";
import { ask, requestOf } from "./collect.ts";
import { providerAt } from "./provider.ts";

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

/** Plays both sides until the model calls no more tools; every tool answers `ok`. */
async function converse(
  model: Model,
  content: string,
): Promise<{ readonly text: string; readonly calls: readonly string[] }> {
  const messages: StoredMessage[] = [{ role: "user", content }];
  const calls: string[] = [];
  for (;;) {
    const answer = await ask(model, requestOf(...messages));
    if (answer.failure !== null) throw answer.failure;
    const call = answer.calls[0];
    if (call === undefined) return { text: answer.text, calls };
    calls.push(`${call.name} ${call.arguments}`);
    messages.push({ role: "assistant", content: answer.text, tool_calls: answer.calls });
    messages.push({ role: "tool", tool_call_id: call.id, content: "ok\nrest" });
  }
}

describe("without a script", () => {
  test.each(["openai", "anthropic"] as const)("%s speaks the offline model's language", async (kind) => {
    const model = providerAt(kind, server.url);
    expect(await converse(model, 'hi\nTOOL bash {"command":"echo ok"}\nTOOL glob {"pattern":"*"}')).toEqual({
      text: "bash: ok\nglob: ok\nYou said: hi",
      calls: ['bash {"command":"echo ok"}', 'glob {"pattern":"*"}'],
    });
  });

  test.each([
    ["/v1/chat/completions", { choices: [{ message: { content: "You said: hi" }, finish_reason: "stop" }] }],
    ["/v1/messages", { content: [{ type: "text", text: "You said: hi" }], stop_reason: "end_turn" }],
  ])("%s answers whole where no stream is asked for", async (path, expected) => {
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] });
    const response = await fetch(server.url + path, { method: "POST", body });
    expect(await response.json()).toMatchObject(expected);
    expect(server.requests.at(-1)?.body.toString("utf8")).toBe(body);
  });

  test("lists a model, and refuses other paths", async () => {
    expect(await (await fetch(`${server.url}/v1/models`)).json()).toMatchObject({ data: [{ id: "scripted" }] });
    expect((await fetch(`${server.url}/v1/other`, { method: "POST", body: "{}" })).status).toBe(404);
  });
});

describe("as a program", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "scripted-server-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("says how it is used, and in one line what it cannot do", async () => {
    const program = join(folder, "usage.mjs");
    const source = fileURLToPath(new URL("../scripted-server/program.ts", import.meta.url));
    const conditions = ["@reasonix-ts/source"];
    await build({ entryPoints: [source], outfile: program, bundle: true, format: "esm", platform: "node", conditions });
    const run = (...args: readonly string[]) => spawnSync(process.execPath, [program, ...args], { encoding: "utf8" });
    const help = run("--help");
    expect([help.status, help.stdout.split("\n")[0]]).toEqual([0, "Usage: node program.js [options]"]);
    const absent = run("--replies", join(folder, "absent.json"));
    expect([absent.status, absent.stderr.trimEnd().split("\n")]).toEqual([
      1,
      [expect.stringMatching(/^scripted-server: .*absent\.json: ENOENT/)],
    ]);
    const port = run("--port", "x");
    expect([port.status, port.stderr]).toEqual([1, 'scripted-server: --port is a number of at most 65535; "x" came\n']);
  });

  test("tells its address, answers by script, records each request, and ends with its standard input", async () => {
    const program = join(folder, "program.mjs");
    const source = fileURLToPath(new URL("../scripted-server/program.ts", import.meta.url));
    const conditions = ["@reasonix-ts/source"];
    await build({ entryPoints: [source], outfile: program, bundle: true, format: "esm", platform: "node", conditions });
    const replies = join(folder, "replies.json");
    await writeFile(replies, JSON.stringify([streamOf(textStep("scripted"))]));
    const record = join(folder, "record.jsonl");

    const child = spawn(process.execPath, [program, "--replies", replies, "--record", record], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => child.once("close", (code) => resolve(code)));
    try {
      const lines = createInterface({ input: child.stdout });
      const first = await new Promise<string>((resolve) => lines.once("line", resolve));
      const model = providerAt("openai", JSON.parse(first).url);
      expect((await ask(model, requestOf({ role: "user", content: "one" }))).text).toBe("scripted");
      expect((await ask(model, requestOf({ role: "user", content: "two" }))).text).toBe("You said: two");
    } finally {
      child.stdin.end();
    }
    expect(await ended).toBe(0);
    const recorded = (await readFile(record, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(recorded.map((request) => JSON.parse(request.body).messages.at(-1).content)).toEqual(["one", "two"]);
  });
});
