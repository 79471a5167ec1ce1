/** The real command with the plugin linked: surfaces as plain text, actions from the command line. */
import { openTrial, type Trial } from "@reasonix-ts/example-trial";
import { afterAll, beforeAll, expect, test } from "vitest";

let trial: Trial;

beforeAll(async () => {
  trial = await openTrial({ plugin: new URL("../", import.meta.url) });
});

afterAll(() => trial.close());

test("[U1] [U6] an action shows its card as text", async () => {
  const { code, stdout, stderr } = await trial.reasonix(["run", "/status-card:show"]);
  expect(code).toBe(0);
  expect(`${stdout}${stderr}`).toContain("[status-card] Activity\n  tool calls: 0\n  failed: 0\n  warns from: 50\n");
});

test("[U2] [case U-06] a question with nobody there is cancelled at once, which is no yes", async () => {
  const { code, stdout, stderr } = await trial.reasonix(["run", "/status-card:reset"]);
  expect(code).toBe(0);
  expect(`${stdout}${stderr}`).toContain("Nobody was there to agree, so nothing was forgotten.");
});
