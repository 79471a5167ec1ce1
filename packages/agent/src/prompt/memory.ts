/** Project memory: notes for agents that lie in the workspace and above it. */
import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { isInside } from "../permissions/real-path.ts";
import { codeOf } from "../tools/paths.ts";
import { readRegular } from "../tools/regular-file.ts";

export interface MemoryFile {
  readonly file: string;
  readonly shownPath: string;
  readonly text: string;
}

const NAMES = ["AGENTS.md", "CLAUDE.md", "REASONIX.md"] as const;
/** Of one file; more would crowd out the work. */
const FILE_CHARACTERS = 60_000;
/** Above this a file is no notes, and is not read at all. */
const FILE_BYTES = 4_194_304;

/**
 * Reads the notes from the top directory down to the workspace, so that nearer ones come later. It stops going up at the
 * root of a repository, or at the workspace where it lies in none. Notes are text for the model: they start nothing and
 * allow nothing. A link counts only where it ends inside that top directory: a checkout must not put other files of the
 * machine into a request. Pipes and devices are no notes.
 */
export async function readMemory(workspaceRoot: string): Promise<readonly MemoryFile[]> {
  const found: MemoryFile[] = [];
  const seen = new Set<string>();
  const directories = await directoriesDown(workspaceRoot);
  const top = await realpath(directories[0] ?? workspaceRoot);
  for (const directory of directories) {
    for (const name of NAMES) {
      const file = path.join(directory, name);
      const text = await textOf(file, top);
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

async function textOf(file: string, top: string): Promise<string | null> {
  let text: string;
  try {
    const real = await realpath(file);
    if (!isInside(top, real)) return null;
    const found = await readRegular(real, FILE_BYTES);
    if (found.kind !== "bytes") return null;
    text = found.bytes.toString("utf8").trim();
  } catch (error) {
    // A directory of that name, a link to nowhere, a file that may not be read: no notes.
    if (codeOf(error) !== "") return null;
    throw error;
  }
  if (text.length <= FILE_CHARACTERS) return text;
  return `${text.slice(0, FILE_CHARACTERS)}\n[cut here: the file has ${text.length} characters]`;
}
