/** One hook as a native manifest writes it. */
import {
  boolean,
  integer,
  nonEmpty,
  list,
  object,
  oneOf,
  optional,
  record,
  string,
  type Infer,
} from "@reasonix-ts/protocol";

/** The moments at which a hook may run. */
export const HOOK_EVENTS = [
  "SessionStart",
  "SessionEnd",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostLLMCall",
  "PermissionRequest",
  "Notification",
  "Stop",
  "SubagentStop",
  "PreCompact",
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export const HOOK_SHELLS = ["auto", "bash", "powershell", "pwsh", "cmd"] as const;
export type HookShell = (typeof HOOK_SHELLS)[number];

export function isHookEvent(text: string): text is HookEvent {
  return HOOK_EVENTS.some((event) => event === text);
}

export const HookFields = object({
  /** A regular expression for the whole tool name. */
  match: optional(string),
  command: optional(nonEmpty),
  args: optional(list(string)),
  shell: optional(oneOf(HOOK_SHELLS)),
  shellCommand: optional(boolean),
  contextFile: optional(nonEmpty),
  /** Milliseconds. */
  timeout: optional(integer({ min: 1 })),
  async: optional(boolean),
  env: optional(record(string)),
  cwd: optional(nonEmpty),
  description: optional(string),
});
export type HookFields = Infer<typeof HookFields>;

/** Empty, `*` and a missing filter all stand for every tool. */
export function reachesEveryTool(match: string | undefined): boolean {
  return match === undefined || match === "" || match === "*";
}

/** Whether a tool filter can be read as a regular expression for a whole name. */
export function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "u").global === false;
  } catch {
    return false;
  }
}
