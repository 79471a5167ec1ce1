/** Remembers what files held before a turn changed them, on disk, so that the turn can be undone. */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { readJsonFile, writeFileAtomic, writeJsonFile } from "@reasonix-ts/files";
import { list, nonEmpty, object, oneOf, optional, decode, string, type Infer } from "@reasonix-ts/protocol";
import { codeOf } from "../tools/paths.ts";

const Entry = object({
  file: nonEmpty,
  /** `absent`: there was no such file. `kept`: its content is in the file `kept`. */
  before: oneOf(["absent", "kept"]),
  kept: optional(string),
  /** Digest of what the turn last wrote, to see whether somebody changed it since. */
  after: optional(string),
});
type Entry = Infer<typeof Entry>;
const Journal = object({ entries: list(Entry) });

export interface UndoReport {
  readonly restored: readonly string[];
  readonly removed: readonly string[];
  /** Changed by somebody else since; left as they are. */
  readonly skipped: readonly string[];
}

/** One session's changed files, a directory a turn. */
export class UndoJournal {
  readonly #root: string;
  #turn = 0;
  #entries: Entry[] | null = null;

  constructor(root: string) {
    this.#root = root;
  }

  /** Begins a turn; its directory is made with the first changed file. */
  begin(): void {
    this.#entries = null;
  }

  /** Before the first change of a file in this turn, keeps what it held. Throws when that cannot be kept. */
  async remember(file: string): Promise<void> {
    if (this.#entries === null) {
      this.#turn = (await lastTurn(this.#root)) + 1;
      await mkdir(this.#directory(), { recursive: true, mode: 0o700 });
      this.#entries = [];
    }
    if (this.#entries.some((entry) => entry.file === file)) return;
    try {
      const content = await readFile(file);
      const kept = `${this.#entries.length}`;
      await writeFileAtomic(path.join(this.#directory(), kept), content, { mode: 0o600 });
      this.#entries.push({ file, before: "kept", kept });
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      this.#entries.push({ file, before: "absent" });
    }
    await this.#write();
  }

  async wrote(file: string): Promise<void> {
    if (this.#entries === null) return;
    const after = await digestOf(file);
    if (after === null) return;
    this.#entries = this.#entries.map((entry) => (entry.file === file ? { ...entry, after } : entry));
    await this.#write();
  }

  #directory(): string {
    return path.join(this.#root, String(this.#turn));
  }

  async #write(): Promise<void> {
    await writeJsonFile(path.join(this.#directory(), JOURNAL), { entries: this.#entries ?? [] }, { mode: 0o600 });
  }
}

const JOURNAL = "journal.json";

/** Undoes the last turn that changed files through tools; null when there is none. Commands of bash are not undone. */
export async function undoLastTurn(root: string): Promise<UndoReport | null> {
  const turn = await lastTurn(root);
  if (turn === 0) return null;
  const directory = path.join(root, String(turn));
  const read = await readJsonFile(path.join(directory, JOURNAL));
  const decoded = read.state === "valid" ? decode(Journal, read.value) : null;
  if (decoded?.ok !== true) {
    throw new Error(
      `The undo journal in ${directory} cannot be read; restore its files by hand or remove that directory.`,
    );
  }
  const restored: string[] = [];
  const removed: string[] = [];
  const skipped: string[] = [];
  for (const entry of decoded.value.entries) {
    if (entry.after !== undefined && (await digestOf(entry.file)) !== entry.after) {
      skipped.push(entry.file);
    } else if (entry.before === "absent") {
      await rm(entry.file, { force: true });
      removed.push(entry.file);
    } else {
      await writeFileAtomic(entry.file, await readFile(path.join(directory, entry.kept ?? "")));
      restored.push(entry.file);
    }
  }
  await rm(directory, { recursive: true, force: true });
  return { restored, removed, skipped };
}

async function lastTurn(root: string): Promise<number> {
  try {
    const turns = (await readdir(root)).map(Number).filter(Number.isInteger);
    return Math.max(0, ...turns);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return 0;
    throw error;
  }
}

async function digestOf(file: string): Promise<string | null> {
  try {
    return createHash("sha256")
      .update(await readFile(file))
      .digest("hex");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}
