/** Keeps a tool's whole result on disk when the model gets a part of it. */
import path from "node:path";
import { writeFileAtomic } from "@reasonix-ts/files";

/** Returns the file, which read_file and grep may read. */
export async function keepResult(directory: string, callId: string, text: string): Promise<string> {
  const name = callId.replace(/[^\w-]/g, "_").slice(0, 80);
  const file = path.join(directory, `${name}.txt`);
  await writeFileAtomic(file, text, { mode: 0o600 });
  return file;
}
