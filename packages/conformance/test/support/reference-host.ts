/** Runs one headless turn of the reference host with one impostor as its only plugin. */
import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { impostorPath } from "./judging.ts";
import { startModelServer } from "./model-server.ts";

/** Null where its package does not exist. */
export const referenceCommand: string | null = existingCommand();

export interface Turn {
  readonly code: number;
  /** Inputs that reached the model. */
  readonly asked: readonly string[];
  /** What it printed, on stdout and stderr. */
  readonly said: string;
}

export async function runTurn(
  command: string,
  impostor: string,
  args: readonly string[],
  runtime: { readonly [member: string]: unknown },
): Promise<Turn> {
  const folder = await mkdtemp(join(tmpdir(), "reasonix-reference-"));
  const server = await startModelServer();
  try {
    const [workspace, home] = [join(folder, "workspace"), join(folder, "home")];
    const plugin = join(workspace, impostor);
    await mkdir(plugin, { recursive: true });
    await mkdir(home);
    for (const name of new Set(["honest", impostor])) await cp(impostorPath(name), join(plugin, `${name}.mjs`));
    await chmod(join(plugin, `${impostor}.mjs`), 0o755);
    await writeFile(join(plugin, "reasonix-plugin.json"), manifestOf(impostor, args, runtime));
    await writeFile(join(home, "config.toml"), configOf(server.url));
    const env = { PATH: process.env["PATH"], HOME: workspace, REASONIX_HOME: home, SCRIPTED_KEY: "k" };
    const linked = await run(command, ["plugin", "install", `./${impostor}`, "--link", "--yes"], workspace, env);
    if (linked.code !== 0) throw new Error(`the impostor could not be linked: ${linked.said}`);
    const { code, said } = await run(command, ["run", "hello"], workspace, env);
    return { code, said, asked: server.asked };
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function existingCommand(): string | null {
  const path = fileURLToPath(new URL("../../../../node_modules/@reasonix/cli-linux-x64/bin/reasonix", import.meta.url));
  return process.platform === "linux" && process.arch === "x64" && existsSync(path) ? path : null;
}

function manifestOf(name: string, args: readonly string[], runtime: object): string {
  const command = `\${REASONIX_PLUGIN_ROOT}/${name}.mjs`;
  const whole = { command, args, env: { REASONIX_PLUGIN_NAME: name }, intercepts: ["input.receive"], ...runtime };
  return JSON.stringify({ apiVersion: "reasonix.io/plugin/v2", name, version: "1.0.0", runtime: whole });
}

function configOf(url: string): string {
  return `default_model = "scripted/small"
[telemetry]
cli_metrics = "off"
[network]
proxy_mode = "off"
[environment]
enabled = false
[[providers]]
name = "scripted"
kind = "openai"
base_url = "${url}"
models = ["small"]
default = "small"
api_key_env = "SCRIPTED_KEY"
context_window = 64000
`;
}

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: { readonly [name: string]: string | undefined },
): Promise<{ readonly code: number; readonly said: string }> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env: { ...env }, timeout: 60_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, said: `${stdout}${stderr}` });
    });
  });
}
