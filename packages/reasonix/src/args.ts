/** Options of the command line, parsed by node:util over our table, with errors that say what to type. */
import { parseArgs } from "node:util";
import { CommandError, EXIT } from "./world.ts";

export interface OptionRow {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
  /** How help shows the value: `<dir>`. */
  readonly value?: string;
  readonly summary: string;
  /** The only values that are accepted. */
  readonly choices?: readonly string[];
}

export interface OptionTable {
  readonly [name: string]: OptionRow;
}

export interface Parsed {
  readonly words: readonly string[];
  flag(name: string): boolean;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
}

/** Options that concern a session, shared by every command that opens one. */
export const SESSION_OPTIONS = {
  model: { type: "string", value: "<ref>", summary: "the model, such as deepseek/deepseek-chat or offline/scripted" },
  effort: { type: "string", value: "<level>", summary: "how much a model should reason, where it offers levels" },
  cwd: { type: "string", short: "C", value: "<dir>", summary: "work in this folder" },
  "add-dir": { type: "string", multiple: true, value: "<dir>", summary: "a further folder that tools may write to" },
  continue: { type: "boolean", summary: "go on with this folder's last session" },
  resume: { type: "string", value: "<id>", summary: "go on with that session" },
  "permission-mode": {
    type: "string",
    value: "<mode>",
    choices: ["read-only", "workspace-write", "danger-full-access"],
    summary: "what tools may touch: read-only, workspace-write (default), danger-full-access",
  },
  approvals: {
    type: "string",
    value: "<how>",
    choices: ["ask", "auto", "never"],
    summary: "who decides what no rule decides: ask (default where a person is there), auto, never",
  },
  "max-steps": { type: "string", value: "<n>", summary: "end a turn after this many model requests" },
  "max-cost": { type: "string", value: "<sum>", summary: "end a turn when it has cost this much" },
  safe: { type: "boolean", summary: "start without any plugin" },
  debug: { type: "boolean", summary: "show details of failures" },
} as const satisfies OptionTable;

export const JSON_OPTION = {
  json: { type: "boolean", summary: "print JSON" },
} as const satisfies OptionTable;

/** Parses a command's options; a wrong one ends with exit code 2 and says what is right. */
export function parseOptions(
  command: { readonly name: string; readonly options: OptionTable },
  argv: readonly string[],
): Parsed {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, row]) => [
      name,
      {
        type: row.type,
        multiple: row.multiple ?? false,
        ...(row.short === undefined ? {} : { short: row.short }),
      },
    ]),
  );
  const { values, positionals } = attempt(command.name, () =>
    parseArgs({ args: [...argv], options, allowPositionals: true, strict: true }),
  );
  for (const [name, row] of Object.entries(command.options)) {
    const value = values[name];
    if (row.choices === undefined || typeof value !== "string" || row.choices.includes(value)) continue;
    throw usage(command.name, `--${name} takes one of ${row.choices.join(", ")}, not "${value}".`);
  }
  return {
    words: positionals,
    flag: (name) => values[name] === true,
    text(name) {
      const value = values[name];
      return typeof value === "string" ? value : undefined;
    },
    texts(name) {
      const value = values[name];
      return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
    },
  };
}

function attempt<T>(command: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw usage(command, `${text.split(". ")[0] ?? text}.`);
  }
}

export function usage(command: string, problem: string): CommandError {
  return new CommandError(`${problem} See \`reasonix ${command} --help\`.`, EXIT.usage);
}

/** A positive number given as an option's text. */
export function positive(command: string, option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value > 0) return value;
  throw usage(command, `--${option} takes a number above zero, not "${text}".`);
}
