/** A home and a workspace with a chain of linked sidecars, in which one host runs headless turns. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hopsOf, type SidecarLog, type TurnHops } from "./hops.ts";

export interface HostCommand {
  readonly command: string;
  /** Put before every command, such as `taskset -c 1`. */
  readonly pin: readonly string[];
}

export interface Turn extends TurnHops {
  /** From the start of the process to its end. */
  readonly wallMillis: number;
}

export interface Place {
  /** One turn whose model makes `calls` tool calls; fails unless every sidecar saw each of them. */
  turn(calls: number): Promise<Turn>;
}

export interface PlaceOptions {
  readonly host: HostCommand;
  /** Must not exist yet. */
  readonly folder: string;
  readonly sidecar: string;
  readonly sidecars: number;
  readonly modelUrl: string;
}

const MILLIS = 60_000;

export async function openPlace({ host, folder, sidecar, sidecars, modelUrl }: PlaceOptions): Promise<Place> {
  const workspace = join(folder, "workspace");
  const home = join(folder, "home");
  const log = join(folder, "log");
  const names = Array.from({ length: sidecars }, (_, index) => `hop-${index + 1}`);
  await Promise.all([workspace, home, log].map((path) => mkdir(path, { recursive: true })));
  await writeFile(join(home, "config.toml"), configFor(modelUrl));
  const env = { PATH: process.env["PATH"], HOME: workspace, REASONIX_HOME: home, HOP_LOG: log, BENCH_KEY: "key" };
  const run = (args: readonly string[]): Promise<void> => runCommand(host, args, workspace, env);
  for (const [index, name] of names.entries()) {
    await writePackage(join(workspace, name), name, index, sidecar);
    await run(["plugin", "install", `./${name}`, "--link", "--yes"]);
  }
  return {
    turn: async (calls) => {
      await rm(log, { recursive: true, force: true });
      await rm(join(workspace, "out"), { recursive: true, force: true });
      await mkdir(log);
      const started = performance.now();
      await run(["run", "go"]);
      const wallMillis = performance.now() - started;
      const logs = await Promise.all(names.map((name) => readLog(join(log, `${name}.json`))));
      return { wallMillis, ...hopsOf(logs, calls) };
    },
  };
}

async function writePackage(folder: string, name: string, priority: number, sidecar: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const program = join(folder, "sidecar.py");
  await cp(sidecar, program);
  await chmod(program, 0o755);
  const manifest = {
    apiVersion: "reasonix.io/plugin/v2",
    name,
    version: "0.0.0",
    runtime: { command: "${REASONIX_PLUGIN_ROOT}/sidecar.py", required: true, priority, intercepts: ["tool.before"] },
  };
  await writeFile(join(folder, "reasonix-plugin.json"), JSON.stringify(manifest));
}

async function runCommand(
  { command, pin }: HostCommand,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const [program = command, ...rest] = [...pin, command, ...args];
  const child = spawn(program, rest, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: MILLIS });
  let output = "";
  child.stdout.on("data", (bytes: Buffer) => (output += bytes.toString()));
  child.stderr.on("data", (bytes: Buffer) => (output += bytes.toString()));
  const [code]: unknown[] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${String(code)}\n${output.slice(-2_000)}`);
}

async function readLog(file: string): Promise<SidecarLog> {
  const log: SidecarLog = JSON.parse(await readFile(file, "utf8"));
  return log;
}

function configFor(url: string): string {
  return `default_model = "bench/bench"

[telemetry]
cli_metrics = "off"

[network]
proxy_mode = "off"

[environment]
enabled = false

[[providers]]
name = "bench"
kind = "openai"
base_url = "${url}/v1"
models = ["bench"]
default = "bench"
api_key_env = "BENCH_KEY"
context_window = 1000000
`;
}
