/** Help, made from the command table. */
import type { OptionTable } from "../args.ts";
import type { CommandRow } from "./table.ts";

export function helpFor(command: CommandRow | null, commands: readonly CommandRow[]): string {
  return command === null ? overview(commands) : one(command);
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

function one(command: CommandRow): string {
  const options = optionRows(command.options);
  return [
    `reasonix ${command.name}${command.usage === "" ? "" : ` ${command.usage}`}`,
    "",
    ...wrap(command.summary, 76).map((line) => `  ${line}`),
    ...(options.length === 0 ? [] : ["", "Options", ...columns(options)]),
    "",
  ].join("\n");
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

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return line === "" ? lines : [...lines, line];
}
