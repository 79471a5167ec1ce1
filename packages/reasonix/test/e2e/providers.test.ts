/** Real providers over config.toml and setup, against a server that speaks both wire formats. */
import { stat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { startScriptedServer, streamOf, textStep } from "@reasonix-ts/agent/scripted-server";
import { expect, test } from "vitest";
import { openApp, providerTable } from "../support/app.ts";

test.each(["openai", "anthropic"] as const)(
  "a turn with a tool over the %s format: the call runs, its result goes back, the bytes come split",
  async (kind) => {
    const call = { kind: "call", id: "c1", name: "bash", arguments: '{"command":"echo für 读"}' } as const;
    const server = await startScriptedServer({
      replies: [
        { ...streamOf({ kind: "comment", text: "keep-alive" }, textStep("Moment, 读…"), call), splitBytes: 3 },
        { ...streamOf(textStep("done: für 读")), splitBytes: 1, usage: { prompt: 20, completion: 4, cacheHit: 15 } },
      ],
    });
    try {
      const app = await openApp();
      await app.config(providerTable(kind, server.url, 'api_key_env = "K"\nprices = { input = 1.0, output = 2.0 }\n'));
      const { code, stdout } = await app.call(["run", "--output-format", "json", "go"], {
        env: { K: "key-of-the-test" },
      });
      const report = JSON.parse(stdout);
      expect(code).toBe(0);
      expect([report.text, report.steps, report.model]).toEqual(["done: für 读", 2, "scripted/scripted"]);
      expect(report.tools).toMatchObject([{ name: "bash", result: "für 读", isError: false }]);
      expect(server.requests[1]?.body.toString("utf8")).toContain("für 读");
      expect(report.cost).toBeGreaterThan(0);
    } finally {
      await server.close();
    }
  },
);

test("[P9] a provider that fails ends the turn with its cause, and no other model is asked", async () => {
  const server = await startScriptedServer({
    replies: [streamOf(textStep("half"), { kind: "error", type: "overloaded", message: "too many people" })],
  });
  try {
    const app = await openApp();
    await app.config(providerTable("openai", server.url));
    const { code, stderr } = await app.call(["run", "go"]);
    expect(code).toBe(1);
    expect(stderr).toContain("too many people");
    expect(server.requests.length).toBe(1);
  } finally {
    await server.close();
  }
});

test("setup refuses a provider that the configuration would not take, and writes nothing", async () => {
  const app = await openApp();
  const args = ["setup", "--provider", "my models", "--base-url", "localhost", "--model", "m"];
  const { code, stderr } = await app.run(args, { input: "key\n" });
  expect(code).toBe(2);
  expect(stderr).toContain("Nothing was changed.");
  expect(stderr).toContain('"my models"');
  expect(await app.homeText()).toBe("");
});

test("setup stores a piped key with mode 0600 and a provider that the next run uses", async () => {
  const server = await startScriptedServer({ replies: [streamOf(textStep("hello from the server"))] });
  try {
    const app = await openApp();
    const args = ["setup", "--provider", "mine", "--base-url", `${server.url}/v1`, "--model", "scripted"];
    const setup = await app.call(args, { input: "key-from-a-pipe\n" });
    expect([setup.code, setup.stdout]).toEqual([0, expect.stringContaining("reasonix run --model mine/scripted")]);
    expect(setup.stdout + setup.stderr).not.toContain("key-from-a-pipe");
    const env = join(app.home, ".env");
    expect([await readFile(env, "utf8"), (await stat(env)).mode & 0o777]).toEqual([
      "MINE_API_KEY=key-from-a-pipe\n",
      0o600,
    ]);
    const run = await app.call(["run", "hi"]);
    expect([run.code, run.stdout]).toEqual([0, "hello from the server\n"]);
    expect(server.requests[0]?.headers["authorization"]).toBe("Bearer key-from-a-pipe");
    const without = await app.call(["setup"]);
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("reasonix setup --provider")]);
  } finally {
    await server.close();
  }
});
