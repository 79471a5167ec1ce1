/** Help, made from the command table. */
import type { OptionTable } from "../args.ts";
import { wrap } from "../wrap.ts";
import type { CommandRow, VerbRow } from "./row.ts";

export function helpFor(
  command: CommandRow | null,
  commands: readonly CommandRow[],
  verbs: readonly VerbRow[] = [],
): string {
  return command === null ? overview(commands) : one(command, verbs);
}

export function verbHelp(command: CommandRow, verb: VerbRow): string {
  const aliases = (verb.aliases ?? []).map((alias) => `  Also: reasonix ${command.name} ${alias}`);
  return [
    ...verb.usages.map((usage) => `reasonix ${command.name} ${verb.name} ${usage}`.trimEnd()),
    "",
    ...wrap(verb.summary, 76).map((line) => `  ${line}`),
    ...aliases,
    "",
    "Options",
    ...columns(optionRows(verb.options)),
    "",
  ].join("\n");
}

function overview(commands: readonly CommandRow[]): string {
  const rows = commands.map(({ name, summary }) => ({ left: name, right: summary }));
  return [
    "reasonix: a coding agent that extensions can bend",
    "",
    "  reasonix                     a conversation in the terminal",
    '  reasonix run "<task>"        do one task and print what happens',
    "  reasonix plugin install …    add an extension",
    "",
    "Commands",
    ...columns(rows),
    "",
    "`reasonix <command> --help` tells a command's options.",
    "",
  ].join("\n");
}

function one(command: CommandRow, verbs: readonly VerbRow[]): string {
  const options = optionRows(command.options);
  return [
    `reasonix ${command.name}${command.usage === "" ? "" : ` ${command.usage}`}`,
    "",
    ...wrap(command.summary, 76).map((line) => `  ${line}`),
    ...verbLines(command, verbs),
    ...(options.length === 0 ? [] : ["", "Options", ...columns(options)]),
    "",
  ].join("\n");
}

function verbLines(command: CommandRow, verbs: readonly VerbRow[]): readonly string[] {
  if (verbs.length === 0) return [];
  const rows = verbs.map(({ name, aliases, usages, summary }) => ({
    left: [name, ...(aliases ?? [])].join(", ") + (usages.length === 1 && usages[0] !== "" ? ` ${usages[0]}` : ""),
    right: summary,
  }));
  return [
    "",
    "Verbs",
    ...columns(rows),
    "",
    `\`reasonix ${command.name} <verb> --help\` tells a verb's forms and options.`,
  ];
}

function optionRows(options: OptionTable): { left: string; right: string }[] {
  return Object.entries(options).map(([name, row]) => ({
    left: `${row.short === undefined ? "" : `-${row.short}, `}--${name}${row.value === undefined ? "" : ` ${row.value}`}`,
    right: row.summary,
  }));
}

function columns(rows: readonly { readonly left: string; readonly right: string }[]): string[] {
  const width = Math.max(...rows.map((entry) => entry.left.length));
  return rows.flatMap(({ left, right }) => {
    const lines = wrap(right, 76 - width);
    return lines.map((line, index) => `  ${(index === 0 ? left : "").padEnd(width)}  ${line}`);
  });
}
