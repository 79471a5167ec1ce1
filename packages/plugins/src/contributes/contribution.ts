/** What plugins contribute by declaration, as typed data that the agent and the frontends use. */
import type { McpServerEntry } from "../manifest/shape.ts";
import type { HookEvent, HookShell } from "../manifest/hook-fields.ts";

export interface Contributions {
  readonly skills: readonly Skill[];
  readonly agents: readonly AgentProfile[];
  /** Commands and prompts: the same thing under two names, told apart where a name clashes. */
  readonly commands: readonly Template[];
  readonly prompts: readonly Template[];
  readonly hooks: readonly Hook[];
  readonly mcpServers: readonly McpServer[];
  readonly themes: readonly Theme[];
  readonly problems: readonly ContributionProblem[];
}

export interface ContributionProblem {
  readonly plugin: string;
  /** File or entry, relative to the plugin's root. */
  readonly entry: string;
  readonly problem: string;
  /** An error leaves the entry out; a warning does not. */
  readonly severity: "error" | "warning";
}

interface Contributed {
  readonly plugin: string;
  readonly name: string;
  readonly description: string;
  /** Absolute. */
  readonly file: string;
}

/** A folder of instructions with a SKILL.md; typed as `/<plugin>:<name>`. */
export interface Skill extends Contributed {
  readonly folder: string;
  readonly argumentHint: string;
  /** What follows the front matter. */
  readonly body: string;
}

/** A subagent's profile; typed as `/<plugin>:agent:<name>`. */
export interface AgentProfile extends Contributed {
  /** As written; empty when the session's own model is meant. */
  readonly model: string;
  /** Null for all tools. */
  readonly tools: readonly string[] | null;
  readonly body: string;
}

/** Text that a person calls with arguments; typed as `/<plugin>:<name>`. */
export interface Template extends Contributed {
  readonly argumentHint: string;
  readonly body: string;
}

export interface Hook {
  readonly plugin: string;
  readonly event: HookEvent;
  /** A regular expression for the whole tool name; null for every tool. */
  readonly match: string | null;
  readonly action: HookAction;
  /** Milliseconds; null for the default of whoever runs it. */
  readonly timeoutMillis: number | null;
  readonly async: boolean;
  /** Added to the inherited environment. */
  readonly env: { readonly [name: string]: string };
  readonly description: string;
  /** Whose tool names and payloads the hook was written for. */
  readonly dialect: "reasonix" | "claude";
  /** Where it is declared, for messages. */
  readonly entry: string;
}

export type HookAction =
  /** Started directly; every argument arrives literally. */
  | { readonly type: "exec"; readonly command: string; readonly args: readonly string[]; readonly cwd: string | null }
  /** Handed to a shell; the root is expanded and quoted already. */
  | { readonly type: "shell"; readonly shell: HookShell; readonly script: string; readonly cwd: string | null }
  /** A file whose text is added; nothing is started. */
  | { readonly type: "context"; readonly file: string };

export interface McpServer {
  readonly plugin: string;
  readonly name: string;
  /** With the root expanded in command, args, env, url and headers. */
  readonly server: McpServerEntry;
  /** Working directory of a stdio server. */
  readonly root: string;
}

/** Colours and sizes alone; selected as `plugin:<plugin>:<id>`. */
export interface Theme {
  readonly plugin: string;
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly baseStyle: string;
  readonly tokens: { readonly light: Tokens; readonly dark: Tokens };
  readonly recipes: { readonly [recipe: string]: string };
}

/** Values are `#RRGGBB` or `#RRGGBBAA`. */
export type Tokens = { readonly [token: string]: string };

/** How a problem is noted while a kind of contribution is read. */
export type Note = (entry: string, problem: string, severity?: ContributionProblem["severity"]) => void;
