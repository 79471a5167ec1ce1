/** Sentences of the contract about the command and the home, with real packages. */
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openHome, type Home } from "./support/command.ts";

const INPUT = { intercepts: ["input.receive"] };

/** Adds contributions to a linked package. */
async function contribute(root: string, files: { readonly [file: string]: string }): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
  const manifest = path.join(root, "reasonix-plugin.json");
  const read: object = JSON.parse(await readFile(manifest, "utf8"));
  const contributes = { prompts: ["words/prompts"], commands: ["words/commands"], skills: ["words/skills"] };
  await writeFile(manifest, JSON.stringify({ ...read, contributes }));
}

const initialized = async (home: Home, plugin: string): Promise<number> =>
  (await home.log(plugin)).filter(({ method }) => method === "extension/initialize").length;

describe("a word that several things of a plugin are named by", () => {
  it("[M5] [U5] is the action, else the prompt, else the command, else the skill", async () => {
    const home = await openHome();
    const root = await home.plugin("kit", "surfaces.mjs", { ...INPUT, capabilities: ["interceptors", "ui"] });
    const said = (kind: string): string => `the ${kind} of $ARGUMENTS`;
    const words = ["greet", "two", "three", "four"];
    const files = words.flatMap((word, index) => [
      ...(index < 2 ? [[`words/prompts/${word}.md`, said("prompt")] as const] : []),
      ...(index < 3 ? [[`words/commands/${word}.md`, said("command")] as const] : []),
      [`words/skills/${word}/SKILL.md`, said("skill")] as const,
    ]);
    await contribute(root, Object.fromEntries(files));
    const answers: string[] = [];
    for (const word of words) answers.push((await home.reasonix(["run", `/kit:${word} x`])).stdout);
    expect(answers).toEqual([
      'hello {"arg1":"x"}\n',
      "You said: the prompt of x\n",
      "You said: the command of x\n",
      "You said: the skill of x\n",
    ]);
    const safe = await home.reasonix(["run", "--safe", "/kit:two x"]);
    expect([safe.code, safe.stdout]).toEqual([2, ""]);
  });
});

describe("the home", () => {
  it("[M6] keeps sessions in a folder of its own, and what it does not know where it is", async () => {
    const home = await openHome();
    await mkdir(path.join(home.home, "sessions"));
    await writeFile(path.join(home.home, "sessions/theirs.jsonl"), "theirs\n");
    await home.config('theme = "dawn"\n[ui]\nlanguage = "de"\n');
    const { code, stderr } = await home.reasonix(["run", "hi"]);
    expect([code, stderr.includes("theme")]).toEqual([0, false]);
    expect(await readdir(path.join(home.home, "sessions"))).toEqual(["theirs.jsonl"]);
    expect((await readdir(path.join(home.home, "sessions-ts"))).some((name) => name.endsWith(".jsonl"))).toBe(true);
    // Doctor alone tells of keys that are not ours, and they stay.
    const doctor = await home.reasonix(["doctor"]);
    expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringContaining("theme")]);
    expect(await readFile(path.join(home.home, "config.toml"), "utf8")).toBe('theme = "dawn"\n[ui]\nlanguage = "de"\n');
  });

  it("[X5] [M6] a row of another host's, without a digest, runs; a copy that was changed runs and is reported", async () => {
    const home = await openHome();
    const root = await home.plugin("copied", "owner.mjs", INPUT);
    await home.reasonix(["plugin", "remove", "copied"]);
    expect((await home.reasonix(["plugin", "install", root, "--yes"])).code).toBe(0);
    await rm(path.join(home.home, "plugin-digests.json"));
    expect((await home.reasonix(["run", "hi"])).code).toBe(0);
    expect(await initialized(home, "copied")).toBe(1);
    expect((await home.reasonix(["plugin", "doctor"])).stdout).not.toContain("changed");

    expect((await home.reasonix(["plugin", "install", root, "--yes", "--replace"])).code).toBe(0);
    await writeFile(path.join(home.home, "plugins/copied/more.txt"), "x");
    expect((await home.reasonix(["run", "hi"])).code).toBe(0);
    expect(await initialized(home, "copied")).toBe(2);
    expect((await home.reasonix(["plugin", "doctor"])).stdout).toContain("copy_changed");
    expect((await home.reasonix(["plugin", "show", "copied"])).stdout).toContain("CHANGED");
  });

  it("[M1] [L1] [case W-02] may have a name with spaces and other scripts: the sidecar starts from there", async () => {
    const source = await openHome();
    const root = await source.plugin("rt-good", "context.mjs", { ...INPUT, args: ["${REASONIX_PLUGIN_ROOT}/data"] });
    const strange = path.join(source.folder, "Zoë 读 'x' $y", "home");
    await mkdir(strange, { recursive: true });
    const home = await openHome({ REASONIX_HOME: strange });
    expect((await home.reasonix(["plugin", "install", root, "--yes"])).code).toBe(0);
    const { code, stdout } = await home.reasonix(["run", "hi"]);
    expect([code, stdout]).toEqual([0, "You said: hi\n"]);
    const noted = (await source.log("rt-good")).find((entry) => entry["argv"] !== undefined);
    expect(noted?.["argv"]).toEqual([path.join(strange, "plugins/rt-good/data")]);
  });
});

