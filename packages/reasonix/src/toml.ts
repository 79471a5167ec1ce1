/** Reads a TOML file into plain data, with an error that names the file, the place and what to do. */
import { parse, TomlError } from "smol-toml";
import { readOptionalFile } from "./optional-file.ts";
import { CommandError } from "./world.ts";

/** The file's data, or null where there is no such file. */
export async function readToml(path: string): Promise<unknown> {
  const text = await readOptionalFile(path);
  return text === null ? null : parseToml(text, path);
}

export function parseToml(text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const what = error.message.split("\n")[0] ?? error.message;
    throw new CommandError(
      `${path}, line ${error.line}, column ${error.column}: ${what.replace(/^Invalid TOML document: /, "")}.\n` +
        `${indent(error.codeblock)}\nMend that line; nothing was changed.`,
      1,
      { cause: error },
    );
  }
}

function indent(block: string): string {
  return block
    .trimEnd()
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
