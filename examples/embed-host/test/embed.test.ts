/** The example runs as a person would run it, on the built host. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const main = fileURLToPath(new URL("../src/main.mjs", import.meta.url));

test("[R4] [I4] [I6] [I7] a program that is no agent is ruled on by two extensions, reloads and stops", async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main]);
  expect(stdout.split("\n")).toEqual([
    'publish: go with {"package":"acme","dryRun":true} (dry-run)',
    "drop_database: blocked by office-hours: nothing is dropped without a person",
    "generation 2: 2 started anew",
    'publish: go with {"package":"acme","dryRun":true} (dry-run)',
    "",
  ]);
  expect(stderr).toBe("");
});

test("[R4] the program has at most sixty lines", () => {
  expect(readFileSync(main, "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(60);
});
