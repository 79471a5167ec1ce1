/** write_file: a whole file, new or in the place of an old one. */
import { nonEmpty, object, string } from "@reasonix-ts/protocol";
import { changeFile } from "./change-file.ts";
import { defineTool } from "./tool.ts";

export const writeFileTool = defineTool({
  name: "write_file",
  description:
    "Write a whole file, creating its directories; an existing file is replaced. Prefer edit_file for changes.",
  arguments: object({ path: nonEmpty, content: string }),
  notes: {
    path: "Path of the file, relative to the workspace or absolute.",
    content: "The whole new content.",
  },
  readOnly: false,
  subject: (args) => ({ kind: "write", paths: [args.path] }),
  run: (args, context) =>
    changeFile(args.path, context, (before) => ({
      ok: true,
      content: args.content,
      said: before.kind === "absent" ? `Created ${args.path}.` : `Replaced ${args.path}.`,
    })),
});
