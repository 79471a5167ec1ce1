/** What goes wrong before a turn: one clear text each, the right exit code, nothing hung, no model asked. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openApp, until, type App } from "../support/app.ts";

/** No stack and no control character. */
function isForPeople(text: string): void {
  expect(text).not.toMatch(/^\s+at .*:\d+:\d+/m);
  // oxlint-disable-next-line no-control-regex -- that there is none is the point
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
}

describe("the command line", () => {
  test("an unknown command, option and value exit with 2 and say what is right", async () => {
    const app = await openApp();
    const [command, option, value, nothing] = await Promise.all([
      app.run(["plugn", "list"]),
      app.call(["run", "--modle", "x", "hi"]),
      app.call(["run", "--approvals", "yes", "hi"]),
      app.call(["run"]),
    ]);
    expect([command.code, command.stderr]).toEqual([
      2,
      'reasonix: There is no command "plugn". Did you mean `reasonix plugin`? `reasonix --help` lists the commands.\n',
    ]);
    expect([option.code, option.stderr]).toEqual([2, expect.stringContaining("Unknown option '--modle'")]);
    expect([value.code, value.stderr]).toEqual([2, expect.stringContaining("ask, auto, never")]);
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('reasonix run "<task>"')]);
  });

  test("a model that is not there fails its turn, and names what there is", async () => {
    const app = await openApp();
    const { code, stderr } = await app.call(["run", "--model", "deepsek/chat", "hi"]);
    expect(code).toBe(1);
    expect(stderr).toContain("deepsek/chat");
    expect(stderr).toContain("`reasonix models` lists what there is");
    isForPeople(stderr);
  });
});

describe("config.toml", () => {
  test("broken: the path, the line and column, the line itself; plugin list and doctor work all the same", async () => {
    const app = await openApp();
    await app.config('default_model = "a/b"\neffort = high\n');
    const [run, list, doctor] = await Promise.all([
      app.call(["run", "hi"]),
      app.call(["plugin", "list"]),
      app.call(["doctor", "--json"]),
    ]);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(`${join(app.home, "config.toml")}, line 2, column 10:`);
    expect(run.stderr).toContain("effort = high");
    isForPeople(run.stderr);
    expect([list.code, list.stdout]).toEqual([0, "No plugin is installed.\n"]);
    expect(doctor.code).toBe(1);
    expect(JSON.parse(doctor.stdout).findings).toMatchObject([{ code: "config_unusable", severity: "error" }]);
  });

  test("[case U-02] [X3] what a broken file holds is shown without what a terminal obeys, and without its secrets", async () => {
    const app = await openApp();
    await app.config('api_key = "sk-fixture0123456789abcdefghijklmnop" \u001b]52;c;aGk=\u0007\u009b2J\n');
    const { code, stderr } = await app.call(["run", "hi"]);
    expect([code, stderr.includes("line 1")]).toEqual([1, true]);
    expect(stderr).not.toContain("sk-fixture");
    isForPeople(stderr);
  });

  test("[P11] a broken provider table costs its own models alone, and never hands a turn to another", async () => {
    const app = await openApp();
    const good = '[[providers]]\nname = "good"\nkind = "openai"\nbase_url = "http://127.0.0.1:1/v1"\nmodels = ["m"]\n';
    await app.config(`[[providers]]\nname = "mine"\nkind = "openai"\nbase_url = "nowhere"\nmodels = ["x"]\n\n${good}`);
    const told = "[[providers]] 1 (mine): base_url is no URL";

    const offline = await app.run(["run", "--model", "offline/scripted", "hello"]);
    expect([offline.code, offline.stdout]).toEqual([0, "You said: hello\n"]);
    expect(offline.stderr).toContain(told);
    const models = await app.run(["models"]);
    expect([models.code, models.stdout]).toEqual([0, expect.stringContaining("good/m")]);
    expect(models.stderr).toContain(told);
    expect((await app.run(["plugin", "list"])).code).toBe(0);
    expect((await app.run(["doctor"])).stdout).toContain(told);

    for (const args of [
      ["run", "go"],
      ["run", "--model", "mine/x", "go"],
    ]) {
      const { code, stdout, stderr } = await app.run(args);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain('The model "mine/x" is not available: table 1 of [[providers]] in ');
    }
  });

  test("wrong values are named all at once, and so is a rule that is not understood", async () => {
    const app = await openApp();
    await app.config('approvals = "perhaps"\nmax_steps = "many"\n');
    const values = await app.call(["run", "hi"]);
    expect(values.stderr).toContain('approvals is "perhaps"');
    expect(values.stderr).toContain('max_steps is "many"');
    await app.config('[permissions]\ndeny = ["bash(rm"]\n');
    const rule = await app.call(["run", "hi"]);
    expect([values.code, rule.code]).toEqual([1, 1]);
    expect(rule.stderr).toContain("bash(rm");
  });
});

