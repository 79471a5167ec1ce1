/** Reads and writes JSON files that people may edit, and never replaces a broken one without keeping it. */
import { constants } from "node:fs";
import { copyFile } from "node:fs/promises";
import { writeFileAtomic, type AtomicWriteOptions } from "./atomic-write.ts";
import { errnoOf, explainErrno, FileError } from "./file-error.ts";
import { readTextFile } from "./text-file.ts";

export type JsonRead =
  | { readonly state: "missing" }
  | { readonly state: "valid"; readonly value: unknown }
  /** There is a file, and it is no JSON: say so, and call `setBrokenAside` before writing over it. */
  | { readonly state: "broken"; readonly error: FileError };

/** Throws only when the system does not let the file be read (`read_failed`): such a file may be whole. */
export async function readJsonFile(file: string): Promise<JsonRead> {
  let text: string;
  try {
    text = await readTextFile(file);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (error.reason !== "read_failed") return { state: "broken", error };
    if (errnoOf(error.cause) === "ENOENT") return { state: "missing" };
    throw error;
  }
  if (text.trim() === "") {
    return {
      state: "broken",
      error: new FileError("empty", file, `${file} is empty. Restore it, or remove it to start anew.`),
    };
  }
  try {
    const value: unknown = JSON.parse(text);
    return { state: "valid", value };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return { state: "broken", error: new FileError("not_json", file, `${file} is not valid JSON: ${cause}.`, error) };
  }
}

/** Writes two-space JSON with a last line end, atomically. */
export async function writeJsonFile(file: string, value: unknown, options: AtomicWriteOptions = {}): Promise<void> {
  await writeFileAtomic(file, `${JSON.stringify(value, null, 2)}\n`, options);
}

/** Copies a broken file to `<file>.broken-1`, `-2`, … (the first free name) and returns that name. */
export async function setBrokenAside(file: string): Promise<string> {
  for (let number = 1; ; number++) {
    const copy = `${file}.broken-${number}`;
    try {
      await copyFile(file, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      if (errnoOf(error) === "EEXIST") continue;
      throw new FileError("write_failed", copy, `${file} could not be kept as ${copy}: ${explainErrno(error)}.`, error);
    }
  }
}
