import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  formatEnvironment,
  installedRuntimes,
  installPlugins,
  layoutOf,
  parseEnvironment,
  pluginEnvironmentNames,
  setPluginVariable,
  showPlugin,
  showText,
} from "../src/index.ts";
import { bench, goodPackage, MACHINE, temporary, write } from "./support/workbench.ts";

describe("variables of one plugin", () => {
  it("[M1] are set in a file of the owner alone, reach that plugin's spec, and are shown by name only", async () => {
    const { home, place, request } = bench();
    await installPlugins(
      request(write(temporary(), goodPackage({ runtime: { env: { MODE: "a", KEY: "manifest" } } }))),
      place,
    );
    await installPlugins(request(write(temporary(), goodPackage({ name: "other" }))), place);
    const layout = layoutOf(home);
    const old = process.umask(0);
    try {
      await setPluginVariable(layout, "rt-good", "KEY", "sk-fixture \"quoted\" \\ 'x'");
    } finally {
      process.umask(old);
    }
    const file = path.join(home, "plugin-env/rt-good.env");
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    const { specs } = await installedRuntimes(home, MACHINE);
    expect(specs.map(({ plugin, env }) => [plugin, env["MODE"], env["KEY"]])).toEqual([
      ["other", undefined, undefined],
      ["rt-good", "a", "sk-fixture \"quoted\" \\ 'x'"],
    ]);
    const shown = showText(await showPlugin(home, "rt-good", MACHINE));
    expect(shown).toContain("\ngets:         KEY (plugin-env)\n");
    expect(shown).toContain("\n  gets:         KEY (plugin-env)\n");
    expect(shown).not.toContain("sk-fixture");
    await setPluginVariable(layout, "rt-good", "KEY", null);
    expect(existsSync(file)).toBe(false);
    expect(await pluginEnvironmentNames(layout, "rt-good")).toEqual([]);
  });

  it.each([
    ["1KEY", "v", "is no variable name"],
    ["A=B", "v", "is no variable name"],
    ["KEY", "a\nb", "holds a line end"],
  ])("[M1] refuses %j = %j", async (name, value, message) => {
    const { home } = bench();
    const failure = setPluginVariable(layoutOf(home), "p", name, value);
    await expect(failure).rejects.toThrow(message);
  });

  it("[M1] the name of the plugin cannot lead out of the folder", async () => {
    const { home } = bench();
    await expect(setPluginVariable(layoutOf(home), "../x", "KEY", "v")).rejects.toThrow('"../x" is no plugin name.');
  });

  it.each([
    [
      'A=1\n\n# no\nexport B=\'two words\'\nC="q \\" \\\\"\r\nD=a#b\nE=\n',
      { A: "1", B: "two words", C: 'q " \\', D: "a#b", E: "" },
      [],
    ],
    ["nonsense sk-fixture\nA=1", { A: "1" }, ["line 1 is not KEY=value"]],
  ])("[M1] reads %j", (text, variables, problems) => {
    expect(parseEnvironment(text)).toEqual({ variables, problems });
  });

  it("[M1] reads back what it writes", () => {
    const variables = { A: "plain", B: "two words", C: "\"'\\", D: "$x `y`", E: "" };
    expect(parseEnvironment(formatEnvironment(variables)).variables).toEqual(variables);
  });
});
