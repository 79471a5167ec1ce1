/** The real command with the plugin linked: two turns of one session, seen from the model's side. */
import { startScriptedServer, type ScriptedServer } from "@reasonix-ts/agent/scripted-server";
import { openTrial, scriptedModel, type Trial } from "@reasonix-ts/example-trial";
import { afterAll, beforeAll, expect, test } from "vitest";

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

test("[I10] [K3] the model is told the rules of the house, in the same bytes at every turn and after a restart", async () => {
  expect((await trial.reasonix(["run", 'TOOL list_dir {"path":"."}'])).code).toBe(0);
  expect((await trial.reasonix(["run", "--continue", "thanks"])).code).toBe(0);

  const prompts = server.requests.map((request) => JSON.stringify(messagesIn(request)[0]));
  expect(prompts).toHaveLength(3);
  expect(prompts[0]).toContain("# Rules of the house");
  expect(new Set(prompts).size).toBe(1);
});

function messagesIn({ body }: { readonly body: Buffer }): readonly unknown[] {
  const request: { readonly messages: readonly unknown[] } = JSON.parse(body.toString("utf8"));
  return request.messages;
}
