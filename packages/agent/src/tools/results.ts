/** Keeps a tool's whole result on disk when the model gets a part of it. */
import { createHash } from "node:crypto";
import path from "node:path";
import { writeFileAtomic } from "@reasonix-ts/files";

/** Returns the file, which read_file and grep may read. */
export async function keepResult(directory: string, callId: string, text: string): Promise<string> {
  const name = callId.replace(/[^\w-]/g, "_").slice(0, 80);
  // Some models count their calls anew in each turn: the content tells two results of one id apart.
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 8);
  const file = path.join(directory, `${name}-${digest}.txt`);
  await writeFileAtomic(file, text, { mode: 0o600 });
  return file;
}
