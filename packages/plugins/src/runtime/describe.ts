/** Turns the runtime of an installed package into the spec that a host starts, or says why it cannot be. */
import { constants } from "node:fs";
import { access, open, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { DEADLINES } from "@reasonix-ts/protocol";
import { expandRoot, isWindowsAbsolute } from "../manifest/command.ts";
import type { RuntimeBlock } from "../manifest/shape.ts";
import { effectiveCapabilities } from "../manifest/runtime-rules.ts";
import type { Machine } from "../machine.ts";
import { commandPath, planLaunch, type CommandFile } from "./launch.ts";
import type { BrokenSpec, SidecarSpec } from "./spec.ts";

/** Who the runtime belongs to. */
export interface RuntimeOwner {
  readonly plugin: string;
  readonly version: string;
  readonly source: string;
  readonly root: string;
}

export type RuntimeSpec =
  | { readonly ok: true; readonly spec: SidecarSpec }
  | { readonly ok: false; readonly broken: BrokenSpec };

/** `ownVariables` are those of the plugin's own file; they win over the manifest's. */
export async function runtimeSpec(
  owner: RuntimeOwner,
  runtime: RuntimeBlock,
  more: Pick<SidecarSpec, "requires" | "provides">,
  ownVariables: { readonly [name: string]: string },
  machine: Pick<Machine, "platform" | "node">,
): Promise<RuntimeSpec> {
  const file = await inspectCommandFile(runtime.command, owner.root);
  const launch = planLaunch(runtime, owner.root, file, machine);
  const { plugin, version, source, root } = owner;
  const { required, replaces } = runtime;
  if (!launch.ok) {
    return { ok: false, broken: { plugin, version, source, required, replaces, problem: launch.problem } };
  }
  return {
    ok: true,
    spec: {
      plugin,
      version,
      source,
      root,
      command: launch.command,
      args: launch.args,
      env: {
        ...Object.fromEntries(Object.entries(runtime.env).map(([name, value]) => [name, expandRoot(value, root)])),
        ...ownVariables,
        REASONIX_PLUGIN_ROOT: root,
        REASONIX_PLUGIN_NAME: plugin,
        REASONIX_PLUGIN_VERSION: version,
      },
      required,
      priority: runtime.priority,
      timeoutMillis: Math.min(runtime.timeoutMillis, DEADLINES.interceptCeiling),
      intercepts: runtime.intercepts,
      replaces,
      capabilities: effectiveCapabilities(runtime),
      tools: runtime.tools,
      ...more,
    },
  };
}

const SHEBANG = "#!";

/** Looks at the file that the command names, without running it. */
export async function inspectCommandFile(command: string, root: string): Promise<CommandFile> {
  const file = commandPath(command, root);
  const missing: CommandFile = { state: "missing", executable: false, shebang: false, contained: true };
  if (isWindowsAbsolute(file) && path.sep === "/") return missing;
  try {
    if (!(await stat(file)).isFile()) return missing;
    const written = expandRoot(command, root);
    const ownFile = !path.isAbsolute(command) && (written.startsWith(root) || !path.isAbsolute(written));
    const contained = !ownFile || (await realpath(file)).startsWith((await realpath(root)) + path.sep);
    return {
      state: "file",
      executable: await canExecute(file),
      shebang: (await firstBytes(file)) === SHEBANG,
      contained,
    };
  } catch {
    // Gone or unreadable between two looks: the start would fail the same way.
    return missing;
  }
}

async function canExecute(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function firstBytes(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } finally {
    await handle.close();
  }
}
