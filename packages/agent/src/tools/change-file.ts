/** The one way in which tools change a file: read, decide, remember for undo, write whole, show the difference. */
import { readFile, realpath } from "node:fs/promises";
import { writeFileAtomic } from "@reasonix-ts/files";
import { codeOf, fileProblem, resolveIn } from "./paths.ts";
import { done, refused, type ToolContext, type ToolOutput } from "./tool.ts";

export type Change =
  | { readonly ok: true; readonly content: string; readonly said: string }
  | { readonly ok: false; readonly problem: string };

/** `decide` gets the text of the file, or null where there is none yet. */
export async function changeFile(
  given: string,
  context: ToolContext,
  decide: (before: string | null) => Change,
): Promise<ToolOutput> {
  const { services } = context;
  let file = resolveIn(services.workspaceRoot, given);
  let before: string | null = null;
  try {
    // A link is followed, so that the file is written and not the link replaced by a file.
    file = await realpath(file);
    before = await readFile(file, "utf8");
  } catch (error) {
    if (codeOf(error) !== "ENOENT") return refused(fileProblem(error, "Cannot change", given));
  }
  const change = decide(before);
  if (!change.ok) return refused(change.problem);
  if (change.content === before) return done(`${given} is as wanted already; nothing was written.`);
  try {
    await services.undo.remember(file);
    await writeFileAtomic(file, change.content);
    await services.undo.wrote(file);
  } catch (error) {
    return refused(fileProblem(error, "Cannot write", given));
  }
  return done(change.said, await differenceOf(given, before ?? "", change.content));
}

/** Above this a difference is not worth the time that it takes. */
const DIFF_CHARACTERS = 400_000;

async function differenceOf(name: string, before: string, after: string): Promise<string> {
  if (before.length + after.length > DIFF_CHARACTERS) return `${name}: ${before.length} to ${after.length} characters`;
  const { createTwoFilesPatch } = await import("diff");
  return createTwoFilesPatch(name, name, before, after, undefined, undefined, { context: 3, timeout: 500 }) ?? name;
}
