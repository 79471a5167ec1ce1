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
  // Whatever fails asks for it, so that every command knows it.
  const options = nodeOptions({ debug: SESSION_OPTIONS.debug, ...command.options });
  const { values, positionals } = attempt(command, () =>
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

/** The first word of a command line that is neither an option nor an option's value. */
export function firstWord(options: OptionTable, argv: readonly string[]): string | undefined {
  const { positionals } = parseArgs({
    args: [...argv],
    options: nodeOptions(options),
    allowPositionals: true,
    strict: false,
  });
  return positionals[0];
}

interface NodeOption {
  readonly type: "string" | "boolean";
  readonly multiple: boolean;
  readonly short?: string;
}

function nodeOptions(options: OptionTable): { [name: string]: NodeOption } {
  const rows = Object.entries(options).map(([name, { type, multiple, short }]): [string, NodeOption] => [
    name,
    { type, multiple: multiple ?? false, ...(short === undefined ? {} : { short }) },
  ]);
  return Object.fromEntries(rows);
}

/** As many options as are told at once; of more, help tells. */
const TOLD_OPTIONS = 8;

function attempt<T>({ name, options }: { readonly name: string; readonly options: OptionTable }, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const own = Object.keys(options);
    const unknown = error instanceof Error && "code" in error && error.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION";
    const known =
      unknown && own.length > 0 && own.length <= TOLD_OPTIONS
        ? ` ${name} takes ${own.map((one) => `--${one}`).join(", ")}.`
        : "";
    throw usage(name, `${text.split(". ")[0] ?? text}.${known}`);
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
