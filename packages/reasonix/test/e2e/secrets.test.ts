/** Secrets that extensions, servers and the environment spill come out nowhere. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startScriptedServer } from "@reasonix-ts/agent/scripted-server";
import { expect, test } from "vitest";
import { openApp, providerTable, type Outcome } from "../support/app.ts";

const FIXTURE = "sk-fixture0123456789abcdefghijklmnop";
const HELD = "a-key-that-only-the-env-file-holds-4711";

test("[X3] [case X-01] no secret in any output of run, doctor, extensions, sessions, or in any file but .env", async () => {
  const server = await startScriptedServer({
    replies: [
      { kind: "status", status: 401, body: JSON.stringify({ error: { message: `bad key ${HELD}, ${FIXTURE}` } }) },
    ],
  });
  try {
    const app = await openApp();
    await app.config(providerTable("openai", server.url, 'api_key_env = "HELD_KEY"\n'));
    await writeFile(join(app.home, ".env"), `HELD_KEY=${HELD}\n`, { mode: 0o600 });
    const stderr = `connecting with Authorization: Bearer ${FIXTURE} to https://user:${FIXTURE}@db.test --token=${HELD}\n`;
    await app.plugin("leaky", { intercepts: ["input.receive"] }, { stderr, exit: 2 });
    await app.plugin(
      "blocker",
      { intercepts: ["tool.before"] },
      { on: { "tool.before": { do: "block", reason: `no, because api_key=${FIXTURE}` } } },
    );
    const outputs: readonly Outcome[] = await Promise.all([
      app.run(["run", "hi"]),
      app.run(["run", "--model", "offline/scripted", "--output-format", "json", 'TOOL bash {"command":"true"}']),
      app.run(["doctor", "runtime"]),
      app.run(["doctor", "--json"]),
      app.run(["plugin", "doctor", "--live"]),
    ]);
    const [refused] = outputs;
    expect(refused?.code).toBe(1);
    expect(server.requests[0]?.headers["authorization"]).toBe(`Bearer ${HELD}`);
    for (const { stdout, stderr: err } of outputs) {
      expect(stdout + err).not.toContain(FIXTURE);
      expect(stdout + err).not.toContain(HELD);
    }
    expect(outputs.map((one) => one.stdout + one.stderr).join("")).toContain("[redacted]");
    const kept = (await app.homeText()).replace(`HELD_KEY=${HELD}`, "");
    expect(kept).not.toContain(FIXTURE);
    expect(kept).not.toContain(HELD);
  } finally {
    await server.close();
  }
});
