/** list_dir: what a directory holds. */
import { readdir } from "node:fs/promises";
import { nonEmpty, object, optional } from "@reasonix-ts/protocol";
import { fileProblem, resolveIn } from "./paths.ts";
import { defineTool, done, refused } from "./tool.ts";

const ENTRIES = 1_000;

export const listDirTool = defineTool({
  name: "list_dir",
  description: "List what a directory holds; directories end with a slash.",
  arguments: object({ path: optional(nonEmpty) }),
  notes: { path: "Path of the directory; the workspace when absent." },
  readOnly: true,
  subject: (args) => ({ kind: "read", paths: [args.path ?? "."] }),
  async run(args, { services }) {
    const given = args.path ?? ".";
    try {
      const entries = await readdir(resolveIn(services.workspaceRoot, given), { withFileTypes: true });
      const names = entries
        .map((entry) =>
          entry.isDirectory() ? `${entry.name}/` : entry.isSymbolicLink() ? `${entry.name}@` : entry.name,
        )
        .sort();
      if (names.length === 0) return done(`(${given} is empty)`);
      const rest = names.length > ENTRIES ? [`(${names.length - ENTRIES} more; use glob)`] : [];
      return done([...names.slice(0, ENTRIES), ...rest].join("\n"));
    } catch (error) {
      return refused(fileProblem(error, "Cannot list", given));
    }
  },
});
