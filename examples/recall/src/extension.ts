/** Adds remembered notes behind what a person typed, and keeps the notes that `/recall:remember` is given. */
import { defineExtension, next, replace, type ActionArguments, type Extension } from "@reasonix-ts/sdk";
import { fittingNotes, withNotes } from "./notes.ts";
import { noteFile } from "./note-file.ts";

/** `directory`: the folder in which the notes are kept, an absolute path. */
export function recall(directory: string): Extension {
  const file = noteFile(directory);
  return defineExtension({
    name: "recall",
    version: "0.1.0",
    intercept: {
      "input.receive": async (payload, { session, log }) => {
        const known = (await file.read())[session.workspaceRoot] ?? [];
        const notes = fittingNotes(known, payload.text);
        if (notes.length === 0) return next();
        log(`recalled ${notes.length} of ${known.length} notes`);
        return replace({ ...payload, text: withNotes(payload.text, notes) });
      },
    },
    ui: {
      actions: {
        remember: {
          label: "Remember a note",
          run: async (args, { session: { workspaceRoot } }) => {
            const note = wordsOf(args);
            if (note === "") return "Say what to remember: /recall:remember staging runs on port 8443";
            await file.update((all) => {
              const known = all[workspaceRoot] ?? [];
              return known.includes(note) ? all : { ...all, [workspaceRoot]: [...known, note] };
            });
            return `Remembered: ${note}`;
          },
        },
        forget: {
          label: "Forget all notes of this folder",
          run: async (_args, { session: { workspaceRoot } }) => {
            await file.update((all) => ({ ...all, [workspaceRoot]: [] }));
            return "Forgotten.";
          },
        },
      },
    },
  });
}

/** Words without a name arrive as `arg1`, `arg2`, and so on. */
function wordsOf(args: ActionArguments): string {
  const words: string[] = [];
  for (let word = args["arg1"]; word !== undefined; word = args[`arg${words.length + 1}`]) words.push(word);
  return words.join(" ");
}