describe("manifests", () => {
  test("[M2] [M4] unknown fields and a wrong apiVersion are refused at install, all at once, and nothing is written", async () => {
    const app = await openApp();
    const root = join(app.folder, "wrong");
    await mkdir(root);
    const manifest = { apiVersion: "reasonix.io/plugin/v1", name: "wrong", contribute: {}, runtime: { intercept: [] } };
    await writeFile(join(root, "reasonix-plugin.json"), JSON.stringify(manifest));
    const install = await app.call(["plugin", "install", root, "--link", "--yes"]);
    expect(install.code).toBe(1);
    const told = install.stdout + install.stderr;
    for (const part of ["reasonix.io/plugin/v1", "reasonix.io/plugin/v2"]) expect(told).toContain(part);
    isForPeople(told);
    expect((await app.call(["plugin", "list"])).stdout).toBe("No plugin is installed.\n");
  });

  test("[M1] an install without --yes or --dry-run changes nothing and exits with 2", async () => {
    const app = await openApp();
    const root = await app.plugin("good", { intercepts: ["input.receive"] });
    expect((await app.call(["plugin", "remove", "good"])).code).toBe(0);
    const before = await app.homeText();
    const asked = await app.call(["plugin", "install", root, "--link"]);
    const dry = await app.call(["plugin", "install", root, "--link", "--dry-run"]);
    expect([asked.code, dry.code]).toEqual([2, 0]);
    expect(asked.stderr).toContain("--yes");
    expect(dry.stdout).toContain("FULL TRUST");
    expect(await app.homeText()).toBe(before);
  });
});

