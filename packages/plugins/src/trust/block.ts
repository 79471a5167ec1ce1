/** What a person authorizes by installing a plugin with a runtime, as data. */
import { realpath } from "node:fs/promises";
import { DEADLINES, type Capability, type PointName, type SlotName } from "@reasonix-ts/protocol";
import { digestFile } from "@reasonix-ts/files";
import { redactSecrets } from "@reasonix-ts/text";
import { expandRoot } from "../manifest/command.ts";
import type { RuntimeBlock } from "../manifest/shape.ts";
import { effectiveCapabilities } from "../manifest/runtime-rules.ts";
import type { Machine } from "../machine.ts";
import { inspectCommandFile } from "../runtime/describe.ts";
import { commandPath, planLaunch } from "../runtime/launch.ts";

export interface TrustBlock {
  /** As the manifest writes it. */
  readonly command: string;
  /** Absolute, where the plugin is or will be. */
  readonly resolved: string;
  /** SHA-256 of the command's file; null when there is none to read. */
  readonly sha256: string | null;
  /** Whether the host's own Node runs the file. */
  readonly withNode: boolean;
  /** Why it would not start as it is; null when nothing is in the way. */
  readonly obstacle: string | null;
  /** Secrets in them are taken out. */
  readonly args: readonly string[];
  /** Names of variables that the manifest sets. */
  readonly env: readonly string[];
  /** Names of variables that the person set for it, in `plugin-env`. */
  readonly gets: readonly string[];
  readonly required: boolean;
  readonly priority: number;
  /** As it takes effect: 0 for the defaults of the points. */
  readonly timeoutMillis: number;
  readonly intercepts: readonly PointName[];
  readonly slots: readonly SlotName[];
  readonly capabilities: readonly Capability[];
  readonly tools: readonly string[];
}

/** `from` is where the files are now, `root` where they will be run; the same for an installed plugin. `gets` as in the block. Starts nothing. */
export async function trustBlock(
  runtime: RuntimeBlock,
  from: string,
  root: string,
  machine: Pick<Machine, "platform" | "node">,
  gets: readonly string[] = [],
): Promise<TrustBlock> {
  const file = await inspectCommandFile(runtime.command, from);
  const launch = planLaunch(runtime, root, file, machine);
  const sha256 = file.state === "file" ? await digestOf(commandPath(runtime.command, from)) : null;
  return {
    command: runtime.command,
    resolved: commandPath(runtime.command, root),
    sha256,
    withNode: launch.ok && launch.withNode,
    obstacle: launch.ok ? null : launch.problem,
    args: runtime.args.map((arg) => redactSecrets(expandRoot(arg, root))),
    env: Object.keys(runtime.env).sort(),
    gets,
    required: runtime.required,
    priority: runtime.priority,
    timeoutMillis: Math.min(runtime.timeoutMillis, DEADLINES.interceptCeiling),
    intercepts: runtime.intercepts,
    slots: runtime.replaces,
    capabilities: effectiveCapabilities(runtime),
    tools: runtime.tools.map(({ name }) => name),
  };
}

/** A link inside the package is read through: it is the file behind it that runs. */
async function digestOf(file: string): Promise<string | null> {
  try {
    return await digestFile(await realpath(file));
  } catch {
    // Shown as unreadable: the obstacle beside it says the rest.
    return null;
  }
}
