/** A plugin that broke after it was installed: the command starts, says which and what to do, and gets rid of it. */
import { readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openHome, type Home } from "./support/command.ts";

interface State {
  readonly name: string;
  readonly spoil: (root: string) => Promise<void>;
  /** What the cause holds, in a refused run and in doctor. */
  readonly cause: RegExp;
}

/** THE table of states. */
const STATES: readonly State[] = [
  { name: "no manifest", spoil: (root) => rm(manifestOf(root)), cause: /reasonix-plugin\.json|holds no package/ },
  { name: "a manifest that was cut", spoil: (root) => truncate(manifestOf(root), 20), cause: /line 1, column \d+/ },
  {
    name: "an unknown field in its manifest",
    spoil: async (root) => {
      const text = await readFile(manifestOf(root), "utf8");
      await writeFile(manifestOf(root), text.replace(/\{/, '{"contribute": {},'));
    },
    cause: /unknown field "contribute".*Did you mean "contributes"/,
  },
  { name: "no command", spoil: (root) => rm(path.join(root, "sidecar.mjs")), cause: /sidecar\.mjs/ },
  { name: "no folder", spoil: (root) => rm(root, { recursive: true }), cause: /victim/ },
  {
    name: "a runtime that exits",
    spoil: (root) => writeFile(path.join(root, "sidecar.mjs"), "#!/usr/bin/env node\nprocess.exit(9);\n"),
    cause: /exit code 9/,
  },
];

const EXITS = STATES.filter(({ name }) => name === "a runtime that exits");

describe("a plugin that is installed", () => {
  it.each([
    ...STATES.map((state) => ({ ...state, required: true })),
    ...EXITS.map((state) => ({ ...state, required: false })),
  ])("[M1] [K2] [case N-12] with $name (required: $required) keeps nobody out", async ({ spoil, cause, required }) => {
    const home = await openHome();
    const { reasonix } = home;
    const root = await home.plugin("victim", "owner.mjs", { required, intercepts: ["input.receive"] });
    await spoil(root);

    const run = await reasonix(["run", "hi"]);
    expect([run.code, run.stdout]).toEqual(required ? [1, ""] : [0, "You said: hi\n"]);
    expect(run.stderr).toMatch(cause);
    expect(run.stderr).toContain("victim");
    if (required) expect(run.stderr).toContain("`reasonix plugin disable <name>`");

    // Without any plugin everything works, and nothing in the home changes but the session.
    const before = await stateOf(home);
    const safe = await reasonix(["run", "--safe", "hi"]);
    expect([safe.code, safe.stdout]).toEqual([0, "You said: hi\n"]);
    expect(safe.stderr).not.toContain("victim");
    const doctor = await reasonix(["plugin", "doctor", "--live"]);
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringMatching(cause)]);
    const list = await reasonix(["plugin", "list"]);
    expect([list.code, list.stdout]).toEqual([0, expect.stringContaining("victim")]);
    expect(await stateOf(home)).toBe(before);

    expect((await reasonix(["plugin", "disable", "victim"])).code).toBe(0);
    const without = await reasonix(["run", "hi"]);
    expect([without.code, without.stdout]).toEqual([0, "You said: hi\n"]);
    expect(without.stderr).not.toContain("victim");
    expect((await reasonix(["plugin", "remove", "victim"])).code).toBe(0);
    expect((await reasonix(["plugin", "list"])).stdout).toBe("No plugin is installed.\n");
  });
});

it("[M3] [case N-12] contributions whose files are gone cost those alone, and doctor names them", async () => {
  const home = await openHome();
  const root = await home.plugin("victim", "owner.mjs", { intercepts: ["input.receive"] });
  const manifest: object = JSON.parse(await readFile(manifestOf(root), "utf8"));
  const contributes = { prompts: ["gone"], themes: ["gone-too"] };
  await writeFile(manifestOf(root), JSON.stringify({ ...manifest, contributes }));
  const run = await home.reasonix(["run", "hi"]);
  expect([run.code, run.stdout]).toEqual([0, "You said: hi\n"]);
  const doctor = await home.reasonix(["plugin", "doctor", "victim"]);
  expect(doctor.stdout).toContain("gone does not exist");
  expect(doctor.stdout).toContain("gone-too does not exist");
});

function manifestOf(root: string): string {
  return path.join(root, "reasonix-plugin.json");
}

/** Every file of the home but sessions, by name and content. */
async function stateOf({ home }: Home): Promise<string> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const files = entries.flatMap((entry) => (entry.isFile() ? [path.join(entry.parentPath, entry.name)] : []));
  const kept = files.filter((file) => !path.relative(home, file).startsWith("sessions")).sort();
  return JSON.stringify(await Promise.all(kept.map(async (file) => [file, await readFile(file, "base64")])));
}
