/** The real command with the plugin linked: a whole turn on the model that it brings. */
import { openTrial, type Trial } from "@reasonix-ts/example-trial";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

let trial: Trial;

beforeAll(async () => {
  trial = await openTrial({
    plugin: new URL("../", import.meta.url),
    config: 'default_model = "plugin/provider-extension/scripted/small"\n',
  });
});

afterAll(() => trial.close());

test("[P2] [P5] a turn on the first boot: its tool call runs, its signature comes back, its tokens are counted", async () => {
  await writeFile(join(trial.workspace, "a.txt"), "alpha\n");
  const { code, stdout } = await trial.reasonix(["run", "--output-format", "json", "how does a.txt begin?"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: "done",
    text: "It begins: 1\talpha. My reasoning came back signed.",
    model: "plugin/provider-extension/scripted/small",
    steps: 2,
    currency: "USD",
    cost: expect.closeTo(0.0002, 3),
    tools: [{ name: "read_file", result: "1\talpha", isError: false }],
  });
});
