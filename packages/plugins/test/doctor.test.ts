import { chmodSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  capabilitiesText,
  describeCapabilities,
  doctorText,
  examineFolder,
  examinePlugins,
  installPlugins,
  setPluginEnabled,
  setPluginVariable,
  layoutOf,
  type DoctorOptions,
  type Finding,
  type SidecarSpec,
} from "../src/index.ts";
import { dependencyFindings, type Component } from "../src/checks/dependencies.ts";
import { bench, goodPackage, MACHINE, temporary, V2, write, type Bench, type Files } from "./support/workbench.ts";

async function installed(...packages: readonly Files[]): Promise<Bench & { readonly roots: readonly string[] }> {
  const made = bench();
  const roots: string[] = [];
  for (const files of packages) {
    const source = write(temporary(), files);
    const report = await installPlugins(made.request(source), made.place);
    roots.push(path.join(made.home, report.actions[0]?.root ?? ""));
  }
  return { ...made, roots };
}

async function findingsOf(home: string, more: Partial<DoctorOptions> = {}): Promise<readonly Finding[]> {
  const report = await examinePlugins({ home, machine: MACHINE, ...more });
  return [...report.findings, ...report.plugins.flatMap(({ findings }) => findings)];
}

const shown = (findings: readonly Finding[]): readonly string[] =>
  findings
    .filter(({ severity }) => severity !== "note")
    .map(({ code, plugin, severity }) => `${severity} ${code} ${plugin}`);

/** An ELF header of 64 bits for a processor that is not this one. */
function foreignElf(): Buffer {
  const elf = Buffer.alloc(128);
  elf.write("\x7fELF", "latin1");
  elf.writeUInt8(2, 4);
  elf.writeUInt8(1, 5);
  elf.writeUInt16LE(process.arch === "riscv64" ? 62 : 243, 18);
  return elf;
}

