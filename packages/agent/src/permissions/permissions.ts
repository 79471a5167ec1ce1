/** The permissions of a session: its mode, its rules, what people granted, and how commands are confined. */
import { homedir } from "node:os";
import { resolveIn } from "../tools/paths.ts";
import type { Subject, Tool } from "../tools/tool.ts";
import { commandParts } from "./command.ts";
import type { Approvals, Mode } from "./modes.ts";
import { judge, type JudgedPath, type JudgedSubject, type Verdict } from "./policy.ts";
import { realPathOf } from "./real-path.ts";
import { parseRules, type Rule, type RuleSet } from "./rules.ts";
import { confine, findBubblewrap, type Bubblewrap, type Confinement } from "./sandbox.ts";

export interface PermissionSettings {
  readonly mode: Mode;
  readonly approvals: Approvals;
  readonly rules: RuleSet;
  readonly workspaceRoot: string;
  /** Added directories that count as workspace. */
  readonly addedDirs: readonly string[];
  /** Directories that may be read though they are no workspace. */
  readonly readableDirs: readonly string[];
  /** Paths that neither tools nor commands change unasked, such as the agent's own home. */
  readonly protectedPaths: readonly string[];
  /** Whether confined commands reach the network. */
  readonly network: boolean;
  /** What people granted for good in earlier sessions: counts above rules that ask. */
  readonly granted?: readonly Rule[];
  /** Keeps rules for good, where the person said "always"; absent where there is no place to keep them. */
  readonly keepRules?: (rules: readonly string[]) => Promise<void>;
  /** Tells whether bubblewrap works; tried for real when absent. */
  readonly bubblewrap?: () => Promise<Bubblewrap>;
}

export class Permissions {
  readonly #settings: PermissionSettings;
  #mode: Mode;
  #approvals: Approvals;
  readonly #grants: Rule[];
  #bubblewrap: Promise<Bubblewrap> | null = null;
  #roots: Promise<readonly string[]> | null = null;
  #protected: Promise<readonly string[]> | null = null;

  constructor(settings: PermissionSettings) {
    this.#settings = settings;
    this.#grants = [...(settings.granted ?? [])];
    this.#mode = settings.mode;
    this.#approvals = settings.approvals;
  }

  get mode(): Mode {
    return this.#mode;
  }

  get approvals(): Approvals {
    return this.#approvals;
  }

  /** Rules that people granted, in this session or for good, as written. */
  get grants(): readonly string[] {
    return this.#grants.map((rule) => rule.text);
  }

  set(change: { readonly mode?: Mode; readonly approvals?: Approvals }): void {
    this.#mode = change.mode ?? this.#mode;
    this.#approvals = change.approvals ?? this.#approvals;
  }

  /** Lets calls that these rules match pass from now on; `always` keeps them for good too. */
  async grant(rules: readonly string[], howLong: "session" | "always"): Promise<void> {
    this.#grants.push(...parseRules(rules).rules);
    if (howLong === "always") await this.#settings.keepRules?.(rules);
  }

  async judge(tool: Tool, subject: Subject): Promise<Verdict> {
    const confinement = subject.kind === "command" ? await this.confinement() : null;
    return judge(
      { tool: tool.name, readOnly: tool.readOnly, subject: await this.#judged(subject) },
      {
        mode: this.#mode,
        approvals: this.#approvals,
        rules: this.#settings.rules,
        grants: this.#grants,
        roots: await this.#realRoots(),
        readable: await Promise.all(this.#settings.readableDirs.map((directory) => realPathOf(directory))),
        protectedPaths: await this.#realProtected(),
        home: homedir(),
        confined: confinement?.kind === "bubblewrap",
        unconfinedWhy: confinement?.kind === "absent" ? confinement.why : "",
      },
    );
  }

  /** How a command is confined now. */
  async confinement(): Promise<Confinement> {
    if (this.#mode === "danger-full-access") return { kind: "none" };
    this.#bubblewrap ??= (this.#settings.bubblewrap ?? findBubblewrap)();
    return confine({
      mode: this.#mode,
      writable: await this.#realRoots(),
      protectedPaths: await this.#realProtected(),
      network: this.#settings.network,
      bubblewrap: await this.#bubblewrap,
    });
  }

  #realRoots(): Promise<readonly string[]> {
    const { workspaceRoot, addedDirs } = this.#settings;
    this.#roots ??= Promise.all([workspaceRoot, ...addedDirs].map((directory) => realPathOf(directory)));
    return this.#roots;
  }

  #realProtected(): Promise<readonly string[]> {
    const { workspaceRoot, addedDirs, protectedPaths } = this.#settings;
    const own = [workspaceRoot, ...addedDirs].flatMap((root) =>
      PROTECTED_IN_WORKSPACE.map((name) => resolveIn(root, name)),
    );
    this.#protected ??= Promise.all([...own, ...protectedPaths].map((path) => realPathOf(path)));
    return this.#protected;
  }

  async #judged(subject: Subject): Promise<JudgedSubject> {
    switch (subject.kind) {
      case "read":
      case "write":
        return { kind: subject.kind, paths: await this.#follow(subject.paths) };
      case "command":
        return { ...subject, writes: await this.#follow(commandParts(subject.command).writes) };
      case "fetch":
      case "nothing":
      case "foreign":
        return subject;
    }
  }

  #follow(paths: readonly string[]): Promise<readonly JudgedPath[]> {
    return Promise.all(
      paths.map(async (given) => {
        const absolute = resolveIn(this.#settings.workspaceRoot, given);
        return { given, absolute, real: await realPathOf(absolute) };
      }),
    );
  }
}

/** What decides over later runs: the project's settings for this agent, and what git runs by itself. */
const PROTECTED_IN_WORKSPACE = [
  "reasonix.toml",
  ".reasonix",
  ".git/hooks",
  ".git/config",
  ".git/config.worktree",
  // Names the directory whose hooks and config git uses instead.
  ".git/commondir",
] as const;
