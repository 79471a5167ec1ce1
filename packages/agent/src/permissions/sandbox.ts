/** How commands are confined: bubblewrap where it works, by the mode of the session. */
import path from "node:path";
import { runProgram } from "@reasonix-ts/process";
import type { Mode } from "./modes.ts";
import { isInside } from "./real-path.ts";

export type Confinement =
  /** The mode wants none. */
  | { readonly kind: "none" }
  | { readonly kind: "bubblewrap"; readonly command: string; readonly args: readonly string[] }
  /** The mode wants one, and this machine has none that works. */
  | { readonly kind: "absent"; readonly why: string };

export interface ConfinementFacts {
  readonly mode: Mode;
  /** Directories that commands may write to in workspace-write; resolved, links followed. */
  readonly writable: readonly string[];
  /** Paths inside those that stay read-only. */
  readonly protectedPaths: readonly string[];
  readonly network: boolean;
  readonly bubblewrap: Bubblewrap;
}

export type Bubblewrap =
  | { readonly found: true; readonly command: string }
  | { readonly found: false; readonly why: string };

/** Decides the confinement; the command line that bubblewrap gets is made here and nowhere else. */
export function confine(facts: ConfinementFacts): Confinement {
  if (facts.mode === "danger-full-access") return { kind: "none" };
  if (!facts.bubblewrap.found) return { kind: "absent", why: facts.bubblewrap.why };
  const writable = facts.mode === "workspace-write" ? facts.writable : [];
  return {
    kind: "bubblewrap",
    command: facts.bubblewrap.command,
    args: [
      ...WHOLE_SYSTEM_READ_ONLY,
      // The temporary directory is its own, so that sockets and files of other programs there cannot be reached.
      ...OWN_TEMPORARY_DIRECTORY,
      ...writable.flatMap((directory) => ["--bind-try", directory, directory]),
      // In read-only mode a workspace below /tmp would be hidden without this.
      ...(facts.mode === "read-only"
        ? facts.writable.flatMap((directory) => ["--ro-bind-try", directory, directory])
        : []),
      ...foldersAbove(facts.protectedPaths, writable).flatMap((folder) => ["--bind-try", folder, folder]),
      ...facts.protectedPaths.flatMap((kept) => ["--ro-bind-try", kept, kept]),
      ...OWN_PROCESSES,
      ...(facts.network ? [] : ["--unshare-net", "--tmpfs", "/run"]),
    ],
  };
}

const WHOLE_SYSTEM_READ_ONLY = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"] as const;
const OWN_TEMPORARY_DIRECTORY = ["--tmpfs", "/tmp", "--setenv", "TMPDIR", "/tmp"] as const;
const OWN_PROCESSES = ["--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session"] as const;

/**
 * The folders between a writable directory and what is protected in it, outermost first. As mounts of their own they
 * cannot be renamed: else `.git` could be moved away with its protected hooks, and a copy with others take its place.
 */
function foldersAbove(protectedPaths: readonly string[], writable: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const root of writable) {
    for (const kept of protectedPaths.filter((candidate) => isInside(root, candidate))) {
      const steps = path.relative(root, kept).split(path.sep).slice(0, -1);
      for (let depth = 1; depth <= steps.length; depth++) folders.add(path.join(root, ...steps.slice(0, depth)));
    }
  }
  return [...folders];
}

const PROBE_MILLIS = 10_000;

/** Tries bubblewrap once for real: a binary that is there may still be forbidden to make namespaces. */
export async function findBubblewrap(): Promise<Bubblewrap> {
  if (process.platform !== "linux") return { found: false, why: "bubblewrap runs on Linux only" };
  const args = [...WHOLE_SYSTEM_READ_ONLY, "--unshare-pid", "--unshare-net", "true"];
  try {
    const result = await runProgram({ command: "bwrap", args, timeoutMillis: PROBE_MILLIS });
    if (result.outcome === "exited" && result.exit?.code === 0) return { found: true, command: "bwrap" };
    const said = result.stderr.text.trim().split("\n")[0] ?? "";
    return { found: false, why: `bubblewrap does not work here${said === "" ? "" : ` (${said})`}` };
  } catch {
    // Any failure to start has one meaning here and one remedy.
    return { found: false, why: "bubblewrap (bwrap) is not installed" };
  }
}
