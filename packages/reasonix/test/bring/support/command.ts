/** The command in a home of its own, run inside this process: real plugins, real sidecars, captured streams. */
import { chmod, copyFile, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { installPlugins } from "@reasonix-ts/plugins";
import { runInProcess, type Ran } from "../../support/in-process.ts";
import { logOf, temporaryFolder } from "./stage.ts";

/** Members of `runtime` in the manifest. */
export interface Runtime {
  readonly env?: { readonly [name: string]: string };
  readonly [member: string]: unknown;
}

/** Texts of prompts, by name. */
export type Prompts = { readonly [name: string]: string };

export interface Home {
  readonly folder: string;
  readonly home: string;
  readonly workspace: string;
  /** Installs by link a package whose runtime is a fixture. */
  readonly plugin: (name: string, fixture: string, runtime?: Runtime, prompts?: Prompts) => Promise<string>;
  readonly config: (toml: string) => Promise<void>;
  readonly file: (name: string, text: string) => Promise<void>;
  readonly reasonix: (argv: readonly string[], stdin?: string) => Promise<Ran>;
  /** What the sidecars of a plugin noted, over all of its processes. */
  readonly log: (plugin: string) => Promise<readonly { readonly [member: string]: unknown }[]>;
}

const FIXTURES = fileURLToPath(new URL("../fixtures/", import.meta.url));

export async function openHome(env: { readonly [name: string]: string } = {}): Promise<Home> {
  const folder = await temporaryFolder();
  const home = path.join(folder, "home");
  const workspace = path.join(folder, "workspace");
  await Promise.all([mkdir(home), mkdir(workspace)]);
  const environment = { PATH: process.env["PATH"] ?? "", HOME: folder, REASONIX_HOME: home, ...env };
  const machine = { platform: process.platform, arch: process.arch, node: process.execPath, environment };
  return {
    folder,
    home,
    workspace,
    async plugin(name, fixture, runtime: Runtime = {}, prompts = {}) {
      const root = path.join(folder, "plugins", name);
      await mkdir(path.join(root, "prompts"), { recursive: true });
      for (const [prompt, text] of Object.entries(prompts)) {
        await writeFile(path.join(root, "prompts", `${prompt}.md`), text);
      }
      for (const shared of ["wire.mjs", "hostile.mjs"]) {
        await copyFile(path.join(FIXTURES, shared), path.join(root, shared));
      }
      await copyFile(path.join(FIXTURES, fixture), path.join(root, "sidecar.mjs"));
      await chmod(path.join(root, "sidecar.mjs"), 0o755);
      const manifest = {
        apiVersion: "reasonix.io/plugin/v2",
        name,
        version: "1.0.0",
        ...(Object.keys(prompts).length === 0 ? {} : { prompts: ["prompts"] }),
        runtime: {
          command: "./sidecar.mjs",
          ...runtime,
          env: { LOG: path.join(folder, `${name}.log`), ...runtime.env },
        },
      };
      await writeFile(path.join(root, "reasonix-plugin.json"), JSON.stringify(manifest));
      const report = await installPlugins(
        { source: root, consent: "yes", link: true, replace: true },
        { home, cwd: folder, machine, temporary: tmpdir() },
      );
      const refused = report.actions.find((action) => action.verdict === "refused");
      if (refused !== undefined) throw new Error(JSON.stringify(refused));
      return root;
    },
    config: (toml) => writeFile(path.join(home, "config.toml"), toml),
    file: (name, text) => writeFile(path.join(workspace, name), text),
    reasonix: (argv, input = "") => runInProcess(argv, { env: environment, cwd: workspace, input }),
    log: (plugin) => logOf(folder, plugin),
  };
}
