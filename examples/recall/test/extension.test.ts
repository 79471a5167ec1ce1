/** The extension in memory: what it remembers, and what it adds to input. */
import { testHost, type TestHost } from "@reasonix-ts/sdk/testing";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { recall } from "../src/extension.ts";
import { fittingNotes } from "../src/notes.ts";

let folder = "";
let host: TestHost;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recall-"));
  host = await testHost(recall(folder));
});

afterEach(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

test("[case I-12] [U5] [I7] what the action remembers is added behind the typed text when it fits", async () => {
  const args = { arg1: "staging", arg2: "runs", arg3: "on", arg4: "port", arg5: "8443" };
  expect(await host.action("remember", args)).toEqual({
    accepted: true,
    message: "Remembered: staging runs on port 8443",
  });
  await host.action("remember", { arg1: "prefer tabs" });
  await host.action("remember", args);

  expect(await host.intercept("input.receive", { text: "deploy to staging" })).toEqual({
    decision: "replace",
    replacement: { text: "deploy to staging\n\n<recall>\n- staging runs on port 8443\n</recall>" },
  });
  expect(await host.intercept("input.receive", { text: "hello" })).toEqual({ decision: "continue" });

  expect(await host.action("forget")).toEqual({ accepted: true, message: "Forgotten." });
  expect(await host.intercept("input.receive", { text: "deploy to staging" })).toEqual({ decision: "continue" });
});

test("[R4] notes outlive the process, and belong to the folder in which they were made", async () => {
  await host.action("remember", { arg1: "staging", arg2: "first" });
  const reloaded = await testHost(recall(folder), { session: { generation: 2 } });
  const elsewhere = await testHost(recall(folder), { session: { workspaceRoot: "/elsewhere" } });
  expect((await reloaded.intercept("input.receive", { text: "staging" })).decision).toBe("replace");
  expect((await elsewhere.intercept("input.receive", { text: "staging" })).decision).toBe("continue");
  await Promise.all([reloaded.close(), elsewhere.close()]);
});

test("[U5] an action without words says how it is used", async () => {
  const { message } = await host.action("remember");
  expect(message).toBe("Say what to remember: /recall:remember staging runs on port 8443");
});

test("fitting notes: most shared words first, five at most, short words do not count", () => {
  const notes = [
    "staging 1",
    "port of staging is 8443",
    "ask on Friday",
    "staging 2",
    "staging 3",
    "staging 4",
    "staging 5",
  ];
  expect(fittingNotes(notes, "which PORT has staging on that day?")).toEqual([
    "port of staging is 8443",
    "staging 1",
    "staging 2",
    "staging 3",
    "staging 4",
  ]);
  expect(fittingNotes(["on the day"], "on the day")).toEqual([]);
});

test("[L3] manifest and code agree", async () => {
  const manifest: unknown = JSON.parse(await readFile(new URL("../reasonix-plugin.json", import.meta.url), "utf8"));
  expect(manifest).toMatchObject({
    name: host.declaration.name,
    version: host.declaration.version,
    runtime: { intercepts: host.declaration.subscriptions, capabilities: ["interceptors", "ui"] },
  });
  expect(host.declaration.uiActions?.map(({ actionId }) => actionId)).toEqual(["remember", "forget"]);
});
