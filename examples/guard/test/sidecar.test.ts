/** The built sidecar as a real process, spoken to in raw frames. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "guard-"));
  await build({
    entryPoints: [fileURLToPath(new URL("../src/sidecar.ts", import.meta.url))],
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    conditions: ["@reasonix-ts/source"],
    outfile: join(folder, "sidecar.cjs"),
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Every frame that a host would send, at once. */
const FRAMES = [
  {
    id: 1,
    method: "extension/initialize",
    params: {
      protocolId: "reasonix.extension.v2",
      protocolVersion: "2",
      manifest: { intercepts: ["tool.before"] },
      session: { sessionId: "s1", workspaceRoot: "/workspace", generation: 1 },
      capabilities: { contentRefs: true, protocolVersion: "2", uiHost: "headless" },
    },
  },
  { method: "extension/initialized", params: {} },
  {
    id: 2,
    method: "extension/intercept",
    params: {
      event: "tool.before",
      seq: 1,
      payload: { name: "bash", arguments: '{"command":"sudo rm -rf /"}' },
      timeoutMillis: 5000,
    },
  },
  {
    id: 3,
    method: "extension/intercept",
    params: {
      event: "tool.before",
      seq: 2,
      payload: { name: "bash", arguments: '{"command":"ls"}' },
      timeoutMillis: 5000,
    },
  },
  { id: 4, method: "extension/shutdown", params: { timeoutMillis: 5000 } },
];

test("[I6] the sidecar answers a whole session in raw frames and exits by itself", async () => {
  const child = spawn(process.execPath, [join(folder, "sidecar.cjs")], { stdio: ["pipe", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (bytes: Buffer) => (stdout += bytes.toString()));
  child.stderr.on("data", (bytes: Buffer) => (stderr += bytes.toString()));
  for (const frame of FRAMES) child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`);
  // Stdin stays open: the goodbye alone ends the process.
  const [code]: unknown[] = await once(child, "close");

  expect(code).toBe(0);
  const replies: unknown[] = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(replies).toEqual([
    {
      jsonrpc: "2.0",
      id: 1,
      result: {
        name: "guard-extension",
        version: "0.1.0",
        protocolVersion: "2",
        stateSchemaVersion: 0,
        subscriptions: ["tool.before"],
      },
    },
    {
      jsonrpc: "2.0",
      id: 2,
      result: { decision: "block", reason: expect.stringMatching(/^guard-extension refuses `sudo rm -rf \/`: /) },
    },
    { jsonrpc: "2.0", id: 3, result: { decision: "continue" } },
    { jsonrpc: "2.0", id: 4, result: { accepted: true } },
  ]);
  expect(stderr).toBe("");
});
