/** grep: lines that match a regular expression, by ripgrep. */
import { boolean, integer, nonEmpty, object, oneOf, optional } from "@reasonix-ts/protocol";
import { resolveIn, shown } from "./paths.ts";
import { ripgrep } from "./ripgrep.ts";
import { defineTool, done, refused } from "./tool.ts";

const LINES = 300;

export const grepTool = defineTool({
  name: "grep",
  description: "Search file contents with a regular expression (ripgrep syntax). Ignored files are left out.",
  arguments: object({
    pattern: nonEmpty,
    path: optional(nonEmpty),
    glob: optional(nonEmpty),
    output: optional(oneOf(["lines", "files", "count"])),
    ignore_case: optional(boolean),
    context: optional(integer({ min: 0, max: 20 })),
    limit: optional(integer({ min: 1, max: 5_000 })),
  }),
  notes: {
    pattern: "Regular expression.",
    path: "File or directory to search; the workspace when absent.",
    glob: "Search only files that match this glob, such as *.ts.",
    output: "lines (default), files with matches, or count of matches a file.",
    context: "Lines to show around each match.",
    limit: "Lines of output at most; 300 by default.",
  },
  readOnly: true,
  subject: (args) => ({ kind: "read", paths: [args.path ?? "."] }),
  async run(args, { services, signal }) {
    const target = shown(services.workspaceRoot, resolveIn(services.workspaceRoot, args.path ?? "."));
    const how = {
      lines: ["--line-number", "--no-heading"],
      files: ["--files-with-matches"],
      count: ["--count-matches"],
    };
    const found = await ripgrep(
      [
        "--hidden",
        "--glob",
        "!.git/",
        "--sort=path",
        "--max-columns=500",
        "--max-columns-preview",
        "--with-filename",
        ...how[args.output ?? "lines"],
        ...(args.ignore_case === true ? ["--ignore-case"] : []),
        ...(args.context === undefined ? [] : [`--context=${args.context}`]),
        ...(args.glob === undefined ? [] : [`--glob=${args.glob}`]),
        "-e",
        args.pattern,
        "--",
        target,
      ],
      { cwd: services.workspaceRoot, signal },
    );
    if (!found.ok) return refused(`Cannot search: ${found.problem}`);
    const lines = found.text.split("\n").map((line) => line.replace(/^\.\//, ""));
    if (lines.at(-1) === "") lines.pop();
    if (lines.length === 0) return done(`No match for ${args.pattern} in ${target}.`);
    const limit = args.limit ?? LINES;
    if (lines.length <= limit) return done(lines.join("\n"));
    return done([...lines.slice(0, limit), `(${lines.length - limit} more lines; narrow the search)`].join("\n"));
  },
});
