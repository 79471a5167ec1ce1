/** The file with the notes of every folder that people work in. */
import { stateFile, type StateFile } from "@reasonix-ts/sdk";

/** Absolute path of the folder worked in → its notes, the oldest first. */
export type Notes = { readonly [workspaceRoot: string]: readonly string[] };

export function noteFile(directory: string): StateFile<Notes> {
  return stateFile<Notes>({ directory, name: "notes.json", initial: {}, parse: parseNotes });
}

function parseNotes(value: unknown): Notes {
  if (typeof value !== "object" || value === null) throw new Error("wanted an object of lists");
  return Object.fromEntries(
    Object.entries(value).map(([workspaceRoot, notes]: [string, unknown]) => {
      if (Array.isArray(notes) && notes.every((note) => typeof note === "string")) return [workspaceRoot, notes];
      throw new Error(`wanted a list of texts for ${workspaceRoot}`);
    }),
  );
}
