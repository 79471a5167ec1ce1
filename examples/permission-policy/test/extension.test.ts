/** The extension in memory: its rulings and their reasons. */
import { testHost } from "@reasonix-ts/sdk/testing";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { permissionPolicy } from "../src/extension.ts";
import { parsePolicy } from "../src/policy.ts";

const extension = permissionPolicy(parsePolicy("# ours\nallow bash make\ndeny bash *push*\n"));

test("[I8] allows, denies, or leaves the call to the host, with the line as the reason", async () => {
  const host = await testHost(extension);
  const rule = (command: string) =>
    host.intercept("permission.decision", {
      name: "bash",
      arguments: JSON.stringify({ command }),
      hostDecision: "deny",
    });
  expect(await rule("make")).toEqual({ decision: "allow", reason: "line 2 of the policy: allow bash make" });
  expect(await rule("git push")).toEqual({ decision: "deny", reason: "line 3 of the policy: deny bash *push*" });
  expect(await rule("ls")).toEqual({ decision: "continue" });
  await host.close();
});

test("[L3] manifest and code agree, and the guard is required", async () => {
  const manifest: unknown = JSON.parse(await readFile(new URL("../reasonix-plugin.json", import.meta.url), "utf8"));
  const host = await testHost(extension);
  expect(manifest).toMatchObject({
    name: host.declaration.name,
    version: host.declaration.version,
    runtime: { required: true, intercepts: host.declaration.subscriptions },
  });
  await host.close();
});
