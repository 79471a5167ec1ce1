/** read_file: a text file, or a range of its lines, with line numbers. */
import { integer, nonEmpty, object, optional } from "@reasonix-ts/protocol";
import { formatBytes } from "@reasonix-ts/text";
import { fileProblem, resolveIn } from "./paths.ts";
import { readRegular, type RegularFile } from "./regular-file.ts";
import { defineTool, done, refused } from "./tool.ts";

/** Above this a file is read in ranges only. */
const WHOLE_FILE_BYTES = 16 * 1_048_576;
const DEFAULT_LINES = 2_000;

export const readFileTool = defineTool({
  name: "read_file",
  description:
    "Read a text file. Lines are numbered from 1. Without a limit at most 2000 lines come back; read on with offset.",
  arguments: object({ path: nonEmpty, offset: optional(integer({ min: 1 })), limit: optional(integer({ min: 1 })) }),
  notes: {
    path: "Path of the file, relative to the workspace or absolute.",
    offset: "First line to read, counted from 1.",
    limit: "How many lines to read.",
  },
  readOnly: true,
  subject: (args) => ({ kind: "read", paths: [args.path] }),
  async run(args, { services }) {
    const file = resolveIn(services.workspaceRoot, args.path);
    let found: RegularFile;
    try {
      found = await readRegular(file, WHOLE_FILE_BYTES);
    } catch (error) {
      return refused(fileProblem(error, "Cannot read", args.path));
    }
    if (found.kind === "special") return refused(`${args.path} is no regular file; it cannot be read whole.`);
    if (found.kind === "too_large") {
      return refused(
        `${args.path} has ${formatBytes(found.size)}, more than the ${formatBytes(WHOLE_FILE_BYTES)} that read_file reads. ` +
          `Use grep to find the part you need, or bash with sed -n.`,
      );
    }
    const { bytes } = found;
    if (bytes.subarray(0, 8_192).includes(0)) {
      return refused(`${args.path} is a binary file of ${formatBytes(bytes.length)}; use view_image for a picture.`);
    }
    return done(numbered(bytes.toString("utf8"), args.path, args.offset ?? 1, args.limit ?? DEFAULT_LINES));
  },
});

function numbered(text: string, name: string, offset: number, limit: number): string {
  if (text === "") return `(${name} is empty)`;
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (offset > lines.length) return `(${name} has ${lines.length} lines; there is no line ${offset})`;
  const last = Math.min(lines.length, offset - 1 + limit);
  const part = lines.slice(offset - 1, last).map((line, index) => `${offset + index}\t${line}`);
  if (last < lines.length)
    part.push(`(lines ${offset} to ${last} of ${lines.length}; read on with offset ${last + 1})`);
  return part.join("\n");
}
