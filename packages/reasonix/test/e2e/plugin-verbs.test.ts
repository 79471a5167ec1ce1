import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PLUGIN_VERBS } from "../../src/commands/plugin-verbs.ts";
import { openApp } from "../support/app.ts";

/** Options of some verb, with a value where one is wanted. */
const OPTIONS = ["--dry-run", "--yes", "--link", "--replace", "--name=x", "--live"];

const FORMS: { readonly [verb: string]: string } = {
  install: "reasonix plugin install <source>\n",
  update: "reasonix plugin update [<name> …]\n",
  list: "reasonix plugin list\n",
  show: "reasonix plugin show <name>\n",
  doctor: "reasonix plugin doctor [<name> …]\n",
  enable: "reasonix plugin enable <name>\n",
  disable: "reasonix plugin disable <name>\n",
  remove: "reasonix plugin remove <name>\n",
  env: "reasonix plugin env <name> [list]\nreasonix plugin env <name> set KEY\nreasonix plugin env <name> unset KEY\n",
  "upgrade-manifest": "reasonix plugin upgrade-manifest <folder>\n",
};

const KNOWN: { readonly [verb: string]: readonly string[] } = {
  install: ["--dry-run", "--yes", "--link", "--replace", "--name=x"],
  update: ["--dry-run", "--yes"],
  list: [],
  show: [],
  doctor: ["--live"],
  enable: ["--dry-run"],
  disable: ["--dry-run"],
  remove: ["--dry-run"],
  env: [],
  "upgrade-manifest": [],
};

describe("the verbs of plugin", () => {
  test("[M1] every verb has its forms and its options", () => {
    expect(PLUGIN_VERBS.map(({ name }) => name)).toEqual(Object.keys(FORMS));
    for (const { name, options } of PLUGIN_VERBS) {
      const known = (KNOWN[name] ?? []).map((option) => option.split("=")[0]);
      expect([name, Object.keys(options).map((option) => `--${option}`)]).toEqual([name, [...known, "--json"]]);
    }
  });

  test.each(Object.keys(FORMS))("[M1] plugin %s tells its own help and refuses what it does not know", async (verb) => {
    const app = await openApp();
    const help = await app.call(["plugin", verb, "--help"]);
    expect([help.code, help.stdout.startsWith(FORMS[verb] ?? "")]).toEqual([0, true]);
    const foreign = OPTIONS.find((option) => KNOWN[verb]?.includes(option) === false) ?? "";
    const { code, stdout, stderr } = await app.call(["plugin", verb, "a", foreign]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`Unknown option '${foreign.split("=")[0]}'. plugin ${verb} takes --`);
    expect(stderr).toContain(`See \`reasonix plugin ${verb} --help\`.`);
  });

  test("[M1] remove, enable and disable can be looked at first", async () => {
    const app = await openApp();
    await app.plugin("good");
    const before = await app.homeText();
    const told = async (...words: string[]): Promise<string> =>
      (await app.call(["plugin", ...words, "--dry-run"])).stdout;
    expect(await told("remove", "good")).toMatch(/^would remove good: the folder \/.* stays\n$/);
    expect(await told("uninstall", "good")).toMatch(/^would remove good: /);
    expect(await told("disable", "good")).toBe("would disable good\n");
    expect(await told("enable", "good")).toBe("good is enabled already\n");
    expect(await app.homeText()).toBe(before);
  });

  test("[M1] uninstall is remove, and the variables that were set go with the plugin", async () => {
    const app = await openApp();
    await app.plugin("good");
    expect((await app.call(["plugin", "env", "good", "set", "KEY"], { input: "sk-fixture\n" })).code).toBe(0);
    expect((await app.call(["plugin", "env", "good", "list"])).stdout).toBe(
      "good gets KEY, and no other plugin does.\n",
    );
    const help = await app.call(["plugin", "uninstall", "--help"]);
    expect(help.stdout).toContain("Also: reasonix plugin uninstall\n");
    const { stdout } = await app.call(["plugin", "uninstall", "good"]);
    expect(stdout).toContain("its variables are gone too: KEY (plugin-env)\n");
    expect(await app.homeText()).not.toContain("sk-fixture");
  });

  test("[M1] an unknown verb is told with the one that was meant, whatever options follow", async () => {
    const app = await openApp();
    const { code, stderr } = await app.call(["plugin", "remov", "x", "--dry-run"]);
    expect(code).toBe(2);
    expect(stderr).toContain('plugin has no verb "remov"; did you mean remove');
  });

  test("[M1] [case M-01] a link that is only looked at is told with its missing command", async () => {
    const app = await openApp();
    const folder = join(app.folder, "p");
    await mkdir(folder);
    const manifest = { apiVersion: "reasonix.io/plugin/v2", name: "p", runtime: { command: "./gone.mjs" } };
    await writeFile(join(folder, "reasonix-plugin.json"), JSON.stringify(manifest));
    const { code, stdout } = await app.call(["plugin", "install", folder, "--dry-run"]);
    expect(code).toBe(0);
    expect(stdout).toContain("warning:      it cannot start as it is: ");
    expect(await readFile(join(app.home, "plugin-packages.json"), "utf8").catch(() => null)).toBeNull();
  });
});
