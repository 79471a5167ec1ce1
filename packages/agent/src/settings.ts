/** What a session is told about how to work. */
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import type { PermissionSettings } from "./permissions/permissions.ts";
import { NO_RULES } from "./permissions/rules.ts";

export interface CompactionSettings {
  /** Share of the model's context window above which the conversation is folded. */
  readonly ratio: number;
  /** Share of the window that recent messages keep. */
  readonly keepRatio: number;
  /** Window that is assumed where a model does not tell its own, in tokens. */
  readonly assumedWindow: number;
}

export interface SessionSettings {
  /** The model's ref, such as `deepseek/deepseek-chat` or `plugin/…`. */
  readonly model: string;
  readonly effort: string | null;
  readonly permissions: Omit<PermissionSettings, "workspaceRoot" | "readableDirs">;
  readonly limits: Limits;
  readonly compaction: CompactionSettings;
  /** Instructions for the system prompt, of the user and of the project. */
  readonly instructions: string;
  /** Whether AGENTS.md and its like are read from the workspace and above. */
  readonly memory: boolean;
  /** Private addresses that web_fetch may reach, such as `127.0.0.1:8080`. */
  readonly fetchAllow: readonly string[];
}

export const DEFAULT_COMPACTION: CompactionSettings = { ratio: 0.8, keepRatio: 0.2, assumedWindow: 64_000 };

/** Everything at its default but the model. */
export function sessionSettings(model: string, changes: Partial<SessionSettings> = {}): SessionSettings {
  return {
    model,
    effort: null,
    permissions: {
      mode: "workspace-write",
      approvals: "ask",
      rules: NO_RULES,
      addedDirs: [],
      protectedPaths: [],
      network: false,
    },
    limits: DEFAULT_LIMITS,
    compaction: DEFAULT_COMPACTION,
    instructions: "",
    memory: true,
    fetchAllow: [],
    ...changes,
  };
}
