/** The extension in memory: what it makes of input, and what it declares. */
import { testHost } from "@reasonix-ts/sdk/testing";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { extension } from "../src/extension.ts";

test("[G2] rewrites input that begins with the trigger, and says so in its log", async () => {
  const host = await testHost(extension);
  expect(await host.intercept("input.receive", { text: "starter: explain protocols" })).toEqual({
    decision: "replace",
    replacement: { text: "explain protocols [rewritten by starter-extension]" },
  });
  expect(host.log).toEqual(["[starter-extension] rewrote 26 characters of input"]);
  await host.close();
});

test.each(["explain protocols", "Starter: x", " starter: x", ""])("[I5] leaves %j alone", async (text) => {
  const host = await testHost(extension);
  expect(await host.intercept("input.receive", { text })).toEqual({ decision: "continue" });
  await host.close();
});

test("[G2] manifest and code agree", async () => {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../reasonix-plugin.json", import.meta.url), "utf8"));
  const host = await testHost(extension);
  expect(manifest).toMatchObject({
    apiVersion: "reasonix.io/plugin/v2",
    name: host.declaration.name,
    version: host.declaration.version,
    runtime: { command: "${REASONIX_PLUGIN_ROOT}/dist/sidecar.cjs", intercepts: host.declaration.subscriptions },
  });
  await host.close();
});
