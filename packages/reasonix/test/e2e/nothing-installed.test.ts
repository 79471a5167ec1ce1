/** What a person without extensions pays: counted in files, processes and timers, never in time. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openApp, type App } from "../support/app.ts";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));
const HOOK = new URL("../fixtures/count-hook.mjs", import.meta.url).href;

interface Counts {
  readonly spawned: readonly string[];
  readonly timers: number;
  /** Names below dist/, sorted. */
  readonly files: readonly string[];
  readonly stdout: string;
}

async function counted(app: App, args: readonly string[]): Promise<Counts> {
  const file = join(app.folder, `counts-${args.length}-${Date.now()}`);
  const { stdout, code, stderr } = await app.run(args, { env: { NODE_OPTIONS: `--import ${HOOK}`, COUNTS: file } });
  expect([code, stderr.includes("Error")]).toEqual([0, false]);
  const raw: { spawned: string[]; timers: number; files: string[] } = JSON.parse(await readFile(file, "utf8"));
  const below = raw.files.map((url) => fileURLToPath(url)).filter((path) => path.startsWith(DIST));
  return { ...raw, files: below.map((path) => path.slice(DIST.length)).sort(), stdout };
}

/** Built files that hold a text which only one source file has. */
async function filesWith(text: string): Promise<readonly string[]> {
  const names = ["main.js", ...(await readdir(join(DIST, "chunks"))).map((name) => `chunks/${name}`)];
  const found: string[] = [];
  for (const name of names) if ((await readFile(join(DIST, name), "utf8")).includes(text)) found.push(name);
  return found;
}

/** One sentence of the host's front door, and one of the reader of manifests. */
const HOST_TEXT = "a host starts processes only with a permission that mintStartPermission made";
const MANIFEST_TEXT = "reasonix.io/plugin/v2";

test("--version loads the first file and nothing else", async () => {
  const { files, spawned, stdout } = await counted(await openApp(), ["--version"]);
  expect([files, spawned]).toEqual([["main.js"], []]);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("[K1] with nothing installed a run loads no host, starts no process, and sets the session lock's timer alone", async () => {
  const [hosts, { files, spawned, timers, stdout }] = await Promise.all([
    filesWith(HOST_TEXT),
    counted(await openApp(), ["run", "hi"]),
  ]);
  expect(hosts.length).toBeGreaterThan(0);
  expect(files.length).toBeGreaterThan(1);
  expect(files.filter((name) => hosts.includes(name))).toEqual([]);
  expect([spawned, timers, stdout]).toEqual([[], 1, "You said: hi\n"]);
});

test("[K1] with a runtime installed the same counters see the host and its sidecar", async () => {
  const app = await openApp();
  await app.plugin("watcher", { intercepts: ["input.receive"] });
  const [hosts, { files, spawned, timers }] = await Promise.all([filesWith(HOST_TEXT), counted(app, ["run", "hi"])]);
  expect(files.some((name) => hosts.includes(name))).toBe(true);
  expect(spawned).toHaveLength(1);
  expect(timers).toBeGreaterThan(1);
});

test("[case F-03] 1,000 tool calls with 20 declarative plugins and a disabled runtime start no process and load no host", async () => {
  const app = await openApp();
  const manifests = await filesWith(MANIFEST_TEXT);
  expect(manifests.length).toBeGreaterThan(0);
  for (let index = 0; index < 20; index++) {
    const root = join(app.folder, `words-${index}`);
    await mkdir(join(root, "prompts"), { recursive: true });
    await writeFile(join(root, "prompts/say.md"), "Say $ARGUMENTS\n");
    const manifest = { apiVersion: MANIFEST_TEXT, name: `words-${index}`, contributes: { prompts: ["prompts"] } };
    await writeFile(join(root, "reasonix-plugin.json"), JSON.stringify(manifest));
    await app.link(root);
  }
  await app.plugin("asleep", { intercepts: ["tool.before"], required: true });
  expect((await app.call(["plugin", "disable", "asleep"])).code).toBe(0);
  await writeFile(join(app.workspace, "a.txt"), "one\ntwo\n");
  const calls = Array.from({ length: 1000 }, (_, index) => `TOOL read_file {"path":"a.txt","limit":${index + 1}}`);

  const hosts = await filesWith(HOST_TEXT);
  const { spawned, timers, files, stdout } = await counted(app, ["run", "--max-steps", "1001", calls.join("\n")]);
  expect(stdout.match(/^read_file: /gm)).toHaveLength(1000);
  expect(spawned).toEqual([]);
  expect([timers, files.filter((name) => hosts.includes(name))]).toEqual([1, []]);
  expect(await app.frames("asleep")).toEqual([]);
});
