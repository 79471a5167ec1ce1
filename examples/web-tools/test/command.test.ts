/** The real command with the plugin linked: the model calls both tools, and one of them fails. */
import { openTrial, type Trial } from "@reasonix-ts/example-trial";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPageServer, type PageServer } from "./page-server.ts";

let pages: PageServer;
let trial: Trial;

beforeAll(async () => {
  pages = await startPageServer();
  trial = await openTrial({ plugin: new URL("../", import.meta.url), pluginEnv: { WEB_TOOLS_HOSTS: pages.host } });
});

afterAll(async () => {
  await trial.close();
  await pages.close();
});

test("[case I-09] extension tools run in a turn, and their errors reach the model as errors", async () => {
  const task = [
    'TOOL ext__web-tools__word_count {"text":"a b c"}',
    `TOOL ext__web-tools__fetch_title {"url":"http://${pages.host}/"}`,
    'TOOL ext__web-tools__fetch_title {"url":"http://example.test/"}',
    "TOOL ext__web-tools__word_count {}",
  ];
  const { code, stdout } = await trial.reasonix(["run", "--output-format", "json", task.join("\n")]);
  expect(code).toBe(0);
  const { tools }: { tools: readonly { result: string; isError: boolean }[] } = JSON.parse(stdout);
  expect(tools.slice(0, 3)).toMatchObject([
    { result: "3 words", isError: false },
    { result: "Hello, world", isError: false },
    { result: expect.stringContaining("example.test is not among the hosts"), isError: true },
  ]);
  // The host checks arguments against the manifest's schema; the tool never sees these.
  expect(tools[3]).toMatchObject({ result: expect.stringContaining("text"), isError: true });
});
