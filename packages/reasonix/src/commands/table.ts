/** THE table of commands: what each is called, which options it takes, and where its code is loaded from. */
import { nearMiss } from "@reasonix-ts/text";
import { firstWord, JSON_OPTION, SESSION_OPTIONS, type OptionTable } from "../args.ts";
import type { CommandRow, VerbRow } from "./row.ts";

const PRINT_OPTIONS = {
  "output-format": {
    type: "string",
    value: "<format>",
    choices: ["text", "json", "stream-json"],
    summary: "text (default), json: one object, stream-json: one event a line",
  },
} as const satisfies OptionTable;

export const COMMANDS: readonly CommandRow[] = [
  {
    name: "chat",
    usage: "",
    summary: "a conversation in the terminal (also: reasonix without arguments)",
    options: SESSION_OPTIONS,
    load: async () => (await import("./chat.ts")).chat,
  },
  {
    name: "run",
    usage: "<task>",
    summary: "do one task and print what happens (also: reasonix -p <task>); reads standard input too",
    options: { ...SESSION_OPTIONS, ...PRINT_OPTIONS },
    load: async () => (await import("./run.ts")).run,
  },
  {
    name: "plugin",
    usage: "<verb> …",
    summary:
      "manage plugin packages: install, update, list, show, doctor, enable, disable, remove, env, upgrade-manifest",
    options: {},
    verbs: async () => (await import("./plugin-verbs.ts")).PLUGIN_VERBS,
    load: async () => (await import("./plugin.ts")).plugin,
  },
  {
    name: "extensions",
    usage: "",
    summary: "who is loaded, with points, slots, times and what they changed last",
    options: { ...JSON_OPTION, cwd: SESSION_OPTIONS.cwd, safe: SESSION_OPTIONS.safe },
    load: async () => (await import("./extensions.ts")).extensions,
  },
  {
    name: "sessions",
    usage: "[export <id> | fork <id>]",
    summary: "list, export or fork the sessions of this folder",
    options: { ...JSON_OPTION, cwd: SESSION_OPTIONS.cwd },
    load: async () => (await import("./sessions.ts")).sessions,
  },
  {
    name: "undo",
    usage: "",
    summary: "take back the files that the last turn of this folder's session changed",
    options: { cwd: SESSION_OPTIONS.cwd, resume: SESSION_OPTIONS.resume, ...JSON_OPTION },
    load: async () => (await import("./undo.ts")).undo,
  },
  {
    name: "models",
    usage: "",
    summary: "list the models that can be used",
    options: { ...JSON_OPTION, safe: SESSION_OPTIONS.safe, cwd: SESSION_OPTIONS.cwd },
    load: async () => (await import("./models.ts")).models,
  },
  {
    name: "setup",
    usage: "",
    summary: "choose a model provider and store its key",
    options: {
      provider: { type: "string", value: "<name>", summary: "deepseek, openai, anthropic, or a name of your own" },
      "base-url": { type: "string", value: "<url>", summary: "where the provider answers" },
      model: { type: "string", value: "<id>", summary: "a model that it offers" },
    },
    load: async () => (await import("./setup.ts")).setup,
  },
  {
    name: "doctor",
    usage: "[runtime|capabilities]",
    summary: "check configuration, plugins and runtimes, with a next step for each finding",
    options: { ...JSON_OPTION, cwd: SESSION_OPTIONS.cwd, safe: SESSION_OPTIONS.safe },
    load: async () => (await import("./doctor.ts")).doctor,
  },
];

export type Found =
  | { readonly kind: "found"; readonly command: CommandRow | null; readonly rest: readonly string[] }
  | { readonly kind: "unknown"; readonly word: string; readonly near: string | null };

/** Finds the command that a command line names; null means that only help was asked for. */
export function findCommand(argv: readonly string[]): Found {
  const [first, ...rest] = argv;
  if (first === "--help" || first === "-h" || first === "help") return { kind: "found", command: null, rest: [] };
  if (first === undefined) return { kind: "found", command: row("chat"), rest: [] };
  const printAt = argv.indexOf("-p");
  if (printAt !== -1 && first.startsWith("-")) {
    return { kind: "found", command: row("run"), rest: argv.filter((_, index) => index !== printAt) };
  }
  if (first.startsWith("-")) return { kind: "found", command: row("chat"), rest: argv };
  const command = COMMANDS.find((entry) => entry.name === first);
  if (command !== undefined) return { kind: "found", command, rest };
  const near = nearMiss(
    first,
    COMMANDS.map((entry) => entry.name),
  );
  return { kind: "unknown", word: first, near: near ?? null };
}

/** The verb that a command line names, or null. */
export function findVerb(verbs: readonly VerbRow[], argv: readonly string[]): VerbRow | null {
  const word = firstWord(verbOptions(verbs), argv);
  return verbs.find(({ name, aliases }) => name === word || aliases?.includes(word ?? "") === true) ?? null;
}

/** The options of all verbs. */
export function verbOptions(verbs: readonly VerbRow[]): OptionTable {
  return Object.fromEntries(verbs.flatMap(({ options }) => Object.entries(options)));
}

function row(name: string): CommandRow {
  const found = COMMANDS.find((entry) => entry.name === name);
  if (found === undefined) throw new Error(`the command table has no row ${name}`);
  return found;
}
