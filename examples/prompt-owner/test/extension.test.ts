/** The extension in memory: what it makes of the prompt. */
import { testHost } from "@reasonix-ts/sdk/testing";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { extension } from "../src/extension.ts";

const PAYLOAD = { prompt: "You are a coding agent.", workspaceRoot: "/workspace" };

test("[I10] [I12] the owner adds the rules of the house behind the host's prompt", async () => {
  const host = await testHost(extension);
  expect(await host.intercept("system_prompt.build", PAYLOAD)).toEqual({
    decision: "replace",
    replacement: {
      prompt: expect.stringMatching(/^You are a coding agent\.\n\n# Rules of the house\n\n- Answer in short/),
      workspaceRoot: "/workspace",
    },
  });
  await host.close();
});

test("[K3] [case S-04] two processes make the same prompt, byte for byte", async () => {
  const prompts: string[] = [];
  for (const generation of [1, 2]) {
    const host = await testHost(extension, { session: { generation, sessionId: `session-${generation}` } });
    const { replacement } = await host.intercept("system_prompt.build", PAYLOAD);
    prompts.push(replacement?.prompt ?? "");
    await host.close();
  }
  expect(prompts[1]).toBe(prompts[0]);
});

test("[L3] manifest and code agree", async () => {
  const manifest: unknown = JSON.parse(await readFile(new URL("../reasonix-plugin.json", import.meta.url), "utf8"));
  const host = await testHost(extension);
  expect(manifest).toMatchObject({
    name: host.declaration.name,
    version: host.declaration.version,
    runtime: { replaces: host.declaration.replaces },
  });
  await host.close();
});
