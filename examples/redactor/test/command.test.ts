/** The real command with the plugin linked, seen from the model's side and from the person's. */
import { startScriptedServer, type ScriptedServer } from "@reasonix-ts/agent/scripted-server";
import { openTrial, scriptedModel, type Trial } from "@reasonix-ts/example-trial";
import { afterAll, beforeAll, expect, test } from "vitest";

const KEY = "sk-fixture-0123456789";

let server: ScriptedServer;
let trial: Trial;

beforeAll(async () => {
  server = await startScriptedServer();
  trial = await openTrial({ plugin: new URL("../", import.meta.url), config: scriptedModel(server.url) });
});

afterAll(async () => {
  await trial.close();
  await server.close();
});

test("[I7] [X3] the key reaches the tool and the person, and never the model", async () => {
  const task = `TOOL write_file {"path":"key.txt","content":"${KEY}"}\nTOOL read_file {"path":"key.txt"}\nkeep ${KEY}`;
  const { code, stdout } = await trial.reasonix(["run", task]);
  expect(code).toBe(0);
  expect(stdout).toContain(`read_file: 1\t${KEY}`);

  expect(server.requests).toHaveLength(3);
  const sent = server.requests.map(({ body }) => body.toString("utf8")).join("\n");
  expect(sent.includes(KEY)).toBe(false);
  expect(sent.includes("keep <secret-1>")).toBe(true);
});
