/** doctor, extensions and the plugin verbs that look: stable codes, exit codes, quiet ends. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openApp, until } from "../support/app.ts";

test("[case K-01] one finding each, with code, cause and next step; errors exit with 1, warnings with 0", async () => {
  const app = await openApp();
  const table =
    '[[providers]]\nname = "mine"\nkind = "openai"\nmodels = ["m"]\nmodles = 1\napi_key_env = "NO_SUCH_KEY"\n';
  await app.config(`default_modle = "x"\n${table}`);
  const gone = await app.plugin("gone", { intercepts: ["input.receive"] });
  const warned = await app.call(["doctor", "--json"]);
  expect(warned.code).toBe(0);
  expect(JSON.parse(warned.stdout)).toMatchObject({
    model: "mine/m",
    providers: [{ name: "mine", kind: "openai", key: "NO_SUCH_KEY" }],
    findings: expect.arrayContaining([
      expect.objectContaining({ code: "config_unknown_key", severity: "info" }),
      expect.objectContaining({ code: "provider_unknown_key", severity: "info" }),
      expect.objectContaining({
        code: "provider_key_missing",
        severity: "warning",
        next: "reasonix setup --provider mine",
      }),
    ]),
  });

  await rm(join(gone, "sidecar.mjs"));
  const [broken, text] = await Promise.all([app.call(["doctor", "--json"]), app.call(["doctor"])]);
  expect([broken.code, text.code]).toEqual([1, 1]);
  expect(JSON.parse(broken.stdout).findings).toContainEqual(
    expect.objectContaining({ code: "command_missing", severity: "error", subject: "plugin gone" }),
  );
  expect(text.stdout).toMatch(/^error: {3}plugin gone: .*sidecar\.mjs/m);
  expect(text.stdout).toMatch(/^ {9}next: /m);
  expect(text.stdout).toMatch(/^1 error, 1 warning\.$/m);
});

test("[L3] doctor runtime starts the sidecars and tells state, points and slots; a wrong one is an error", async () => {
  const app = await openApp();
  await app.plugin("good", { intercepts: ["input.receive"], replaces: ["context"] });
  await app.plugin("bad", { intercepts: ["input.receive"] }, { init: { subscriptions: ["tool.before"] } });
  const { code, stdout } = await app.call(["doctor", "runtime", "--json"]);
  expect(code).toBe(1);
  const report = JSON.parse(stdout);
  expect(report.plugins).toMatchObject([
    { plugin: "bad", state: "failed" },
    { plugin: "good", state: "ready", intercepts: ["input.receive"], owns: ["context"] },
  ]);
  expect(report.findings).toMatchObject([
    { code: "runtime_failed", severity: "error", subject: "plugin bad", text: expect.stringContaining("tool.before") },
  ]);
  const frames = await app.frames("good");
  expect(frames.map(({ method }) => method).at(-1)).toBe("extension/shutdown");
});

test("[case F-01] extensions tells who is loaded, how long each point took, and what the last turn changed", async () => {
  const app = await openApp();
  await app.plugin("tagger", { intercepts: ["input.receive"] }, { on: { "input.receive": { do: "tag", text: "!" } } });
  expect((await app.call(["run", "hi"])).stdout).toBe("You said: hi!\n");
  const [text, json] = await Promise.all([app.call(["extensions"]), app.call(["extensions", "--json"])]);
  expect(text.stdout).toMatch(
    /^tagger 1\.0\.0: ready, pid \d+\n {2}points: input\.receive\n {2}capabilities: interceptors, ui\n {2}input\.receive {8}1 call, median [\d.]+ m?s, longest [\d.]+ m?s\nIn the last turn:\n {2}tagger at input\.receive: replace, [\d.]+ m?s\n {4}\/text\n {4}- hi\n {4}\+ hi!\n$/,
  );
  expect(JSON.parse(json.stdout).receipts).toMatchObject([
    { plugin: "tagger", point: "input.receive", outcome: "replace", changed: ["/text"] },
  ]);
});

test("[X2] [G3] doctor capabilities shows the FULL TRUST block and what is contributed; show and doctor --live too", async () => {
  const app = await openApp();
  const root = await app.plugin("both", { intercepts: ["tool.before"], required: true });
  await mkdir(join(root, "prompts"));
  await writeFile(join(root, "prompts/greet.md"), "---\ndescription: Greets\n---\nGreet $1\n");
  const [doctor, capabilities, show, live] = await Promise.all([
    app.call(["doctor"]),
    app.call(["doctor", "capabilities"]),
    app.call(["plugin", "show", "both"]),
    app.call(["plugin", "doctor", "both", "--live", "--json"]),
  ]);
  for (const { stdout, code } of [doctor, capabilities, show]) {
    expect(code).toBe(0);
    expect(stdout).toContain("FULL TRUST");
    expect(stdout).toMatch(/intercepts: +tool\.before/);
  }
  expect(live.code).toBe(0);
  expect(JSON.parse(live.stdout).plugins[0].live).toMatchObject({ ok: true });
});

test("[M1] env keeps a variable for one plugin, update and upgrade-manifest say what they would do", async () => {
  const app = await openApp();
  const root = await app.plugin("good", { intercepts: ["input.receive"] });
  const set = await app.call(["plugin", "env", "good", "set", "TOKEN_OF_MINE"], { input: "hidden-value\n" });
  expect([set.code, set.stdout]).toEqual([0, "good gets TOKEN_OF_MINE, and no other plugin does.\n"]);
  const update = await app.call(["plugin", "update"]);
  expect([update.code, update.stdout]).toEqual([0, "linked good: it follows its folder by itself\n"]);
  await writeFile(join(root, "reasonix-plugin.json"), '{"name":"good","version":"1.0.0","skills":"skills"}');
  const upgrade = await app.call(["plugin", "upgrade-manifest", root]);
  expect([upgrade.code, JSON.parse(upgrade.stdout).apiVersion]).toEqual([0, "reasonix.io/plugin/v2"]);
  expect(upgrade.stderr).toContain("changed: apiVersion added");
});

test("[case K-02] plugin list --json and doctor into a reader that leaves end quietly", async () => {
  const app = await openApp();
  await app.plugin("good", { intercepts: ["input.receive"] });
  for (const args of [["plugin", "list", "--json"], ["plugin", "show", "good"], ["doctor"]]) {
    const running = app.start(args, { input: "" });
    running.child.stdout?.destroy();
    await until(() => running.child.exitCode !== null, "the end of the command");
    const { code, stderr } = await running.ended;
    expect([args, code, stderr]).toEqual([args, 0, ""]);
  }
});
