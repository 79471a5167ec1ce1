/** A text file that need not be there. */
import { FileError, readTextFile } from "@reasonix-ts/files";

/** The file's text, or null where there is none; anything else that goes wrong is an error that names the file. */
export async function readOptionalFile(path: string): Promise<string | null> {
  try {
    return await readTextFile(path);
  } catch (error) {
    if (error instanceof FileError && isMissing(error.cause)) return null;
    throw error;
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR");
}
