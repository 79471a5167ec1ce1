/** The variables that a person sets for one plugin alone: `<home>/plugin-env/<name>.env`. */
import { rm } from "node:fs/promises";
import { FileError, readTextFile, withLock, writeFileAtomic } from "@reasonix-ts/files";
import { environmentFile, type Layout } from "./disk/layout.ts";
import { translated } from "./disk/translate.ts";
import { PluginError } from "./error.ts";
import { isPluginName } from "./manifest/fields.ts";

export type Variables = { readonly [name: string]: string };

export interface EnvironmentText {
  readonly variables: Variables;
  /** Lines that are no variable; they are skipped, and their text is not repeated. */
  readonly problems: readonly string[];
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `KEY=value` a line; blank lines and lines after `#` are skipped; a value may stand in single or double quotes (pure). */
export function parseEnvironment(text: string): EnvironmentText {
  const variables: { [name: string]: string } = {};
  const problems: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    const match = /^(?:export\s+)?([^=\s]+)\s*=\s*(.*)$/s.exec(trimmed);
    const [, name = "", raw = ""] = match ?? [];
    if (!NAME.test(name)) problems.push(`line ${index + 1} is not KEY=value`);
    else variables[name] = unquote(raw);
  }
  return { variables, problems };
}

/** The text that `parseEnvironment` reads back to the same variables (pure). */
export function formatEnvironment(variables: Variables): string {
  const lines = Object.entries(variables).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return lines.map(([name, value]) => `${name}=${quoted(value)}\n`).join("");
}

/** A plugin without the file has no variables. */
export async function readPluginEnvironment(layout: Layout, plugin: string): Promise<EnvironmentText> {
  try {
    return parseEnvironment(await readTextFile(environmentFile(layout, plugin)));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const { cause } = error;
    const gone = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    return { variables: {}, problems: gone ? [] : [error.message] };
  }
}

/** Names only, sorted: values are never shown. */
export async function pluginEnvironmentNames(layout: Layout, plugin: string): Promise<readonly string[]> {
  return Object.keys((await readPluginEnvironment(layout, plugin)).variables).sort();
}

/** Sets a variable, or removes it when `value` is null. The file is readable by its owner alone. */
export async function setPluginVariable(
  layout: Layout,
  plugin: string,
  name: string,
  value: string | null,
): Promise<void> {
  if (!isPluginName(plugin)) throw new PluginError("usage", `${JSON.stringify(plugin)} is no plugin name.`);
  if (!NAME.test(name)) {
    throw new PluginError(
      "usage",
      `${JSON.stringify(name)} is no variable name: use letters, digits and "_", not first a digit.`,
    );
  }
  if (value !== null && /[\0\r\n]/.test(value)) {
    throw new PluginError(
      "usage",
      `The value of ${name} holds a line end or NUL, which a variable of this file cannot.`,
    );
  }
  const file = environmentFile(layout, plugin);
  await translated(() =>
    withLock(file, async () => {
      const { variables } = await readPluginEnvironment(layout, plugin);
      const { [name]: _old, ...rest } = variables;
      const next = value === null ? rest : { ...rest, [name]: value };
      if (Object.keys(next).length === 0) await rm(file, { force: true });
      else await writeFileAtomic(file, formatEnvironment(next), { mode: 0o600 });
    }),
  );
}

/** Deletes the plugin's file, and gives the names of the variables that were in it. */
export async function removePluginEnvironment(layout: Layout, plugin: string): Promise<readonly string[]> {
  const file = environmentFile(layout, plugin);
  return translated(() =>
    withLock(file, async () => {
      const names = await pluginEnvironmentNames(layout, plugin);
      await rm(file, { force: true });
      return names;
    }),
  );
}

function unquote(raw: string): string {
  const value = raw.trim();
  if (/^'.*'$/s.test(value)) return value.slice(1, -1);
  if (/^".*"$/s.test(value)) return value.slice(1, -1).replace(/\\(["\\])/g, "$1");
  return value;
}

function quoted(value: string): string {
  if (/^[\w./:@%+,=-]*$/.test(value)) return value;
  return `"${value.replace(/["\\]/g, "\\$&")}"`;
}
