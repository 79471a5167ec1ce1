import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  installedRuntimes,
  installPlugins,
  installText,
  listPlugins,
  listText,
  removePlugin,
  setPluginEnabled,
  showPlugin,
  showText,
} from "../src/index.ts";
import { bench, checksum, goodPackage, MACHINE, readJson, temporary, write } from "./support/workbench.ts";

describe("installing a local folder", () => {
  it("[M1] [case N-09] previews without changing a byte, then installs, then finds the same content installed", async () => {
    const { home, place, request } = bench();
    const source = write(temporary(), goodPackage());
    const before = checksum(path.dirname(home));

    const preview = await installPlugins(request(source, { consent: "preview" }), place);
    expect(checksum(path.dirname(home))).toBe(before);
    expect(preview).toMatchObject({ applied: false, actions: [{ verdict: "install", root: "plugins/rt-good" }] });

    const first = await installPlugins(request(source), place);
    expect(first).toMatchObject({ applied: true, actions: [{ verdict: "install" }] });
    const installed = checksum(home);

    const second = await installPlugins(request(source), place);
    expect(second).toMatchObject({ applied: false, actions: [{ verdict: "unchanged" }] });
    expect(checksum(home)).toBe(installed);

    const third = await installPlugins(request(source, { replace: true }), place);
    expect(third).toMatchObject({ applied: false, actions: [{ verdict: "unchanged" }] });
    expect(installText(third)).toBe("unchanged rt-good 1.0.0: this very content is installed already\n\n");
  });

  it("[M6] keeps the schema of plugin-packages.json, sorted, with keys of others", async () => {
    const { home, place, request } = bench();
    write(home, {
      "plugin-packages.json": {
        version: 1,
        later: true,
        plugins: [
          {
            name: "zeta",
            source: "/z",
            root: "/z",
            version: "1.0.0",
            manifestKind: "reasonix",
            enabled: false,
            tint: "red",
          },
        ],
      },
    });
    const source = write(temporary(), goodPackage());
    await installPlugins(request(source), place);
    expect(readJson(path.join(home, "plugin-packages.json"))).toEqual({
      version: 1,
      plugins: [
        {
          name: "rt-good",
          source,
          root: "plugins/rt-good",
          version: "1.0.0",
          description: "A runtime that starts.",
          manifestKind: "reasonix",
          enabled: true,
        },
        {
          name: "zeta",
          source: "/z",
          root: "/z",
          version: "1.0.0",
          manifestKind: "reasonix",
          enabled: false,
          tint: "red",
        },
      ],
      later: true,
    });
  });

  it("[M1] [case N-01] keeps mode bits and adds no write bit for others", async () => {
    const { home, place, request } = bench();
    const source = write(temporary(), goodPackage());
    const old = process.umask(0o077);
    try {
      await installPlugins(request(source), place);
    } finally {
      process.umask(old);
    }
    const mode = statSync(path.join(home, "plugins/rt-good/run.sh")).mode & 0o777;
    expect(mode.toString(8)).toBe("755");
    const { specs, broken } = await installedRuntimes(home, MACHINE);
    expect(broken).toEqual([]);
    expect(specs.map(({ command }) => command)).toEqual([path.join(home, "plugins/rt-good/run.sh")]);
  });

  it("[M1] [X5] links a folder, trusts what it becomes, and leaves it in place on removal", async () => {
    const { home, place, request } = bench();
    const source = write(temporary(), goodPackage());
    await installPlugins(request(source, { link: true }), place);
    expect((await listPlugins(home)).plugins).toMatchObject([
      { name: "rt-good", mode: "link", root: source, sha256: null },
    ]);
    write(source, { "run.sh!": "#!/bin/sh\nexec cat -u\n" });
    expect((await showPlugin(home, "rt-good", MACHINE)).content).toBe("linked");
    expect((await removePlugin(home, "rt-good")).filesRemoved).toBe(false);
    expect(existsSync(path.join(source, "run.sh"))).toBe(true);
    expect((await listPlugins(home)).plugins).toEqual([]);
  });

  it("[X5] show reports a copied tree that changed", async () => {
    const { home, place, request } = bench();
    await installPlugins(request(write(temporary(), goodPackage())), place);
    expect((await showPlugin(home, "rt-good", MACHINE)).content).toBe("intact");
    write(path.join(home, "plugins/rt-good"), { "run.sh!": "#!/bin/sh\nexec false\n" });
    const shown = await showPlugin(home, "rt-good", MACHINE);
    expect(shown.content).toBe("changed");
    expect(showText(shown)).toContain("content:      CHANGED since it was installed: somebody edited the copy\n");
    expect((await installedRuntimes(home, MACHINE)).specs).toHaveLength(1);
  });

  it("[M1] refuses another source under an installed name until --replace, and keeps the switch", async () => {
    const { home, place, request } = bench();
    const first = write(temporary(), goodPackage());
    const second = write(temporary(), goodPackage({ version: "2.0.0" }));
    await installPlugins(request(first), place);
    await setPluginEnabled(home, "rt-good", false);
    const refused = await installPlugins(request(second), place);
    expect(refused).toMatchObject({ applied: false, actions: [{ verdict: "refused" }] });
    expect(installText(refused)).toContain(
      `rt-good is installed from ${first}: give --replace to put this in its place`,
    );
    const replaced = await installPlugins(request(second, { replace: true }), place);
    expect(replaced).toMatchObject({ applied: true, actions: [{ verdict: "replace", changes: [] }] });
    expect((await listPlugins(home)).plugins).toMatchObject([{ version: "2.0.0", enabled: false, source: second }]);
  });

  it("[M1] takes another name with --name, and refuses one that differs in case alone", async () => {
    const { home, place, request } = bench();
    const source = write(temporary(), goodPackage());
    await installPlugins(request(source, { name: "mine" }), place);
    await installPlugins(request(source), place);
    expect((await listPlugins(home)).plugins.map(({ name }) => name)).toEqual(["mine", "rt-good"]);
    const clash = await installPlugins(request(source, { name: "MINE", replace: true }), place);
    expect(clash.actions).toMatchObject([{ verdict: "refused" }]);
  });

  it("[M1] removes row, copy and digest, and names what is installed when the name is wrong", async () => {
    const { home, place, request } = bench();
    await installPlugins(request(write(temporary(), goodPackage())), place);
    await expect(removePlugin(home, "rt-goood")).rejects.toThrow(
      '"rt-goood" is not installed. Did you mean "rt-good"? Installed: rt-good.',
    );
    await removePlugin(home, "rt-good");
    expect(existsSync(path.join(home, "plugins/rt-good"))).toBe(false);
    expect(readJson(path.join(home, "plugin-digests.json"))).toEqual({ version: 1, plugins: {} });
    expect(listText(await listPlugins(home))).toBe("No plugin is installed.\n");
  });

  it("[M4] [X2] shows the same FULL TRUST block in preview and show", async () => {
    const { home, place, request } = bench();
    const source = write(
      temporary(),
      goodPackage({ runtime: { required: true, env: { TOKEN: "sk-fixture-not-shown" } } }),
    );
    const preview = installText(await installPlugins(request(source, { consent: "preview" }), place));
    const block = preview.slice(preview.indexOf("FULL TRUST"), preview.indexOf("\n\n", preview.indexOf("FULL TRUST")));
    expect(block).toContain('  command:      "./run.sh"\n');
    expect(block).toContain(`  resolved:     "${home}/plugins/rt-good/run.sh"\n`);
    expect(block).toContain('  env:          "TOKEN"\n');
    expect(block).toContain("  intercepts:   input.receive\n");
    expect(preview).not.toContain("sk-fixture-not-shown");
    await installPlugins(request(source), place);
    expect(showText(await showPlugin(home, "rt-good", MACHINE))).toContain(block);
    expect(readFileSync(path.join(home, "plugin-packages.json"), "utf8")).not.toContain("sk-fixture");
  });
});
