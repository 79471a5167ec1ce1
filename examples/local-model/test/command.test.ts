/** The real command with the plugin linked: a turn on a model of a server on 127.0.0.1. */
import { startScriptedServer, type ScriptedServer } from "@reasonix-ts/agent/scripted-server";
import { openTrial, type Trial } from "@reasonix-ts/example-trial";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const KEY = "sk-fixture-local-0123";

let server: ScriptedServer;
let trial: Trial;

beforeAll(async () => {
  server = await startScriptedServer();
  trial = await openTrial({
    plugin: new URL("../", import.meta.url),
    pluginEnv: { LOCAL_MODEL_URL: `${server.url}/v1`, LOCAL_MODEL_KEY: KEY },
  });
});

afterAll(async () => {
  await trial.close();
  await server.close();
});

test("[P2] [P8] a turn runs on the local model, its tool call with it, and the key comes from plugin-env", async () => {
  await writeFile(join(trial.workspace, "a.txt"), "alpha\n");
  const task = 'TOOL read_file {"path":"a.txt"}\nbye';
  const { code, stdout } = await trial.reasonix(["run", "--model", "plugin/local-model/server/scripted", task]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "read_file: 1\talpha\nYou said: bye\n" });
  expect(new Set(server.requests.map(({ headers }) => headers["authorization"]))).toEqual(new Set([`Bearer ${KEY}`]));
});
