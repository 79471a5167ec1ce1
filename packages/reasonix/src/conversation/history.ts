/** `<home>/history`: what a person typed, for the up-arrow of later conversations. */
import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { writeFileAtomic } from "@reasonix-ts/files";
import { readOptionalFile } from "../optional-file.ts";
import { fromEditorLine, toEditorLine } from "./typed-keys.ts";

const KEPT_MESSAGES = 500;
/** Characters; longer ones are pastes, which nobody wants to meet on the way up. */
const LONGEST_MESSAGE = 4_000;
/** Once the file is larger, only what is kept is written back. Characters. */
const TRIM_ABOVE = 1_000_000;

/** The messages of earlier conversations, newest first. */
export async function readHistory(file: string): Promise<readonly string[]> {
  const text = (await readOptionalFile(file)) ?? "";
  const lines = text.split("\n").filter((line) => line !== "");
  const kept = lines.slice(-KEPT_MESSAGES);
  if (text.length > TRIM_ABOVE) await writeFileAtomic(file, `${kept.join("\n")}\n`, { mode: 0o600 });
  return kept.reverse().map(fromEditorLine);
}

/** Readable by its owner alone. Two conversations may append at once: each adds one whole line. */
export async function addToHistory(file: string, message: string): Promise<void> {
  if (message.trim() === "" || message.length > LONGEST_MESSAGE) return;
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${toEditorLine(message)}\n`, { mode: 0o600 });
}
