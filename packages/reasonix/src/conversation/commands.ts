/** THE table of the conversation's commands, and what a typed line means by it. */
import { nearMiss } from "@reasonix-ts/text";
import { doctorCommand } from "./doctor-command.ts";
import { extensionsCommand, reloadCommand } from "./extension-commands.ts";
import { fillCommand } from "./fill-command.ts";
import { goalCommand } from "./goal-command.ts";
import { compactCommand, costCommand, newCommand, resumeCommand, undoCommand } from "./session-commands.ts";
import { modelCommand, permissionsCommand } from "./setting-commands.ts";
import { readPluginWord, type PluginWord } from "../plugin-word.ts";
import type { TalkCommand } from "./talk.ts";

const helpCommand: TalkCommand = {
  name: "help",
  usage: "",
  summary: "this list",
  whileBusy: true,
  run: (_rest, talk) => talk.say(helpLines()),
};

const quitCommand: TalkCommand = {
  name: "quit",
  usage: "",
  summary: "leave; so does Ctrl-D",
  whileBusy: true,
  run: (_rest, talk) => talk.quit(),
};

const TALK_COMMANDS: readonly TalkCommand[] = [
  helpCommand,
  modelCommand,
  newCommand,
  resumeCommand,
  undoCommand,
  compactCommand,
  costCommand,
  goalCommand,
  permissionsCommand,
  reloadCommand,
  extensionsCommand,
  fillCommand,
  doctorCommand,
  quitCommand,
];

export type TypedLine =
  | { readonly kind: "nothing" }
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "command"; readonly command: TalkCommand; readonly rest: string }
  /** `/<plugin>:<name> …` */
  | { readonly kind: "plugin"; readonly word: PluginWord }
  | { readonly kind: "unknown"; readonly word: string; readonly near: string | null };

const COMMAND = /^\/([A-Za-z][\w-]*)(?:\s+([\s\S]*))?$/;

/** A path such as `/etc/hosts` is no command; everything that is none is a message. */
export function readLine(line: string): TypedLine {
  const text = line.trim();
  if (text === "") return { kind: "nothing" };
  const word = readPluginWord(text);
  if (word !== null) return { kind: "plugin", word };
  const match = COMMAND.exec(text);
  if (match === null) return { kind: "message", text: line };
  const [, name = "", rest = ""] = match;
  const command = TALK_COMMANDS.find((entry) => entry.name === name);
  if (command !== undefined) return { kind: "command", command, rest: rest.trim() };
  const names = TALK_COMMANDS.map((entry) => entry.name);
  return { kind: "unknown", word: name, near: nearMiss(name, names) };
}

/** What the tab key offers: commands, and `actions` that extensions offer, each as `<plugin>:<action>`. */
export function completions(line: string, actions: readonly string[] = []): readonly string[] {
  if (!/^\/[\w.:-]*$/.test(line)) return [];
  const words = [...TALK_COMMANDS.map(({ name }) => name), ...actions];
  return words.map((word) => `/${word}`).filter((word) => word.startsWith(line));
}

function helpLines(): readonly string[] {
  const rows = TALK_COMMANDS.map(({ name, usage, summary }) => ({ left: `/${name} ${usage}`.trimEnd(), summary }));
  const width = Math.max(...rows.map(({ left }) => left.length));
  return [
    ...rows.map(({ left, summary }) => `  ${left.padEnd(width)}  ${summary}`),
    `  ${"/<plugin>:<name> …".padEnd(width)}  something that a plugin offers`,
    "Tab completes a command, or an action of an extension; /fill answers a form that one shows.",
    "Ctrl-C stops a turn and keeps what came of it; twice, it leaves.",
    "A message may be pasted with its line ends, which then look like \u2424.",
  ];
}
