import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  doctorText,
  examinePlugins,
  installedRuntimes,
  installPlugins,
  installText,
  layoutOf,
  removePlugin,
  removeText,
  setPluginEnabled,
  setPluginVariable,
  toggleText,
} from "../src/index.ts";
import { bench, checksum, goodPackage, MACHINE, temporary, write } from "./support/workbench.ts";

describe("removing a plugin", () => {
  it("[M1] [X1] takes its variables with it, and names them without their values", async () => {
    const { home, place, request } = bench();
    const folder = write(temporary(), goodPackage());
    await installPlugins(request(folder), place);
    await setPluginVariable(layoutOf(home), "rt-good", "KEY", "sk-fixture");
    await setPluginVariable(layoutOf(home), "rt-good", "MODE", "a");

    const before = checksum(home);
    const preview = removeText(await removePlugin(home, "rt-good", { dryRun: true }));
    expect(preview).toBe("would remove rt-good: its copy goes\nits variables go too: KEY, MODE (plugin-env)\n");
    expect(checksum(home)).toBe(before);

    const done = removeText(await removePlugin(home, "rt-good"));
    expect(done).toBe("removed rt-good: its copy is gone\nits variables are gone too: KEY, MODE (plugin-env)\n");
    expect(existsSync(path.join(home, "plugin-env/rt-good.env"))).toBe(false);
    await installPlugins(request(folder), place);
    const { specs } = await installedRuntimes(home, MACHINE);
    expect(specs.map(({ env }) => [env["KEY"], env["MODE"]])).toEqual([[undefined, undefined]]);
  });

  it("[M4] [X2] variables that were left over are named before another plugin of that name gets them", async () => {
    const { home, place, request } = bench();
    await setPluginVariable(layoutOf(home), "rt-good", "KEY", "sk-fixture");
    const first = write(temporary(), goodPackage());
    const preview = installText(await installPlugins(request(first, { consent: "preview" }), place));
    expect(preview).toContain("  warning:      it gets KEY, set for what had this name before\n");
    expect(preview).toContain("\n  gets:         KEY (plugin-env)\n");
    expect(preview).not.toContain("sk-fixture");
    await installPlugins(request(first), place);

    const other = write(temporary(), goodPackage({ version: "6.6.6" }));
    const replaced = installText(await installPlugins(request(other, { replace: true }), place));
    expect(replaced).toContain("  warning:      it gets KEY, set for what had this name before\n");

    write(other, goodPackage({ version: "6.6.7" }));
    const same = installText(await installPlugins(request(other, { replace: true }), place));
    expect(same).toContain("\n  gets:         KEY (plugin-env)\n");
    expect(same).not.toContain("warning:");
  });
});

describe("looking at a switch first", () => {
  it("[M1] tells what enable and disable would do, and changes nothing", async () => {
    const { home, place, request } = bench();
    await installPlugins(request(write(temporary(), goodPackage())), place);
    const before = checksum(home);
    const told = async (enabled: boolean): Promise<string> =>
      toggleText(await setPluginEnabled(home, "rt-good", enabled, { dryRun: true }));
    expect(await told(false)).toBe("would disable rt-good\n");
    expect(await told(true)).toBe("rt-good is enabled already\n");
    await expect(setPluginEnabled(home, "gone", true, { dryRun: true })).rejects.toThrow('"gone" is not installed.');
    await expect(removePlugin(home, "gone", { dryRun: true })).rejects.toThrow('"gone" is not installed.');
    expect(checksum(home)).toBe(before);
  });
});

describe("doctor's last line", () => {
  it("[M1] counts in words that fit", async () => {
    const { home, place, request } = bench();
    await installPlugins(request(write(temporary(), goodPackage())), place);
    const report = doctorText(await examinePlugins({ home, machine: MACHINE }));
    expect(report.trimEnd().split("\n").at(-1)).toBe("1 plugin examined: 0 errors, 0 warnings, 1 note");
  });
});

describe("a preview", () => {
  it("[M1] says where it would go and that its command is missing", async () => {
    const { home, place, request } = bench();
    const folder = write(temporary(), goodPackage({ runtime: { command: "./gone.sh" } }));
    const preview = installText(await installPlugins(request(folder, { consent: "preview" }), place));
    expect(preview).toContain(`  to:           ${path.join(home, "plugins/rt-good")}\n`);
    expect(preview).toContain("  warning:      it cannot start as it is: ");
    expect(preview).toContain("gone.sh");
  });
});
