/** The real command in a home and a workspace of its own: started, fed, watched, and cleaned up after. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPlugins } from "@reasonix-ts/plugins";
import { afterEach } from "vitest";
import { runInProcess, type Ran } from "./in-process.ts";

export const BIN = fileURLToPath(new URL("../../bin/reasonix.mjs", import.meta.url));
const SIDECAR = fileURLToPath(new URL("../fixtures/sidecar.mjs", import.meta.url));
/** A command that hangs fails its test instead of stopping the suite. */
const GIVE_UP_MILLIS = 60_000;

const undone: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const undo of undone.splice(0).reverse()) await undo();
});

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartOptions {
  /** Written to standard input, which is then closed; closed at once when absent. */
  readonly input?: string;
  readonly env?: { readonly [name: string]: string };
  readonly cwd?: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<Outcome>;
}

export interface App {
  readonly folder: string;
  readonly home: string;
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  run(args: readonly string[], options?: StartOptions): Promise<Outcome>;
  /** The same command inside this process, which costs no start: where the process itself is not what is tested. */
  call(args: readonly string[], options?: StartOptions): Promise<Ran>;
  /** The same without waiting; standard input stays open unless `input` is given. */
  start(args: readonly string[], options?: StartOptions): Running;
  config(toml: string): Promise<void>;
  /** Installs a raw sidecar that behaves as `script` says; see fixtures/sidecar.mjs. */
  plugin(name: string, runtime?: object, script?: object): Promise<string>;
  /** Installs a folder by link, whatever it holds. */
  link(folder: string): Promise<void>;
  /** Frames that the plugin's sidecars received, in order. */
  frames(name: string): Promise<readonly { readonly method?: string; readonly params?: unknown }[]>;
  /** Text of every file below the home. */
  homeText(): Promise<string>;
}

export async function openApp(): Promise<App> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "reasonix-app-")));
  undone.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const home = join(folder, "home");
  const workspace = join(folder, "workspace");
  await Promise.all([mkdir(home), mkdir(workspace)]);
  const { PATH = "", TMPDIR } = process.env;
  const env = { PATH, HOME: folder, REASONIX_HOME: home, ...(TMPDIR === undefined ? {} : { TMPDIR }) };

  const start = (args: readonly string[], options: StartOptions = {}): Running => {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: options.cwd ?? workspace,
      env: { ...env, ...options.env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    child.stdin.on("error", () => {});
    if (options.input !== undefined) child.stdin.end(options.input);
    const timer = setTimeout(() => child.kill("SIGKILL"), GIVE_UP_MILLIS);
    const ended = new Promise<Outcome>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => {
        clearTimeout(timer);
        resolve({ code, signal, stdout: out, stderr: err });
      });
    });
    undone.push(async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await ended;
    });
    return { child, stdout: () => out, stderr: () => err, ended };
  };

  const link = async (source: string): Promise<void> => {
    const machine = { platform: process.platform, arch: process.arch, node: process.execPath, environment: env };
    const report = await installPlugins(
      { source, consent: "yes", link: true, replace: true },
      { home, cwd: folder, machine, temporary: tmpdir() },
    );
    const refused = report.actions.find((action) => action.verdict === "refused");
    if (refused !== undefined) throw new Error(JSON.stringify(refused));
  };

  return {
    folder,
    home,
    workspace,
    env,
    run: (args, options = {}) => start(args, { input: "", ...options }).ended,
    call: (args, options = {}) =>
      runInProcess(args, {
        env: { ...env, ...options.env },
        cwd: options.cwd ?? workspace,
        ...(options.input === undefined ? {} : { input: options.input }),
      }),
    start,
    config: (toml) => writeFile(join(home, "config.toml"), toml),
    link,
    async plugin(name, runtime = {}, script = {}) {
      const root = join(folder, "plugins", name);
      await mkdir(root, { recursive: true });
      await writeFile(join(root, "sidecar.mjs"), await readFile(SIDECAR));
      const environment = { SCRIPT: JSON.stringify(script), LOG: join(folder, `${name}.log`) };
      const manifest = {
        apiVersion: "reasonix.io/plugin/v2",
        name,
        version: "1.0.0",
        runtime: { command: "./sidecar.mjs", env: environment, ...runtime },
      };
      await writeFile(join(root, "reasonix-plugin.json"), JSON.stringify(manifest));
      await link(root);
      return root;
    },
    async frames(name) {
      const text = await readFile(join(folder, `${name}.log`), "utf8").catch(() => "");
      return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line): { readonly method?: string; readonly params?: unknown } => JSON.parse(line));
    },
    async homeText() {
      const entries = await readdir(home, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      return (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
    },
  };
}

/** Waits until `condition` holds; the bound is for a machine that is very busy. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`this did not come about: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A `[[providers]]` table for a server that speaks one of the two wire formats. */
export function providerTable(kind: "openai" | "anthropic", url: string, more = ""): string {
  const base = kind === "openai" ? `${url}/v1` : url;
  return `[[providers]]\nname = "scripted"\nkind = "${kind}"\nbase_url = "${base}"\nmodels = ["scripted"]\n${more}`;
}
