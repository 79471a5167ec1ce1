/** Commands and prompts: Markdown files that are called with arguments. */
import path from "node:path";
import { readTextInside } from "../package/read-inside.ts";
import type { AgentProfile, Note, Template } from "./contribution.ts";
import { filesOf } from "./files.ts";
import { readFrontMatter, textField, type FrontMatter } from "./front-matter.ts";
import { commandName } from "./skills.ts";

export async function readTemplates(
  plugin: string,
  root: string,
  declared: readonly string[],
  note: Note,
): Promise<readonly Template[]> {
  return readMarkdown(root, declared, note, ({ name, file, fields, body }) => ({
    plugin,
    name,
    description: textField(fields, "description"),
    argumentHint: textField(fields, "argument-hint"),
    file,
    body,
  }));
}

export async function readAgents(
  plugin: string,
  root: string,
  declared: readonly string[],
  note: Note,
): Promise<readonly AgentProfile[]> {
  return readMarkdown(root, declared, note, ({ name, file, fields, body }) => ({
    plugin,
    name: commandName(textField(fields, "name")) || name,
    description: textField(fields, "description"),
    model: textField(fields, "model"),
    tools: toolsOf(fields["tools"]),
    file,
    body,
  }));
}

/**
 * Puts arguments in their places: `$ARGUMENTS` is all of them as typed, `$1`, `$2`, … are single words, of which quotes
 * join several. Without any place they follow the text after a blank line. What they hold is never expanded again.
 */
export function expandTemplate(body: string, typed: string): string {
  const words = splitWords(typed);
  let placed = false;
  const text = body.replace(/\$(ARGUMENTS\b|[1-9]\d?(?!\d))/g, (_whole, place: string) => {
    placed = true;
    return place === "ARGUMENTS" ? typed : (words[Number(place) - 1] ?? "");
  });
  return placed || typed.trim() === "" ? text : `${text.trimEnd()}\n\n${typed}`;
}

function splitWords(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

interface Markdown {
  readonly name: string;
  readonly file: string;
  readonly fields: FrontMatter["fields"];
  readonly body: string;
}

/** The name is the file's, without its ending; folders below the declared path do not count. */
async function readMarkdown<T extends { readonly name: string }>(
  root: string,
  declared: readonly string[],
  note: Note,
  make: (found: Markdown) => T,
): Promise<readonly T[]> {
  const files = await filesOf(
    root,
    declared,
    (file) => /\.md$/i.test(file) && !/(?:^|\/)README\.md$/i.test(file),
    note,
  );
  const made = new Map<string, T>();
  for (const relative of files) {
    const read = await readTextInside(root, relative);
    if (!read.ok) {
      note(relative, read.problem);
      continue;
    }
    const { fields, body, problem } = await readFrontMatter(read.text);
    if (problem !== null)
      note(relative, `its front matter is no YAML (${problem}); its plain lines are used`, "warning");
    const name = commandName(path.posix.basename(relative).replace(/\.md$/i, ""));
    const one = make({ name, file: read.file, fields, body });
    if (one.name === "") note(relative, "its name has no letter or digit");
    else if (made.has(one.name)) note(relative, `one named ${one.name} is there already`);
    else made.set(one.name, one);
  }
  return [...made.values()];
}

/** A list, or words with commas between them; null when nothing is said. */
function toolsOf(value: unknown): readonly string[] | null {
  if (Array.isArray(value)) return value.filter((one) => typeof one === "string");
  if (typeof value !== "string" || value.trim() === "" || value.trim() === "*") return null;
  return value
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}
