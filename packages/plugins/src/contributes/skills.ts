/** Skills: folders with a SKILL.md. */
import path from "node:path";
import { readTextInside } from "../package/read-inside.ts";
import type { Note, Skill } from "./contribution.ts";
import { filesOf } from "./files.ts";
import { readFrontMatter, textField } from "./front-matter.ts";

const SKILL_FILE = "SKILL.md";

/** A declared path is a skill's folder, a folder of such folders, or a SKILL.md itself. A skill holds no further skills. */
export async function readSkills(
  plugin: string,
  root: string,
  declared: readonly string[],
  note: Note,
): Promise<readonly Skill[]> {
  const files = await filesOf(root, declared, (file) => path.posix.basename(file) === SKILL_FILE, note);
  const folders = files.map((file) => path.posix.dirname(file));
  const outer = files.filter(
    (file) => !folders.some((other) => other !== path.posix.dirname(file) && isBelow(file, other)),
  );
  const skills = new Map<string, Skill>();
  for (const file of outer) {
    const skill = await readSkill(plugin, root, file, note);
    if (skill === null) continue;
    if (skills.has(skill.name)) note(file, `a skill named ${skill.name} is there already`);
    else skills.set(skill.name, skill);
  }
  return [...skills.values()];
}

function isBelow(file: string, folder: string): boolean {
  return folder === "." ? file !== SKILL_FILE : file.startsWith(`${folder}/`);
}

async function readSkill(plugin: string, root: string, relative: string, note: Note): Promise<Skill | null> {
  const read = await readTextInside(root, relative);
  if (!read.ok) {
    note(relative, read.problem);
    return null;
  }
  const { fields, body, problem } = await readFrontMatter(read.text);
  if (problem !== null) note(relative, `its front matter is no YAML (${problem}); its plain lines are used`, "warning");
  const folder = path.posix.dirname(relative);
  const written = textField(fields, "name");
  const name = commandName(written === "" ? (folder === "." ? plugin : path.posix.basename(folder)) : written);
  if (name === "") {
    note(relative, "its name has no letter or digit");
    return null;
  }
  return {
    plugin,
    name,
    description: textField(fields, "description"),
    argumentHint: textField(fields, "argument-hint"),
    file: read.file,
    folder: path.dirname(read.file),
    body,
  };
}

/** What can be typed after a slash: no space, no colon, no control character. */
export function commandName(text: string): string {
  return text
    .trim()
    .replace(/[\s:/\\\p{Cc}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}
