/** The real command with the plugin linked and notes on disk: two turns of one session, seen from the model's side. */
import { startScriptedServer, type ScriptedServer } from "@reasonix-ts/agent/scripted-server";
import { openTrial, scriptedModel, type Trial } from "@reasonix-ts/example-trial";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
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

test("[case I-12] [K3] recalled notes reach the model behind the typed text, and each request begins with the one before", async () => {
  const notes = join(trial.home, "../.local/state/reasonix-recall");
  await mkdir(notes, { recursive: true });
  await writeFile(join(notes, "notes.json"), JSON.stringify({ [trial.workspace]: ["staging runs on port 8443"] }));

  expect((await trial.reasonix(["run", "deploy to staging"])).code).toBe(0);
  expect((await trial.reasonix(["run", "--continue", "thanks"])).code).toBe(0);

  const [first = [], second = []] = server.requests.map(messagesIn);
  expect(first.at(-1)).toEqual({
    role: "user",
    content: expect.stringMatching(/^deploy to staging\n\n<recall>\n- staging runs on port 8443\n<\/recall>/),
  });
  expect(second.slice(0, first.length)).toEqual(first);
  expect(second.length).toBe(first.length + 2);
});

function messagesIn({ body }: { readonly body: Buffer }): readonly unknown[] {
  const request: { readonly messages: readonly unknown[] } = JSON.parse(body.toString("utf8"));
  return request.messages;
}
