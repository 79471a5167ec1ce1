/** The user's `config.toml`, the project's `reasonix.toml` and the command line, made into one set of settings. */
import {
  boolean,
  decode,
  decodeTolerant,
  json,
  list,
  nonEmpty,
  number,
  object,
  oneOf,
  optional,
  problemText,
  string,
  type Infer,
  type Problem,
} from "@reasonix-ts/protocol";
import { APPROVALS, MODES, type Approvals, type Mode } from "@reasonix-ts/agent";
import { nearMiss } from "@reasonix-ts/text";

const rules = optional(list(nonEmpty));

const UserConfig = object({
  default_model: optional(nonEmpty),
  effort: optional(nonEmpty),
  permission_mode: optional(oneOf(MODES)),
  approvals: optional(oneOf(APPROVALS)),
  max_steps: optional(number({ min: 1 })),
  max_cost: optional(number({ min: 0 })),
  instructions: optional(string),
  permissions: optional(object({ allow: rules, ask: rules, deny: rules })),
  sandbox: optional(object({ network: optional(boolean) })),
  web: optional(object({ allow: rules })),
  providers: optional(list(json)),
});
type UserConfig = Infer<typeof UserConfig>;

/** All that a project may set; the rest of its file is ignored with one notice. */
const ProjectConfig = object({
  default_model: optional(nonEmpty),
  instructions: optional(string),
  permissions: optional(object({ ask: rules, deny: rules })),
});
type ProjectConfig = Infer<typeof ProjectConfig>;

export interface PermissionRules {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

export interface Settings {
  readonly defaultModel: string | null;
  readonly effort: string | null;
  readonly permissionMode: Mode;
  readonly approvals: Approvals;
  readonly maxSteps: number | null;
  readonly maxCost: number | null;
  readonly instructions: readonly string[];
  readonly rules: PermissionRules;
  readonly network: boolean;
  /** Private addresses that web_fetch may reach, such as `127.0.0.1:8080`. */
  readonly fetchAllow: readonly string[];
  /** As written; `providers.ts` judges each. */
  readonly providers: readonly unknown[];
}

/** Something about a configuration file that a person should hear of; nothing was lost. */
export interface ConfigFinding {
  readonly file: string;
  readonly text: string;
  /** Whether every run tells it (a project that oversteps), or doctor alone (unknown keys of the user's own file). */
  readonly tell: "always" | "doctor";
}

export interface Judged<T> {
  readonly value: T;
  readonly findings: readonly ConfigFinding[];
  /** Values of a wrong type: the file cannot be used. */
  readonly errors: readonly string[];
}

/** Judges the user's file: wrong values are errors, unknown keys are kept and told by doctor. */
export function judgeUserConfig(data: unknown, file: string): Judged<UserConfig> {
  if (data === null) return { value: {}, findings: [], errors: [] };
  const strict = decode(UserConfig, structuredClone(data));
  if (strict.ok) return { value: strict.value, findings: [], errors: [] };
  const tolerant = decodeTolerant(UserConfig, data);
  return {
    value: tolerant.ok ? tolerant.value : {},
    findings: strict.problems.filter(isUnknown).map((problem) => ({
      file,
      tell: "doctor" as const,
      text: `${dotted(problem.path)} is not a setting of this version; it is kept and not used.${suggestion(problem)}`,
    })),
    errors: tolerant.ok ? [] : tolerant.problems.map((problem) => wrongValue(problem)),
  };
}

/** Judges a project's file: only what a project may set is read, and one notice names the rest. */
export function judgeProjectConfig(data: unknown, file: string): Judged<ProjectConfig> {
  if (data === null) return { value: {}, findings: [], errors: [] };
  const strict = decode(ProjectConfig, structuredClone(data));
  if (strict.ok) return { value: strict.value, findings: [], errors: [] };
  const tolerant = decodeTolerant(ProjectConfig, data);
  const ignored = strict.problems.filter(isUnknown).map((problem) => dotted(problem.path));
  return {
    value: tolerant.ok ? tolerant.value : {},
    findings:
      ignored.length === 0
        ? []
        : [
            {
              file,
              tell: "always",
              text: `A project may set default_model, instructions and permissions.ask and .deny only. Ignored here: ${ignored.join(", ")}.`,
            },
          ],
    errors: tolerant.ok ? [] : tolerant.problems.map((problem) => wrongValue(problem)),
  };
}

export interface CommandLine {
  readonly model?: string | undefined;
  readonly effort?: string | undefined;
  readonly permissionMode?: string | undefined;
  readonly approvals?: string | undefined;
  readonly maxSteps?: number | undefined;
  readonly maxCost?: number | undefined;
}

/**
 * The command line wins over the project, the project over the user, but for rules, which add up.
 * A project's `default_model` counts only where `start.has` knows it: it chooses among what the user has.
 */
export function settingsOf(
  user: UserConfig,
  project: ProjectConfig,
  line: CommandLine,
  start: {
    /** Whether a model is among those that the user has. */
    readonly has: (ref: string) => boolean;
    /** Whether a person is there to be asked. Without one, what lies inside the mode's bounds goes on unasked. */
    readonly present: boolean;
  },
): Settings {
  const projectModel =
    project.default_model !== undefined && start.has(project.default_model) ? project.default_model : undefined;
  return {
    defaultModel: line.model ?? projectModel ?? user.default_model ?? null,
    effort: line.effort ?? user.effort ?? null,
    permissionMode: pick(MODES, line.permissionMode) ?? user.permission_mode ?? "workspace-write",
    approvals: pick(APPROVALS, line.approvals) ?? user.approvals ?? (start.present ? "ask" : "auto"),
    maxSteps: line.maxSteps ?? user.max_steps ?? null,
    maxCost: line.maxCost ?? user.max_cost ?? null,
    instructions: [user.instructions, project.instructions].filter((text) => text !== undefined),
    rules: {
      allow: user.permissions?.allow ?? [],
      ask: [...(user.permissions?.ask ?? []), ...(project.permissions?.ask ?? [])],
      deny: [...(user.permissions?.deny ?? []), ...(project.permissions?.deny ?? [])],
    },
    network: user.sandbox?.network ?? false,
    fetchAllow: user.web?.allow ?? [],
    providers: user.providers ?? [],
  };
}

function pick<const V extends readonly string[]>(values: V, text: string | undefined): V[number] | undefined {
  return values.find((value) => value === text);
}

function isUnknown(problem: Problem): problem is Extract<Problem, { kind: "unknown" }> {
  return problem.kind === "unknown";
}

function suggestion(problem: Extract<Problem, { kind: "unknown" }>): string {
  const near = nearMiss(problem.member, problem.known);
  return near === null ? "" : ` Did you mean ${near}?`;
}

function wrongValue(problem: Problem): string {
  return problem.kind === "wrong"
    ? `${dotted(problem.path)} is ${problem.received}, wanted ${problem.expected}`
    : problemText(problem);
}

/** `/permissions/deny/0` as people write it in TOML: `permissions.deny[0]`. */
function dotted(pointer: string): string {
  return pointer
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce(
      (path, segment) => (/^\d+$/.test(segment) ? `${path}[${segment}]` : path === "" ? segment : `${path}.${segment}`),
      "",
    );
}
