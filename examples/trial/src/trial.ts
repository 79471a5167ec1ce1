/** A throw-away home and workspace in which the real command runs with one example linked. */
import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export interface TrialOptions {
  /** The example's folder. */
  readonly plugin: URL;
  /** The text of the home's `config.toml`. */
  readonly config?: string;
  /** Variables of `plugin-env/<name>.env`, which reach the plugin alone. */
  readonly pluginEnv?: Variables;
}

type Variables = { readonly [name: string]: string };

export interface Trial {
  readonly home: string;
  readonly workspace: string;
  /** Runs the command in the workspace. Rejects when it does not end within a minute. */
  reasonix(args: readonly string[], input?: string): Promise<Ran>;
  close(): Promise<void>;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const COMMAND = fileURLToPath(new URL("../../../packages/reasonix/bin/reasonix.mjs", import.meta.url));
const RUN_MILLIS = 60_000;
/** A package's data files are copied; its sources are bundled, and tests stay at home. */
const LEFT_OUT = new Set(["node_modules", "src", "test", "dist"]);

/** Rejects, and leaves nothing behind, when the plugin cannot be built or linked. */
export async function openTrial({ plugin, config = "", pluginEnv = {} }: TrialOptions): Promise<Trial> {
  const source = resolve(fileURLToPath(plugin));
  const name = basename(source);
  const folder = await realpath(await mkdtemp(join(tmpdir(), `trial-${name}-`)));
  const workspace = join(folder, "workspace");
  const home = join(folder, "home");
  const environment = { PATH: process.env["PATH"], HOME: folder, REASONIX_HOME: home };
  const trial: Trial = {
    home,
    workspace,
    reasonix: (args, input = "") => run(args, { cwd: workspace, env: environment, input }),
    close: () => rm(folder, { recursive: true, force: true }),
  };
  try {
    await mkdir(workspace);
    await mkdir(join(home, "plugin-env"), { recursive: true });
    await writeFile(join(home, "config.toml"), config);
    const linked = join(folder, name);
    await pack(source, linked);
    await writePluginEnv(join(home, "plugin-env"), linked, pluginEnv);
    const { code, stdout, stderr } = await trial.reasonix(["plugin", "install", linked, "--link", "--yes"]);
    if (code !== 0) throw new Error(`${name} was not linked (exit code ${code})\n${stdout}\n${stderr}`);
    return trial;
  } catch (error) {
    await trial.close();
    throw error;
  }
}

/** The example as its build makes it, from the sources of this moment. */
async function pack(source: string, target: string): Promise<void> {
  await cp(source, target, { recursive: true, filter: (path) => path === source || !LEFT_OUT.has(basename(path)) });
  const outfile = join(target, "dist/sidecar.cjs");
  await build({
    entryPoints: [join(source, "src/sidecar.ts")],
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    conditions: ["@reasonix-ts/source"],
    banner: { js: "#!/usr/bin/env node" },
    outfile,
    logLevel: "error",
  });
  await chmod(outfile, 0o755);
}

async function writePluginEnv(folder: string, plugin: string, variables: Variables): Promise<void> {
  const manifest: { readonly name: string } = JSON.parse(await readFile(join(plugin, "reasonix-plugin.json"), "utf8"));
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(folder, `${manifest.name}.env`), lines.join(""), { mode: 0o600 });
}

interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input: string;
}

function run(args: readonly string[], { cwd, env, input }: RunOptions): Promise<Ran> {
  return new Promise((settle, reject) => {
    const options = { cwd, env, timeout: RUN_MILLIS, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(process.execPath, [COMMAND, ...args], options, (error, stdout, stderr) => {
      if (child.exitCode !== null) settle({ code: child.exitCode, stdout, stderr });
      else reject(new Error(`reasonix ${args.join(" ")} did not end by itself\n${stderr}`, { cause: error }));
    });
    child.stdin?.end(input);
  });
}
