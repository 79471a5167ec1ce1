/** The real command with the plugin linked and a model whose window is soon full. */
import { startScriptedServer, streamOf, textStep, type ScriptedServer } from "@reasonix-ts/agent/scripted-server";
import { openTrial, scriptedModel, type Trial } from "@reasonix-ts/example-trial";
import { afterAll, beforeAll, expect, test } from "vitest";

let server: ScriptedServer;
let trial: Trial;

beforeAll(async () => {
  server = await startScriptedServer();
  trial = await openTrial({
    plugin: new URL("../", import.meta.url),
    config: scriptedModel(server.url, { contextWindow: 4_000 }),
  });
});

afterAll(async () => {
  await trial.close();
  await server.close();
});

test("[I10] [I12] the request after a compaction holds the owner's summary in place of what was folded", async () => {
  // Long enough to be worth folding.
  const file = { path: "flag.txt", content: "on ".repeat(2_000) };
  server.push(
    streamOf({ kind: "call", id: "1", name: "write_file", arguments: JSON.stringify(file) }),
    {
      ...streamOf({ kind: "call", id: "2", name: "read_file", arguments: '{"path":"flag.txt"}' }),
      usage: { prompt: 3_900, completion: 10 },
    },
    streamOf(textStep("A file was written.")),
    streamOf(textStep("done")),
  );

  const { code, stdout } = await trial.reasonix(["run", "make a flag"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "done\n" });

  const messages = messagesIn(server.requests.at(-1));
  expect(messages.map(({ role }) => role)).toEqual(["system", "user", "user", "assistant", "tool"]);
  expect(messages[2]?.content).toContain("## Files changed\n- flag.txt\n\n## Summary\nA file was written.");
});

interface Sent {
  readonly role: string;
  readonly content?: string;
}

function messagesIn(request: { readonly body: Buffer } | undefined): readonly Sent[] {
  const { messages = [] }: { readonly messages?: readonly Sent[] } = JSON.parse(request?.body.toString("utf8") ?? "{}");
  return messages;
}