it("[X1] --add-dir lets tools write to one more folder, and to no other", async () => {
  const home = await openHome();
  const [more, other] = [path.join(home.folder, "more"), path.join(home.folder, "other")];
  await Promise.all([mkdir(more), mkdir(other)]);
  const write = (folder: string): string =>
    `TOOL write_file ${JSON.stringify({ path: path.join(folder, "a.txt"), content: "a" })}`;
  const without = await home.reasonix(["run", write(more)]);
  expect(without.stdout).toContain("lies outside the workspace");
  expect((await home.reasonix(["run", "--add-dir", "../more", write(more)])).code).toBe(0);
  expect((await stat(path.join(more, "a.txt"))).isFile()).toBe(true);
  const elsewhere = await home.reasonix(["run", "--add-dir", more, write(other)]);
  expect(elsewhere.stdout).toContain("lies outside the workspace");
  expect(await readdir(other)).toEqual([]);
});

it("[T1] [case T-08] --debug tells what of a sidecar was ignored, and nothing does without it", async () => {
  const home = await openHome();
  await home.plugin("newer", "stray.mjs", INPUT);
  const line = 'plugin "newer": ignored a notification of the unknown method "host/from/the/future"\n';
  const [quiet, told] = [await home.reasonix(["run", "hi"]), await home.reasonix(["run", "--debug", "hi"])];
  expect([quiet.stdout, told.stdout]).toEqual(["You said: hi\n", "You said: hi\n"]);
  expect([quiet.stderr.includes("ignored"), told.stderr.includes(line)]).toEqual([false, true]);
});

it("[P1] [P2] [case P-06] five thousand models are listed and chosen from, and what is broken among them is told by path", async () => {
  const home = await openHome();
  await home.plugin("many", "many.mjs", { capabilities: ["providers"] });
  const listed: { models: { ref: string }[] } = JSON.parse((await home.reasonix(["models", "--json"])).stdout);
  const refs = listed.models.map(({ ref }) => ref).filter((ref) => ref.startsWith("plugin/many/"));
  expect([refs.length, new Set(refs).size]).toEqual([5_000, 5_000]);
  const chosen = await home.reasonix(["run", "--model", "plugin/many/lab/m4999", "hi"]);
  expect([chosen.code, chosen.stdout]).toEqual([0, "here is plugin/many/lab/m4999\n"]);
  const typed = await home.reasonix([], "/model plugin/many/lab/m49999\n/model plugin/many/lab/m7\nhi\n");
  expect(typed.stdout).toContain("There is no model plugin/many/lab/m49999. Did you mean");
  expect(typed.stdout).toContain("here is plugin/many/lab/m7");
  const doctor = await home.reasonix(["doctor", "runtime"]);
  expect(doctor.code).toBe(0);
  for (const path of ["/providers/0/ref", "/providers/2/inputPerMillion", "/providers/3/apiKey"])
    expect(doctor.stdout).toContain(path);
});
