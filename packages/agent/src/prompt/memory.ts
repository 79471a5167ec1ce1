/** Project memory: notes for agents that lie in the workspace and above it. */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../tools/paths.ts";

export interface MemoryFile {
  readonly file: string;
  readonly shownPath: string;
  readonly text: string;
}

const NAMES = ["AGENTS.md", "CLAUDE.md", "REASONIX.md"] as const;
/** Of one file; more would crowd out the work. */
const FILE_CHARACTERS = 60_000;

/**
 * Reads the notes from the top directory down to the workspace, so that nearer ones come later. It stops going up at the
 * root of a repository, or at the workspace where it lies in none. Notes are text for the model: they start nothing and
 * allow nothing.
 */
export async function readMemory(workspaceRoot: string): Promise<readonly MemoryFile[]> {
  const found: MemoryFile[] = [];
  const seen = new Set<string>();
  for (const directory of await directoriesDown(workspaceRoot)) {
    for (const name of NAMES) {
      const file = path.join(directory, name);
      const text = await textOf(file);
      // The same notes under two names, as a link or a copy, are said once.
      if (text === null || text === "" || seen.has(text)) continue;
      seen.add(text);
      found.push({ file, shownPath: path.relative(workspaceRoot, file) || name, text });
    }
  }
  return found;
}

async function directoriesDown(workspaceRoot: string): Promise<readonly string[]> {
  const directories: string[] = [];
  for (let directory = workspaceRoot; ; directory = path.dirname(directory)) {
    directories.unshift(directory);
    if (await isRepository(directory)) return directories;
    if (path.dirname(directory) === directory) return [workspaceRoot];
  }
}

async function isRepository(directory: string): Promise<boolean> {
  try {
    await stat(path.join(directory, ".git"));
    return true;
  } catch {
    // Whatever keeps it from being seen, it is no repository to us.
    return false;
  }
}

async function textOf(file: string): Promise<string | null> {
  let text: string;
  try {
    text = (await readFile(file, "utf8")).trim();
  } catch (error) {
    // A directory of that name, a link to nowhere, a file that may not be read: no notes.
    if (codeOf(error) !== "") return null;
    throw error;
  }
  if (text.length <= FILE_CHARACTERS) return text;
  return `${text.slice(0, FILE_CHARACTERS)}\n[cut here: the file has ${text.length} characters]`;
}
