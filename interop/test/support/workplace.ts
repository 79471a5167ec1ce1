/** A throw-away home and workspace with a scripted model server, in which a host's command is run. */
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram, startProcess, type ManagedProcess } from "@reasonix-ts/process";
import type { HostCommand } from "./hosts.ts";
import { bundleModelServer } from "./packages.ts";

export interface Workplace {
  /** Link sources must lie inside it: the reference host links nothing from outside of workspace and home. */
  readonly workspace: string;
  /** Links a package that lies in the workspace, and fails unless the host reports success. */
  link(folder: string): Promise<void>;
  /** One headless turn. */
  run(args: readonly string[], input?: string): Promise<Outcome>;
  /** What the last user message of each model request said, oldest first, since the last call. */
  askedOfModel(): Promise<readonly string[]>;
  /** The frames that `raw-node` noted, oldest first. */
  noted(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Bounds for a noisy machine; a turn takes a third of a second. */
const RUN_MILLIS = 25_000;

export async function openWorkplace(host: HostCommand): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), `interop-${host.name}-`));
  const workspace = join(folder, "workspace");
  const home = join(folder, "home");
  const record = join(folder, "requests.jsonl");
  const notes = join(folder, "notes.txt");
  await Promise.all([workspace, home].map((path) => mkdir(path)));
  await writeFile(record, "");
  const server = await startModelServer(folder, record);
  await writeFile(join(home, "config.toml"), configFor(server.url));
  const environment = {
    PATH: process.env["PATH"],
    HOME: workspace,
    REASONIX_HOME: home,
    SCRIPTED_KEY: "scripted-key",
    RAW_LOG: notes,
  };
  let seen = 0;

  const command = async (args: readonly string[], input = ""): Promise<Outcome> => {
    const options = { command: host.command, args, cwd: workspace, env: environment, input };
    const { outcome, exit, stdout, stderr } = await runProgram({ ...options, timeoutMillis: RUN_MILLIS });
    if (outcome !== "exited") {
      throw new Error(`${host.name} ${args.join(" ")} did not end within ${RUN_MILLIS} ms\n${stderr.text}`);
    }
    return { code: exit?.code ?? null, stdout: stdout.text, stderr: stderr.text };
  };

  return {
    workspace,
    link: async (name) => {
      const { code, stdout, stderr } = await command(["plugin", "install", `./${name}`, "--link", "--yes"]);
      if (code !== 0) throw new Error(`${host.name} did not link ${name} (exit code ${code})\n${stdout}\n${stderr}`);
    },
    run: (args, input) => command(["run", ...args], input),
    askedOfModel: async () => {
      const requests = linesOf(await readFile(record, "utf8"));
      const fresh = requests.slice(seen);
      seen = requests.length;
      return fresh.map(lastUserText);
    },
    noted: async () => linesOf(await readFile(notes, "utf8")),
    close: async () => {
      await server.child.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One file that both hosts read: keys that only the reference knows are kept and ignored by ours. */
function configFor(url: string): string {
  return `default_model = "scripted/scripted"

[telemetry]
cli_metrics = "off"

[network]
proxy_mode = "off"

[environment]
enabled = false

[[providers]]
name = "scripted"
kind = "openai"
base_url = "${url}/v1"
models = ["scripted"]
default = "scripted"
api_key_env = "SCRIPTED_KEY"
context_window = 64000
`;
}

async function startModelServer(
  folder: string,
  record: string,
): Promise<{ readonly child: ManagedProcess; readonly url: string }> {
  const program = join(folder, "model-server.mjs");
  await bundleModelServer(program);
  const child = await startProcess({ command: process.execPath, args: [program, "--record", record] });
  child.stderr.resume();
  // Its one line is far smaller than what a pipe hands over at once.
  const [line]: unknown[] = await once(child.stdout, "data", { signal: AbortSignal.timeout(RUN_MILLIS) });
  const { url }: { url: string } = JSON.parse(String(line));
  return { child, url };
}

function lastUserText(line: string): string {
  const { body }: { body: string } = JSON.parse(line);
  const { messages }: { messages: readonly { role: string; content: string }[] } = JSON.parse(body);
  return messages.findLast(({ role }) => role === "user")?.content ?? "";
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}