describe("sidecars", () => {
  interface Case {
    readonly title: string;
    readonly runtime?: object;
    readonly script?: object;
    readonly spoil?: (root: string) => Promise<void>;
    readonly says: readonly string[];
  }
  const cases: readonly Case[] = [
    {
      title: "[T1] [case T-01] a banner on stdout",
      script: { noise: "[db] Connected to /var/lib/app/data.db\n" },
      says: ["[db] Connected", "Stdout is the protocol channel", "logs belong on stderr"],
    },
    {
      title: "[case L-09] one that dies before it answers",
      script: { exit: 127, stderr: "python3: command not found\n" },
      says: ["127", "python3: command not found"],
    },
    {
      title: "[L3] [case L-08] unknown field in the handshake",
      script: { init: { capabilities: ["interceptors"] } },
      says: ["capabilities"],
    },
    {
      title: "a guard whose folder is gone",
      spoil: (root) => rm(root, { recursive: true }),
      says: ["plugins/broken"],
    },
    {
      title: "[case N-12] a manifest that was cut",
      spoil: (root) => writeFile(join(root, "reasonix-plugin.json"), '{"apiVersion":'),
      says: ["reasonix-plugin.json"],
    },
    {
      title: "a command that is gone",
      spoil: (root) => rm(join(root, "sidecar.mjs")),
      says: ["sidecar.mjs"],
    },
    {
      title: "a command that is not executable",
      runtime: { command: "./run.sh" },
      spoil: (root) => writeFile(join(root, "run.sh"), "#!/bin/sh\n", { mode: 0o644 }),
      says: ["run.sh", "not executable", "chmod +x"],
    },
  ];

  test.each(cases)("$title: a required one stops the run before any model call, named with its cause", async (one) => {
    const app = await openApp();
    const root = await app.plugin(
      "broken",
      { intercepts: ["input.receive"], required: true, ...one.runtime },
      one.script,
    );
    await one.spoil?.(root);
    const { code, stdout, stderr } = await app.call(["run", "hi"]);
    expect([code, stdout]).toEqual([1, ""]);
    for (const part of ["broken", ...one.says, "reasonix plugin disable"]) expect(stderr).toContain(part);
    isForPeople(stderr);
  });

  test("[K2] an optional one that fails is told once, and the turn is had without it", async () => {
    const app = await openApp();
    await app.plugin("broken", { intercepts: ["input.receive"] }, { exit: 1, stderr: "no database\n" });
    const { code, stdout, stderr } = await app.call(["run", "hi"]);
    expect([code, stdout]).toEqual([0, "You said: hi\n"]);
    expect(stderr.match(/no database/g)).toHaveLength(1);
  });

  test("[L6] [case L-04] one that dies in a call fails the operation at once when it is required", async () => {
    const app = await openApp();
    const script = { on: { "input.receive": { do: "die", code: 3 } } };
    await app.plugin("guard", { intercepts: ["input.receive"], required: true }, script);
    const { code, stdout, stderr } = await app.call(["run", "hi"]);
    expect([code, stdout]).toEqual([1, ""]);
    for (const part of ["guard", "input.receive", "exit code 3"]) expect(stderr).toContain(part);
  });

  test("[I15] [case I-07] one that never answers fails the turn when it is required, and is told and passed over when not", async () => {
    const app = await openApp();
    const hangs = { on: { "input.receive": { do: "hang" } } };
    await app.plugin("slow", { intercepts: ["input.receive"], timeoutMillis: 200 }, hangs);
    const optional = await app.call(["run", "hi"]);
    expect([optional.code, optional.stdout]).toEqual([0, "You said: hi\n"]);
    expect(optional.stderr.match(/slow/g)).toHaveLength(1);
    await app.plugin("slow", { intercepts: ["input.receive"], timeoutMillis: 200, required: true }, hangs);
    const required = await app.call(["run", "hi"]);
    expect([required.code, required.stdout]).toEqual([1, ""]);
    for (const part of ["slow", "input.receive", "200 ms"]) expect(required.stderr).toContain(part);
  });

  test("[L2] one that never answers its handshake can be given up with Ctrl-C, and is gone", async () => {
    const app = await openApp();
    await app.plugin("mute", { intercepts: ["input.receive"], required: true }, { mute: true });
    const running = app.start(["run", "hi"], { input: "" });
    const asked = async (): Promise<boolean> =>
      (await app.frames("mute")).some(({ method }) => method === "extension/initialize");
    await until(asked, "the handshake");
    running.child.kill("SIGINT");
    const { code, stdout, stderr } = await running.ended;
    expect([code, stdout, stderr]).toEqual([130, "", "reasonix: interrupted before the extensions were started.\n"]);
  });

  test("[I6] a block ends the turn with its reason and exit code 1", async () => {
    const app = await openApp();
    const script = { on: { "input.receive": { do: "block", reason: "not \u001b[31mtoday\u0007" } } };
    await app.plugin("strict", { intercepts: ["input.receive"] }, script);
    const { code, stdout, stderr } = await app.run(["run", "hi"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("turn blocked by strict: ");
    expect(stderr).toContain("not today");
    isForPeople(stderr);
  });

  test("[I11] [case S-01] two owners of one slot stop the build, named with slot, versions and sources; --safe goes round", async () => {
    const app = await openApp();
    const roots = [await own(app, "first"), await own(app, "second")];
    const [run, safe] = await Promise.all([app.call(["run", "hi"]), app.call(["run", "--safe", "hi"])]);
    expect([run.code, run.stdout]).toEqual([1, ""]);
    for (const part of ["system_prompt", "first", "second", ...roots]) expect(run.stderr).toContain(part);
    expect([safe.code, safe.stdout]).toEqual([0, "You said: hi\n"]);
    expect((await app.call(["plugin", "disable", "second"])).code).toBe(0);
    expect((await app.call(["run", "hi"])).code).toBe(0);
  });
});

function own(app: App, name: string): Promise<string> {
  return app.plugin(name, { replaces: ["system_prompt"] });
}

test("[case N-12] a broken list of plugins starts nothing, keeps nobody out, and is not written over", async () => {
  const app = await openApp();
  const file = join(app.home, "plugin-packages.json");
  await writeFile(file, '{"version":1,"plugins":[');
  const [run, list, doctor] = await Promise.all([
    app.call(["run", "hi"]),
    app.call(["plugin", "list"]),
    app.call(["doctor"]),
  ]);
  expect([run.code, run.stdout]).toEqual([0, "You said: hi\n"]);
  expect(run.stderr).toContain(file);
  expect(list.stdout).toContain("problem: ");
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining("error:")]);
  expect(await app.homeText()).toContain('{"version":1,"plugins":[');
});
