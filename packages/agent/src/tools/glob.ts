/** glob: files whose path matches a pattern. */
import { stat } from "node:fs/promises";
import path from "node:path";
import { nonEmpty, object, optional } from "@reasonix-ts/protocol";
import { codeOf, fileProblem, resolveIn, shown } from "./paths.ts";
import { listFiles } from "./list-files.ts";
import { defineTool, done, refused } from "./tool.ts";

const RESULTS = 500;

export const globTool = defineTool({
  name: "glob",
  description:
    "Find files whose path matches a glob such as src/**/*.ts. Ignored files are left out. Newest changes come first.",
  arguments: object({ pattern: nonEmpty, path: optional(nonEmpty) }),
  notes: { pattern: "Glob over paths relative to `path`.", path: "Directory to search; the workspace when absent." },
  readOnly: true,
  subject: (args) => ({ kind: "read", paths: [args.path ?? "."] }),
  async run(args, { services, signal }) {
    const base = resolveIn(services.workspaceRoot, args.path ?? ".");
    try {
      if (!(await stat(base)).isDirectory()) return refused(`Cannot search ${args.path ?? "."}: it is no directory.`);
    } catch (error) {
      return refused(fileProblem(error, "Cannot search", args.path ?? "."));
    }
    const listed = await listFiles(".", args.pattern, { cwd: base, signal });
    if (!listed.ok) return refused(listed.problem);
    const found = listed.files;
    if (found.length === 0) return done(`No file matches ${args.pattern}.`);
    const newest = await newestFirst(found.map((name) => path.join(base, name)));
    const names = newest.slice(0, RESULTS).map((file) => shown(services.workspaceRoot, file));
    if (newest.length > RESULTS) names.push(`(${newest.length - RESULTS} more; narrow the pattern)`);
    return done(names.join("\n"));
  },
});

/** By time of change, then by name; a file that has gone meanwhile is left out. */
async function newestFirst(files: readonly string[]): Promise<readonly string[]> {
  const dated: { file: string; at: number }[] = [];
  for (const file of files) {
    try {
      dated.push({ file, at: (await stat(file)).mtimeMs });
    } catch (error) {
      if (codeOf(error) !== "ENOENT") dated.push({ file, at: 0 });
    }
  }
  dated.sort((left, right) => right.at - left.at || (left.file < right.file ? -1 : 1));
  return dated.map(({ file }) => file);
}
