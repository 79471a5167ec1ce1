/** edit_file and multi_edit: exact replacements in a file. */
import { list, nonEmpty, object, string } from "@reasonix-ts/protocol";
import { changeFile, type Before, type Change } from "./change-file.ts";
import { replaceOnce } from "./replace.ts";
import { defineTool } from "./tool.ts";

const EDIT = { old_string: nonEmpty, new_string: string };

interface Edit {
  readonly old_string: string;
  readonly new_string: string;
}

export const editFileTool = defineTool({
  name: "edit_file",
  description:
    "Replace one exact piece of text in a file. old_string must occur exactly once, with its white space as it stands.",
  arguments: object({ path: nonEmpty, ...EDIT }),
  notes: {
    path: "Path of the file, relative to the workspace or absolute.",
    old_string: "The text to replace, exactly as it stands in the file.",
    new_string: "The text to put in its place.",
  },
  readOnly: false,
  subject: (args) => ({ kind: "write", paths: [args.path] }),
  run: (args, context) => changeFile(args.path, context, (before) => edited(args.path, before, [args])),
});

export const multiEditTool = defineTool({
  name: "multi_edit",
  description: "Make several exact replacements in one file, one after another; either all are made or none.",
  arguments: object({ path: nonEmpty, edits: list(object(EDIT)) }),
  notes: {
    path: "Path of the file, relative to the workspace or absolute.",
    edits: "Replacements in order; each sees what the one before left.",
  },
  readOnly: false,
  subject: (args) => ({ kind: "write", paths: [args.path] }),
  run: (args, context) => changeFile(args.path, context, (before) => edited(args.path, before, args.edits)),
});

function edited(name: string, before: Before, edits: readonly Edit[]): Change {
  if (before.kind === "absent")
    return { ok: false, problem: `Cannot edit ${name}: no such file; use write_file for a new one.` };
  if (edits.length === 0) return { ok: false, problem: "edits is empty; there is nothing to change." };
  if (before.kind === "binary") return { ok: false, problem: `Cannot edit ${name}: it is not UTF-8 text; use bash.` };
  let content = before.text;
  for (const [index, edit] of edits.entries()) {
    const replaced = replaceOnce(content, edit.old_string, edit.new_string);
    if (!replaced.ok) {
      const which = edits.length === 1 ? "" : `Edit ${index + 1} of ${edits.length}: `;
      return { ok: false, problem: `Cannot edit ${name}: ${which}${replaced.problem}` };
    }
    content = replaced.text;
  }
  const count = edits.length === 1 ? "" : ` (${edits.length} replacements)`;
  return { ok: true, content, said: `Edited ${name}${count}.` };
}
