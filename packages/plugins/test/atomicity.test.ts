import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installedRuntimes, listPlugins, setPluginEnabled, showPlugin } from "../src/index.ts";
import { buildVerbs, runVerb, type Fault } from "./support/children.ts";
import { goodPackage, MACHINE, readJson, temporary, V2, write } from "./support/workbench.ts";

let folder = "";
let verbs = "";

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "plugins-verbs-"));
  verbs = await buildVerbs(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A package in which every file tells the build; the version stays, because content alone decides what is what. */
const built = (build: string, folder = temporary()): string =>
  write(folder, {
    "reasonix-plugin.json": {
      apiVersion: V2,
      name: "rt-good",
      version: "1.0.0",
      description: build,
      runtime: { command: "./run.sh", intercepts: ["input.receive"] },
    },
    "a.txt": build,
    "run.sh!": `#!/bin/sh\n# ${build}\n`,
  });

/** The build of the tree at a place, or what is mixed up about it. */
function buildAt(root: string): string {
  const { description } = JSON.parse(readFileSync(path.join(root, "reasonix-plugin.json"), "utf8"));
  const others = [
    readFileSync(path.join(root, "a.txt"), "utf8"),
    readFileSync(path.join(root, "run.sh"), "utf8").slice(12, -1),
  ];
  return others.every((one) => one === description) ? description : `mix of ${description}, ${others.join(", ")}`;
}

/** Runs one verb with a fault at each step in turn, on a fresh copy of a home, until a run passes without meeting it. */
async function atEachStep(
  fault: Pick<Fault, "kind" | "calls">,
  before: string,
  args: readonly [string, string],
  check: (home: string, step: number) => Promise<void>,
): Promise<number> {
  for (let step = 1; step < 200; step++) {
    const home = path.join(temporary(), "home");
    if (existsSync(before)) cpSync(before, home, { recursive: true });
    const scratch = temporary();
    const ended = await runVerb(verbs, [args[0], home, args[1], scratch], { ...fault, step });
    if (fault.kind === "kill" ? ended.signal === null : ended.code === 0) return step - 1;
    await check(home, step);
  }
  throw new Error("the verb never ended");
}

describe("a process that dies", () => {
  it("[M1] [case N-03] leaves the old plugin or the new one, whole and startable, at every step of an update", async () => {
    const before = path.join(temporary(), "home");
    const source = built("old");
    expect((await runVerb(verbs, ["install", before, source])).output).toBe("install\n");
    built("new", source);
    const seen = new Set<string>();
    const fault = { kind: "kill", calls: ["rename", "rm", "open", "mkdir"] } as const;
    const steps = await atEachStep(fault, before, ["replace", source], async (home, step) => {
      const { specs, broken, problems } = await installedRuntimes(home, MACHINE);
      expect([step, specs.length, broken, problems]).toEqual([step, 1, [], []]);
      const build = buildAt(path.join(home, "plugins/rt-good"));
      expect(["old", "new"]).toContain(build);
      seen.add(build);
      // The next change finishes or undoes what was begun, and sweeps.
      await setPluginEnabled(home, "rt-good", true);
      const shown = await showPlugin(home, "rt-good", MACHINE);
      expect([step, shown.content, shown.description]).toEqual([step, "intact", build]);
      expect(readdirSync(path.join(home, "plugins"))).toEqual(["rt-good"]);
    });
    expect(steps).toBeGreaterThan(15);
    expect([...seen].sort()).toEqual(["new", "old"]);
  }, 120_000);

  it("[M1] [case N-03] a failing rename or folder at any step of an update leaves the old plugin or the new one", async () => {
    const before = path.join(temporary(), "home");
    await runVerb(verbs, ["install", before, built("old")]);
    const fault = { kind: "EBUSY", calls: ["rename", "mkdir"] } as const;
    await atEachStep(fault, before, ["replace", built("new")], async (home, step) => {
      const { specs } = await installedRuntimes(home, MACHINE);
      expect([step, specs.length]).toEqual([step, 1]);
      expect(["old", "new"]).toContain(buildAt(path.join(home, "plugins/rt-good")));
      await setPluginEnabled(home, "rt-good", true);
      expect([step, (await showPlugin(home, "rt-good", MACHINE)).content]).toEqual([step, "intact"]);
    });
  }, 120_000);

  it("[M1] [case N-03] leaves nothing or the whole plugin at every step of a first install", async () => {
    const source = built("first");
    const fault = { kind: "kill", calls: ["rename", "rm"] } as const;
    await atEachStep(fault, "/nowhere", ["install", source], async (home, step) => {
      const { specs } = await installedRuntimes(home, MACHINE);
      expect(specs.length).toBeLessThanOrEqual(1);
      const again = await runVerb(verbs, ["install", home, source]);
      expect([step, again.code]).toEqual([step, 0]);
      await setPluginEnabled(home, "rt-good", true);
      expect((await showPlugin(home, "rt-good", MACHINE)).content).toBe("intact");
      expect(readdirSync(path.join(home, "plugins"))).toEqual(["rt-good"]);
    });
  }, 120_000);
});

describe("a removal that dies", () => {
  it("[M1] [case N-03] is finished by the next change, at every step", async () => {
    const before = path.join(temporary(), "home");
    for (const name of ["keep", "go"])
      await runVerb(verbs, ["install", before, write(temporary(), goodPackage({ name }))]);
    await atEachStep(
      { kind: "kill", calls: ["rename", "rm", "open"] },
      before,
      ["remove", "go"],
      async (home, step) => {
        const { specs, broken } = await installedRuntimes(home, MACHINE);
        expect([step, broken]).toEqual([step, []]);
        const names = specs.map(({ plugin }) => plugin);
        expect([["go", "keep"], ["keep"]]).toContainEqual(names);
        await setPluginEnabled(home, "keep", false);
        expect(readdirSync(path.join(home, "plugins"))).toEqual(names);
        expect(Object.keys(identitiesOf(home))).toEqual(names);
      },
    );
  }, 120_000);
});

function identitiesOf(home: string): object {
  const { plugins } = JSON.parse(readFileSync(path.join(home, "plugin-digests.json"), "utf8"));
  return plugins;
}

describe("many at once", () => {
  it("[M1] [case N-04] eight installers, two switches and a race for one name lose nothing", async () => {
    const home = path.join(temporary(), "home");
    for (const name of ["off-1", "off-2"])
      await runVerb(verbs, ["install", home, write(temporary(), goodPackage({ name }))]);
    const eight = Array.from({ length: 8 }, (_, at) => write(temporary(), goodPackage({ name: `p${at}` })));
    const racers = Array.from({ length: 4 }, (_, at) =>
      write(temporary(), { ...goodPackage({ name: "same" }), "who.txt": String(at) }),
    );
    // A lock whose holder is long dead stands in the way of all of them.
    writeFileSync(
      path.join(home, "plugin-packages.json.lock"),
      JSON.stringify({
        pid: 2 ** 22 - 1,
        host: (await import("node:os")).hostname(),
        purpose: "",
        since: "",
        startTime: "1",
        nonce: "x",
      }),
    );
    const ended = await Promise.all([
      ...eight.map((source) => runVerb(verbs, ["install", home, source])),
      ...["off-1", "off-2"].map((name) => runVerb(verbs, ["disable", home, name])),
      ...racers.map((source) => runVerb(verbs, ["install", home, source])),
    ]);
    expect(ended.map(({ output, code }) => (code === 0 ? "" : output)).join("")).toBe("");
    const { plugins } = await listPlugins(home);
    expect(plugins.map(({ name, enabled }) => [name, enabled])).toEqual([
      ["off-1", false],
      ["off-2", false],
      ...eight.map((_, at) => [`p${at}`, true]),
      ["same", true],
    ]);
    expect(
      ended
        .slice(10)
        .map(({ output }) => output)
        .sort(),
    ).toEqual(["install\n", "refused\n", "refused\n", "refused\n"]);
    const winner = Number(readFileSync(path.join(home, "plugins/same/who.txt"), "utf8"));
    expect(plugins.find(({ name }) => name === "same")?.source).toBe(racers[winner]);
    for (const { name } of plugins) expect((await showPlugin(home, name, MACHINE)).content).toBe("intact");
    expect(readdirSync(path.join(home, "plugins")).sort()).toEqual(plugins.map(({ name }) => name));
  }, 60_000);
});

describe("a broken list of plugins", () => {
  it("[M6] [case N-12] is shown as far as it can be read, kept aside, and never replaced by an empty one", async () => {
    const home = path.join(temporary(), "home");
    for (const name of ["a", "b"]) await runVerb(verbs, ["install", home, write(temporary(), goodPackage({ name }))]);
    const list = path.join(home, "plugin-packages.json");
    const broken = readFileSync(list, "utf8").replace(/\]\s*\}\s*$/, "");
    writeFileSync(list, broken);
    const listing = await listPlugins(home);
    expect(listing.plugins.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(listing.problems[0]).toContain("is not valid JSON");
    expect(readFileSync(list, "utf8")).toBe(broken);
    const { setAside } = await setPluginEnabled(home, "a", false);
    expect(setAside).toBe(`${list}.broken-1`);
    expect(readFileSync(`${list}.broken-1`, "utf8")).toBe(broken);
    expect((await listPlugins(home)).plugins.map(({ name, enabled }) => [name, enabled])).toEqual([
      ["a", false],
      ["b", true],
    ]);
  });

  it("[M6] that cannot be reached is an error with a reason and a sentence", async () => {
    const file = path.join(write(temporary(), { "home.txt": "" }), "home.txt");
    const failure = { name: "PluginError", reason: "state_unusable", message: expect.stringContaining("home.txt") };
    await expect(listPlugins(file)).rejects.toMatchObject(failure);
    await expect(installedRuntimes(file, MACHINE)).rejects.toMatchObject(failure);
    await expect(setPluginEnabled(file, "a", true)).rejects.toMatchObject({ name: "PluginError" });
  });

  it("[M6] of a newer version is left alone", async () => {
    const home = write(path.join(temporary(), "home"), { "plugin-packages.json": { version: 2, plugins: [] } });
    await expect(setPluginEnabled(home, "a", true)).rejects.toThrow("It is left alone: use the program that wrote it.");
    expect(readJson(path.join(home, "plugin-packages.json"))).toEqual({ version: 2, plugins: [] });
  });
});
