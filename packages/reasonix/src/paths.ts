/** Where things live on disk; nothing here touches the disk. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Environment } from "./world.ts";

export interface Paths {
  readonly home: string;
  readonly config: string;
  readonly env: string;
  readonly sessions: string;
  readonly audit: string;
  readonly grants: string;
  /** What was typed in conversations. */
  readonly history: string;
}

/** `$REASONIX_HOME`, else `~/.reasonix`, which is shared with the reference; sessions have a folder of their own. */
export function pathsOf(env: Environment): Paths {
  const set = env["REASONIX_HOME"];
  const home = set !== undefined && set !== "" ? resolve(set) : join(env["HOME"] ?? homedir(), ".reasonix");
  return {
    home,
    config: join(home, "config.toml"),
    env: join(home, ".env"),
    sessions: join(home, "sessions-ts"),
    audit: join(home, "audit.jsonl"),
    grants: join(home, "grants.json"),
    history: join(home, "history"),
  };
}

/** The file that a project may bring; what it may say is bounded, see `project-config.ts`. */
export const PROJECT_FILE = "reasonix.toml";
