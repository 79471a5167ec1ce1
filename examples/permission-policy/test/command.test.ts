/** The real command with the plugin linked: an override of the host's deny runs, and is on record. */
import { openTrial, type Trial } from "@reasonix-ts/example-trial";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

let trial: Trial;

beforeAll(async () => {
  trial = await openTrial({
    plugin: new URL("../", import.meta.url),
    config: '[permissions]\ndeny = ["bash(echo *)"]\n',
    pluginEnv: { PERMISSION_POLICY: join("..", "policy.txt") },
  });
  await writeFile(join(trial.workspace, "../policy.txt"), "allow bash echo hello\ndeny bash *push*\n");
});

afterAll(() => trial.close());

test("[I8] [I9] [case I-10] allow overrides the host's deny and is audited, deny refuses what the host would run", async () => {
  const task = [
    'TOOL bash {"command":"echo hello"}',
    'TOOL bash {"command":"echo other"}',
    'TOOL bash {"command":"printf push"}',
  ];
  const { code, stdout, stderr } = await trial.reasonix([
    "run",
    "--permission-mode",
    "danger-full-access",
    task.join("\n"),
  ]);
  expect(code).toBe(0);
  const [hello, other, push] = stdout.trim().split("\n");
  expect(hello).toBe("bash: hello");
  expect(other).toContain("bash(echo *)");
  expect(push).toContain("line 2 of the policy: deny bash *push*");
  expect(stderr).toContain("permission-policy");

  const audit = (await readFile(join(trial.home, "audit.jsonl"), "utf8")).trim().split("\n");
  expect(audit).toHaveLength(1);
  expect(JSON.parse(audit[0] ?? "")).toMatchObject({ plugin: "permission-policy", version: "0.1.0", tool: "bash" });
});