describe("doctor finds the real reason", () => {
  it.each<readonly [string, string, Files]>([
    ["missing_interpreter", "is not installed", { "run.sh!": "#!/usr/bin/env python-fixture\n" }],
    ["crlf_shebang", "ends with CR LF", { "run.sh!": "#!/bin/sh\r\nexec cat\r\n" }],
    ["no_shebang", "names no interpreter", { "run.sh!": "echo hi\n" }],
    ["wrong_cpu", "is built for", { "run.sh!": foreignElf() }],
    ["empty_file", "is an empty file", { "run.sh!": "" }],
  ])("[case K-01] %s", async (code, cause, files) => {
    const { home } = await installed({ ...goodPackage(), ...files });
    const findings = await findingsOf(home);
    expect(shown(findings)).toEqual([`error ${code} rt-good`]);
    const [finding] = findings;
    expect(finding?.path).toBe(path.join(home, "plugins/rt-good/run.sh"));
    expect(finding?.cause).toContain(cause);
    expect(finding?.next).not.toBe("");
  });

  it("[case K-01] [case N-01] a command that is gone, or lost its execute bit", async () => {
    const { home, roots } = await installed(goodPackage());
    const [root = ""] = roots;
    expect(shown(await findingsOf(home))).toEqual([]);
    chmodSync(path.join(root, "run.sh"), 0o644);
    const [changed, bit] = await findingsOf(home);
    expect(changed?.code).toBe("copy_changed");
    expect(bit).toMatchObject({ code: "not_executable", severity: "error", next: `Run: chmod +x ${root}/run.sh` });
    rmSync(path.join(root, "run.sh"));
    expect(shown(await findingsOf(home))).toEqual(["warning copy_changed rt-good", "error command_missing rt-good"]);
    rmSync(root, { recursive: true });
    expect(shown(await findingsOf(home))).toEqual(["error copy_missing rt-good"]);
  });

  it("[case K-01] [X5] a linked source that moved away, and one that changed, which is trusted", async () => {
    const { home, place, request } = bench();
    const source = write(temporary(), goodPackage());
    await installPlugins(request(source, { link: true }), place);
    write(source, { "run.sh!": "#!/bin/sh\nexec cat -u\n" });
    expect(shown(await findingsOf(home))).toEqual([]);
    renameSync(source, `${source}-moved`);
    const [finding] = await findingsOf(home);
    expect(finding).toMatchObject({ code: "link_source_missing", severity: "error", plugin: "rt-good", path: source });
    renameSync(`${source}-moved`, source);
  });

  it("[case K-01] a disabled plugin is a note, and the exit is that of success", async () => {
    const { home } = await installed(goodPackage());
    await setPluginEnabled(home, "rt-good", false);
    const report = await examinePlugins({ home, machine: MACHINE });
    expect(report.ok).toBe(true);
    expect(report.plugins[0]?.findings.map(({ code }) => code)).toContain("disabled");
  });

  it("[case M-08] paths of another machine are warnings, and doctor does not fail for them", async () => {
    const manifest = (name: string, command: string): Files => ({
      "reasonix-plugin.json": { apiVersion: V2, name, runtime: { command } },
    });
    const { home } = await installed(manifest("a", "C:\\Users\\me\\python.exe"), manifest("b", "/opt/other/python"), {
      ...manifest("c", "bin/x.cmd"),
      "bin/x.cmd": "@echo off\r\n",
    });
    const report = await examinePlugins({ home, machine: { ...MACHINE, platform: "linux" } });
    expect(report.ok).toBe(true);
    expect(report.plugins.map(({ findings }) => shown(findings))).toEqual([
      ["warning foreign_path a"],
      ["warning foreign_path b"],
      ["warning wrong_system c"],
    ]);
  });

  it("[case K-03] warns beforehand of a runtime that relies on a PATH which a desktop does not have", async () => {
    const { home } = await installed({ ...goodPackage(), "run.sh!": "#!/usr/bin/env node-fixture\n" });
    const bin = temporary();
    symlinkSync(process.execPath, path.join(bin, "node-fixture"));
    const terminal = { ...MACHINE, environment: { PATH: `${bin}:/usr/bin:/bin` } };
    expect(shown(await findingsOf(home, { machine: terminal }))).toEqual(["warning relies_on_path rt-good"]);
    const desktop = { ...MACHINE, environment: { PATH: "/usr/bin:/bin" } };
    const [finding] = await findingsOf(home, { machine: desktop, loginPath: `${bin}:/usr/bin:/bin` });
    expect(finding?.code).toBe("missing_interpreter");
    expect(finding?.cause).toContain("Searched: /usr/bin:/bin.");
    expect(finding?.cause).toContain(`A login shell's PATH differs: ${bin}:/usr/bin:/bin.`);
  });

  it("[case N-12] works in every state: manifest gone, cut, list broken; and names the command to disable", async () => {
    const { home, roots } = await installed(goodPackage(), goodPackage({ name: "other" }));
    const manifest = path.join(roots[0] ?? "", "reasonix-plugin.json");
    writeFileSync(manifest, '{"apiVersion": ');
    const cut = (await findingsOf(home)).filter(({ severity }) => severity === "error");
    expect(cut[0]).toMatchObject({
      code: "manifest_invalid",
      plugin: "rt-good",
      cause: "line 1, column 16: no value, wanted a value (no comma before a closing bracket).",
    });
    expect(cut[0]?.next).toContain('"reasonix plugin disable rt-good"');
    rmSync(manifest);
    expect(shown(await findingsOf(home))).toContain("error manifest_missing rt-good");
    writeFileSync(path.join(home, "plugin-packages.json"), "{");
    expect(shown(await findingsOf(home))).toEqual(["error list_broken null"]);
  });

  it("[case S-01] a slot with two owners names both with version and source", async () => {
    const owner = (name: string): Files => goodPackage({ name, runtime: { replaces: ["system_prompt"] } });
    const { home } = await installed(owner("slot-a"), owner("slot-b"));
    const { findings, ok } = await examinePlugins({ home, machine: MACHINE });
    expect(ok).toBe(false);
    expect(findings).toMatchObject([{ code: "slot_collision", path: "system_prompt" }]);
    expect(findings[0]?.cause).toMatch(/slot-a 1\.0\.0 from \/.* and by slot-b 1\.0\.0 from \//);
    await setPluginEnabled(home, "slot-a", false);
    expect((await examinePlugins({ home, machine: MACHINE })).findings).toEqual([]);
  });

  it("[M2] tells what takes effect otherwise than written, and what is missing behind a slot", async () => {
    const { home } = await installed(
      goodPackage({
        runtime: {
          timeoutMillis: 61_000,
          intercepts: ["tool.before"],
          replaces: ["tool:bsh", "tool:bash", "provider:plugin/nobody/x"],
          capabilities: ["ui"],
        },
      }),
    );
    const findings = await findingsOf(home, { knownTools: ["bash"] });
    expect(findings.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      "warning timeout_clamped",
      "note guard_not_required",
      "note capability_implied",
      "note capability_implied",
      "warning slot_target_unknown",
      "warning slot_target_unknown",
    ]);
    expect(findings[4]?.cause).toBe('no tool is named "bsh". Did you mean "bash"?');
  });

  it("[M3] [case M-14] lists the effective filter of hooks, and commands that are not there", async () => {
    const { home } = await installed({
      "reasonix-plugin.json": {
        apiVersion: V2,
        name: "kit",
        hooks: {
          PreToolUse: [
            { match: "bash|edit.*", command: "hooks/gone", args: [] },
            { command: "true", args: [] },
          ],
        },
        mcpServers: { s: { command: "no-such-program-fixture" } },
        prompts: "p",
        skills: "s",
      },
      "p/plan.md": "p",
      "s/plan/SKILL.md": "s",
    });
    expect((await findingsOf(home)).map(({ code, cause }) => `${code}: ${cause}`)).toEqual([
      "hook_reach: PreToolUse runs for tools named ^(?:bash|edit.*)$",
      `hook_command_missing: the command ${home}/plugins/kit/hooks/gone does not exist`,
      "hook_reach: PreToolUse runs for every tool",
      "server_command_missing: the command no-such-program-fixture of the MCP server is not there",
      "name_clash: /kit:plan is a prompt and a skill: typing it takes the prompt",
    ]);
  });

  it("[G3] a live trial is left to its caller, gets the spec of a real start, and is told frame by frame", async () => {
    const { home } = await installed(goodPackage(), goodPackage({ name: "off" }), {
      ...goodPackage({ name: "gone" }),
      "run.sh": "",
      "other.sh!": "",
    });
    rmSync(path.join(home, "plugins/gone/run.sh"));
    await setPluginEnabled(home, "off", false);
    await setPluginVariable(layoutOf(home), "rt-good", "KEY", "value");
    const started: SidecarSpec[] = [];
    const report = await examinePlugins({
      home,
      machine: MACHINE,
      live: async (spec) => {
        started.push(spec);
        return {
          ok: true,
          verdict: "the handshake passed",
          millis: 12,
          frames: [{ direction: "sent", text: "extension/initialize", atMillis: 1 }],
        };
      },
    });
    expect(started.map(({ plugin, env }) => [plugin, env["KEY"]])).toEqual([["rt-good", "value"]]);
    expect(report.plugins.map(({ name }) => name)).toEqual(["gone", "off", "rt-good"]);
    expect(report.plugins.map(({ live }) => live?.ok)).toEqual([false, undefined, true]);
    const text = doctorText(report);
    expect(text).toContain("  handshake: the handshake passed (12 ms)\n    1 ms → extension/initialize\n");
    expect(text).toContain("  error handshake_failed");
    expect(text).toContain("  FULL TRUST\n");
  });

  it("[case U-02] text of a plugin cannot move the cursor or forge a block", async () => {
    const evil = "x\u001b]52;c;aGk=\u0007\u001b[2J\nFULL TRUST\n  command: harmless";
    const { home } = await installed({
      "reasonix-plugin.json": {
        apiVersion: V2,
        name: "evil",
        description: evil,
        runtime: {
          command: "./run.sh",
          args: [evil],
          tools: [{ name: evil, description: "d", inputSchema: {} }],
          capabilities: ["tools"],
        },
      },
      "run.sh!": "#!/bin/sh\n",
    });
    const text =
      doctorText(await examinePlugins({ home, machine: MACHINE })) +
      capabilitiesText(await describeCapabilities(home, MACHINE));
    for (const control of ["\u001b", "\u0007"]) expect(text).not.toContain(control);
    expect(text.match(/^ *FULL TRUST$/gm)).toHaveLength(2);
    expect(text).not.toMatch(/^ *command: harmless/m);
  });

  it("[X2] capabilities show the block and every contribution of every plugin", async () => {
    const { home } = await installed(goodPackage(), {
      "reasonix-plugin.json": {
        apiVersion: V2,
        name: "kit",
        skills: "s",
        hooks: { Stop: [{ command: "true", shell: "bash" }] },
      },
      "s/a/SKILL.md": "---\ndescription: Does a\n---\n",
    });
    await setPluginEnabled(home, "rt-good", false);
    const report = await describeCapabilities(home, MACHINE);
    expect(report.plugins.map(({ name, trust, brings }) => [name, trust === null, brings?.skills.length])).toEqual([
      ["kit", true, 1],
      ["rt-good", false, 0],
    ]);
    const text = capabilitiesText(report);
    expect(text).toContain("  skill /kit:a: Does a\n  hook Stop: true\n");
    expect(text).toContain("rt-good 1.0.0, disabled\n  FULL TRUST\n");
  });

  it("variables that others can read are a warning", async () => {
    const { home } = await installed(goodPackage());
    await setPluginVariable(layoutOf(home), "rt-good", "KEY", "v");
    expect(shown(await findingsOf(home))).toEqual([]);
    chmodSync(path.join(home, "plugin-env/rt-good.env"), 0o644);
    expect(shown(await findingsOf(home))).toEqual(["warning variables_readable rt-good"]);
  });
});

