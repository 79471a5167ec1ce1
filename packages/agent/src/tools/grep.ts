/** grep: lines that match a regular expression, by ripgrep. */
import { boolean, integer, nonEmpty, object, oneOf, optional } from "@reasonix-ts/protocol";
import { resolveIn, shown } from "./paths.ts";
import { listFiles } from "./list-files.ts";
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
    const filter = await filterOf(args.glob, target, services.workspaceRoot, signal);
    if (!filter.ok) return refused(`Cannot search: ${filter.problem}`);
    if (filter.files?.length === 0) return done(`No file matches ${args.glob ?? ""} in ${target}.`);
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
        ...filter.args,
        "-e",
        args.pattern,
        "--",
        ...(filter.files ?? [target]),
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

type Filter =
  | { readonly ok: true; readonly args: readonly string[]; readonly files: readonly string[] | null }
  | { readonly ok: false; readonly problem: string };

/** Characters of file names that fit on one command line. */
const NAMES_CHARACTERS = 500_000;

/**
 * ripgrep's own globs bring back what is ignored. A glob over names alone becomes a file type, which does not; one over
 * paths is matched against the list of files here.
 */
async function filterOf(glob: string | undefined, target: string, cwd: string, signal: AbortSignal): Promise<Filter> {
  if (glob === undefined) return { ok: true, args: [], files: null };
  const name = glob.replace(/^\*\*\//, "");
  if (!name.includes("/")) return { ok: true, args: ["--type-add", `wanted:${name}`, "--type", "wanted"], files: null };
  const listed = await listFiles(target, glob, { cwd, signal });
  if (!listed.ok) return listed;
  const characters = listed.files.reduce((sum, file) => sum + file.length + 1, 0);
  if (characters > NAMES_CHARACTERS)
    return { ok: false, problem: `${glob} matches too many files; narrow it or give a path` };
  return { ok: true, args: [], files: listed.files };
}
