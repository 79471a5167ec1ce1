import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { installedRuntimes, installPlugins, setPluginEnabled } from "../src/index.ts";
import { bench, goodPackage, MACHINE, readJson, temporary, V2, write } from "./support/workbench.ts";

describe("from the disk to a spec", () => {
  it("[X1] [case M-13] describes the runtime of an enabled plugin, with the root expanded in command, args and env", async () => {
    const { home, place, request } = bench();
    const source = write(temporary(), {
      "reasonix-plugin.json": {
        apiVersion: V2,
        name: "py",
        version: "0.3.0",
        provides: [{ namespace: "plugin/py", kind: "interceptors", id: "default" }],
        runtime: {
          command: "${REASONIX_PLUGIN_ROOT}/sidecar.py",
          args: ["--root=${REASONIX_PLUGIN_ROOT}", "${OTHER}"],
          env: { DATA: "${REASONIX_PLUGIN_ROOT}/data", HOME: "$HOME" },
          required: true,
          priority: -10,
          timeoutMillis: 61_000,
          intercepts: ["tool.before", "tool.before"],
          replaces: ["tool:bash"],
          capabilities: ["providers", "tools"],
          tools: [{ name: "count", description: "d", inputSchema: { type: "object" } }],
        },
      },
      "sidecar.py!": "#!/usr/bin/env python3\n",
    });
    await installPlugins(request(source), place);
    const root = path.join(home, "plugins/py");
    expect(await installedRuntimes(home, MACHINE)).toEqual({
      specs: [
        {
          plugin: "py",
          version: "0.3.0",
          source,
          root,
          command: `${root}/sidecar.py`,
          args: [`--root=${root}`, "${OTHER}"],
          env: {
            DATA: `${root}/data`,
            HOME: "$HOME",
            REASONIX_PLUGIN_ROOT: root,
            REASONIX_PLUGIN_NAME: "py",
            REASONIX_PLUGIN_VERSION: "0.3.0",
          },
          required: true,
          priority: -10,
          timeoutMillis: 60_000,
          intercepts: ["tool.before"],
          replaces: ["tool:bash"],
          capabilities: ["interceptors", "strategies", "providers", "tools"],
          tools: [{ name: "count", description: "d", inputSchema: { type: "object" }, readOnly: false }],
          requires: [],
          provides: [{ namespace: "plugin/py", kind: "interceptors", id: "default" }],
        },
      ],
      broken: [],
      problems: [],
    });
    await setPluginEnabled(home, "py", false);
    expect(await installedRuntimes(home, MACHINE)).toEqual({ specs: [], broken: [], problems: [] });
  });

  it.each([
    ["sidecar.mjs!", "#!/usr/bin/env node\n", "linux", false],
    ["sidecar.mjs", "#!/usr/bin/env node\n", "linux", true],
    ["sidecar.cjs!", "module.exports = 1;\n", "linux", true],
    ["sidecar.js!", "#!/usr/bin/env node\n", "win32", true],
  ])(
    "[X1] [case M-13] %s on a machine of kind %3$s: run with the host's own Node is %4$s",
    async (file, text, platform, withNode) => {
      const { home, place, request } = bench();
      const name = file.replace("!", "");
      const manifest = { apiVersion: V2, name: "js", runtime: { command: `./${name}`, args: ["1"] } };
      await installPlugins(request(write(temporary(), { "reasonix-plugin.json": manifest, [file]: text })), place);
      const { specs } = await installedRuntimes(home, { platform, node: "/opt/node" });
      const script = path.join(home, "plugins/js", name);
      const [spec] = specs;
      expect([spec?.command, ...(spec?.args ?? [])]).toEqual(withNode ? ["/opt/node", script, "1"] : [script, "1"]);
    },
  );

  it("[X1] [case M-08] a command of another machine is installed, described as broken, and not required", async () => {
    const { home, place, request } = bench();
    const commands = ["C:\\\\Users\\\\me\\\\python.exe", "bin/x.cmd", "/opt/of/another/machine"];
    for (const [index, command] of commands.entries()) {
      const manifest = `{"apiVersion": "${V2}", "name": "p${index}", "runtime": {"command": "${command}"}}`;
      await installPlugins(request(write(temporary(), { "reasonix-plugin.json": manifest })), place);
    }
    const { specs, broken } = await installedRuntimes(home, { platform: "linux", node: "/opt/node" });
    expect(specs).toEqual([]);
    expect(broken.map(({ required, problem }) => [required, problem])).toEqual([
      [false, "the command C:\\Users\\me\\python.exe is a path of Windows, and this machine runs linux"],
      [false, `the command ${home}/plugins/p1/bin/x.cmd is a script of Windows and cannot run here`],
      [false, "the command /opt/of/another/machine does not exist"],
    ]);
  });

  it("[X1] [case N-12] a required guard stays required and keeps its slots when its manifest is cut or gone", async () => {
    const { home, place, request } = bench();
    const guard = goodPackage({ name: "guard", runtime: { required: true, replaces: ["permission"] } });
    await installPlugins(request(write(temporary(), guard)), place);
    await installPlugins(request(write(temporary(), goodPackage())), place);
    const manifest = path.join(home, "plugins/guard/reasonix-plugin.json");
    writeFileSync(manifest, '{"apiVersion": "reaso');
    const cut = await installedRuntimes(home, MACHINE);
    expect(cut.broken).toMatchObject([{ plugin: "guard", version: "1.0.0", required: true, replaces: ["permission"] }]);
    expect(cut.specs.map(({ plugin }) => plugin)).toEqual(["rt-good"]);
    rmSync(manifest);
    expect((await installedRuntimes(home, MACHINE)).broken).toMatchObject([{ plugin: "guard", required: true }]);
    rmSync(path.dirname(manifest), { recursive: true });
    expect((await installedRuntimes(home, MACHINE)).broken).toMatchObject([{ plugin: "guard", required: true }]);
  });

  it("[X1] [case N-12] a broken list starts nothing and says so", async () => {
    const { home, place, request } = bench();
    await installPlugins(request(write(temporary(), goodPackage())), place);
    writeFileSync(path.join(home, "plugin-packages.json"), '{"version": 1, "plugins": [');
    const runtimes = await installedRuntimes(home, MACHINE);
    expect(runtimes).toMatchObject({ specs: [], broken: [] });
    expect(runtimes.problems).toHaveLength(1);
    expect(runtimes.problems[0]).toContain("plugin-packages.json is not valid JSON");
  });

  it("[X1] [case X-05] files of a workspace add nothing: only the user's own list counts", async () => {
    const { home, cwd } = bench();
    write(cwd, {
      ...goodPackage(),
      ".reasonix/plugins/x/reasonix-plugin.json": { apiVersion: V2, name: "x", runtime: { command: "./run.sh" } },
      ".reasonix/plugins/x/run.sh!": "#!/bin/sh\n",
      "reasonix.toml": '[runtime]\ncommand = "./run.sh"\n',
      "plugin-packages.json": {
        version: 1,
        plugins: [{ name: "x", source: cwd, root: cwd, manifestKind: "reasonix", enabled: true }],
      },
    });
    expect(await installedRuntimes(home, MACHINE)).toEqual({ specs: [], broken: [], problems: [] });
    write(home, { "plugin-packages.json": { version: 1, plugins: [] } });
    expect(await installedRuntimes(home, MACHINE)).toEqual({ specs: [], broken: [], problems: [] });
  });

  it("[X1] [case X-05] a home behind a link is the user's home, and a root that leaves it is no row", async () => {
    const { home, place, request } = bench();
    const outside = write(temporary(), goodPackage());
    const linkedHome = path.join(temporary(), "home");
    mkdirSync(home, { recursive: true });
    symlinkSync(home, linkedHome);
    await installPlugins(request(outside), { ...place, home: linkedHome });
    expect((await installedRuntimes(linkedHome, MACHINE)).specs).toHaveLength(1);
    write(home, {
      "plugin-packages.json": {
        version: 1,
        plugins: [{ name: "x", source: "", root: "../outside", manifestKind: "reasonix", enabled: true }],
      },
    });
    const { specs, problems } = await installedRuntimes(home, MACHINE);
    expect(specs).toEqual([]);
    expect(problems).toEqual([`${home}/plugin-packages.json: entry 1: the root of x leads out of the home`]);
    expect(readJson(path.join(home, "plugin-packages.json"))).toMatchObject({ plugins: [{ name: "x" }] });
  });

  it("[X1] a command that is a link out of the package is not started", async () => {
    const { home, place, request } = bench();
    const source = write(temporary(), {
      "reasonix-plugin.json": { apiVersion: V2, name: "l", runtime: { command: "./run.sh" } },
    });
    symlinkSync("/bin/sh", path.join(source, "run.sh"));
    await expect(installPlugins(request(source), place)).rejects.toThrow("is a link to /bin/sh, outside");
    await installPlugins(request(source, { link: true }), place);
    const { broken } = await installedRuntimes(home, MACHINE);
    expect(broken.map(({ problem }) => problem)).toEqual([
      `the command ${source}/run.sh is a link that leads out of ${source}`,
    ]);
  });
});