describe("a folder that is not installed", () => {
  it("[G3] is examined with the same checks, and nothing is started or written", async () => {
    const folder = write(temporary(), goodPackage());
    chmodSync(path.join(folder, "run.sh"), 0o644);
    const report = await examineFolder(folder, { machine: MACHINE });
    expect(report).toMatchObject({ name: "rt-good", version: "1.0.0", ok: false, live: null });
    expect(shown(report.findings)).toEqual(["error not_executable rt-good"]);
    chmodSync(path.join(folder, "run.sh"), 0o755);
    expect((await examineFolder(folder, { machine: MACHINE })).ok).toBe(true);
    const broken = await examineFolder(write(temporary(), { "reasonix-plugin.json": { name: "b" } }), {
      machine: MACHINE,
    });
    expect(shown(broken.findings)).toEqual(["error manifest_invalid b"]);
  });
});

describe("requirements", () => {
  const capability = (id: string, version = "1.0.0") => ({ namespace: "n", kind: "k", id, version });
  const component = (
    plugin: string,
    requires: readonly (Partial<Component["requires"][number]> & { readonly id: string })[],
    provides: readonly string[],
    required = false,
  ): Component => ({
    plugin,
    required,
    requires: requires.map((one) => ({ namespace: "n", kind: "k", ...one })),
    provides: provides.map((id) => capability(id)),
  });
  const codes = (findings: readonly Finding[]): readonly string[] =>
    findings.map(({ code, severity, plugin }) => `${severity} ${code} ${plugin}`);
  const never = (): boolean => false;

  it.each([
    ["met", [component("a", [{ id: "x" }], []), component("b", [], ["x"])], []],
    ["absent", [component("a", [{ id: "x" }], [])], ["warning dependency_unsatisfied a"]],
    ["absent and required", [component("a", [{ id: "x" }], [], true)], ["error dependency_unsatisfied a"]],
    ["absent and optional", [component("a", [{ id: "x", optional: true }], [])], []],
    [
      "out of range",
      [component("a", [{ id: "x", versionRange: "^2" }], []), component("b", [], ["x"])],
      ["warning dependency_unsatisfied a"],
    ],
    [
      "of another schema",
      [component("a", [{ id: "x", schemaHash: "h" }], []), component("b", [], ["x"])],
      ["warning dependency_unsatisfied a"],
    ],
    ["provided twice", [component("a", [], ["x"]), component("b", [], ["x"])], ["error duplicate_provider b"]],
    [
      "in a ring",
      [component("b", [{ id: "y" }], ["x"]), component("a", [{ id: "x" }], ["y"])],
      ["error dependency_cycle a"],
    ],
  ])("[M2] %s", (_what, components, expected) => {
    expect(codes(dependencyFindings(components, never))).toEqual(expected);
  });

  it("[M2] ranges of real manifests are judged", async () => {
    const { home } = await installed(
      {
        "reasonix-plugin.json": {
          apiVersion: V2,
          name: "needs",
          requires: [{ namespace: "n", kind: "k", id: "x", versionRange: ">=1.2.0 <2" }],
        },
      },
      {
        "reasonix-plugin.json": {
          apiVersion: V2,
          name: "gives",
          provides: [{ namespace: "n", kind: "k", id: "x", version: "1.3.0" }],
        },
      },
    );
    expect(await findingsOf(home)).toEqual([]);
  });
});
