/** The extension in memory: what it refuses at tool.before, and with which words. */
import { readFileSync } from "node:fs";
import { testHost, type TestHost } from "@reasonix-ts/sdk/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { extension } from "../src/extension.ts";

let host: TestHost;
beforeAll(async () => {
  host = await testHost(extension);
});
afterAll(() => host.close());

const call = (name: string, args: unknown) =>
  host.intercept("tool.before", { name, arguments: typeof args === "string" ? args : JSON.stringify(args) });

test("[I6] a refusal says what, why, and how to do it safely", async () => {
  expect(await call("bash", { command: "cd /tmp && rm -rf build" })).toEqual({
    decision: "block",
    reason:
      "guard-extension refuses `rm -rf build`: this removes whole folders without asking, and nothing brings them back. " +
      "Move them aside instead (mkdir -p .trash && mv <folder> .trash/), or remove files by name without -f.",
  });
});

test("[I5] a harmless command goes through, and so does a tool that runs none", async () => {
  expect(await call("bash", { command: 'grep "rm -rf" README.md' })).toEqual({ decision: "continue" });
  expect(await call("write_file", { path: "x.sh", content: "rm -rf /" })).toEqual({ decision: "continue" });
});

test("[I9] any tool with a command is judged, whatever it is called", async () => {
  expect(await call("mcp__shell__run", { command: "rm -rf /" })).toMatchObject({ decision: "block" });
});

test.each(["{", "[]", "null", "{}", '{"command":["rm","-rf","/"]}'])(
  "[case I-04] a call of bash that cannot be read is refused: %s",
  async (json) => {
    expect(await call("bash", json)).toEqual({
      decision: "block",
      reason: "guard-extension refuses this call of bash: it names no command to judge. Give `command` as a string.",
    });
  },
);

test("[M4] the manifest is required and intercepts what the code handles", () => {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../reasonix-plugin.json", import.meta.url), "utf8"));
  expect(manifest).toMatchObject({
    apiVersion: "reasonix.io/plugin/v2",
    name: host.declaration.name,
    version: host.declaration.version,
    runtime: { required: true, intercepts: host.declaration.subscriptions },
  });
});
