/** The extension in memory: it lets every point pass, and its manifest lists them all. */
import { testHost } from "@reasonix-ts/sdk/testing";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { extension } from "../src/extension.ts";

test("[I1] [I5] the manifest and the code name all seventeen points, and each passes unchanged", async () => {
  const manifest: { runtime: { intercepts: string[] } } = JSON.parse(
    readFileSync(new URL("../reasonix-plugin.json", import.meta.url), "utf8"),
  );
  const host = await testHost(extension);
  expect(manifest.runtime.intercepts).toHaveLength(17);
  expect([...(host.declaration.subscriptions ?? [])].sort()).toEqual([...manifest.runtime.intercepts].sort());
  expect(await host.intercept("input.receive", { text: "x" })).toEqual({ decision: "continue" });
  expect(await host.intercept("tool.before", { name: "bash", arguments: "{}" })).toEqual({ decision: "continue" });
  await host.close();
  expect(host.log).toContain("[watcher-extension] input.receive: 1");
  expect(host.log).toContain("[watcher-extension] tool.before: 1");
});
