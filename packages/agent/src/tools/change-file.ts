/** The one way in which tools change a file: read, decide, remember for undo, write whole, show the difference. */
import { isUtf8 } from "node:buffer";
import { realpath } from "node:fs/promises";
import { writeFileAtomic } from "@reasonix-ts/files";
import { codeOf, fileProblem, resolveIn } from "./paths.ts";
import { formatBytes } from "@reasonix-ts/text";
import { readRegular } from "./regular-file.ts";
import { done, refused, type ToolContext, type ToolOutput } from "./tool.ts";

export type Change =
  | { readonly ok: true; readonly content: string; readonly said: string }
  | { readonly ok: false; readonly problem: string };

/** What a file holds before the change. */
export type Before =
  | { readonly kind: "absent" }
  | { readonly kind: "text"; readonly text: string }
  /** Not UTF-8: as text it would be written back damaged. */
  | { readonly kind: "binary" };

/** A larger file is not held in memory to be changed. */
const CHANGED_BYTES = 64 * 1_048_576;

export async function changeFile(
  given: string,
  context: ToolContext,
  decide: (before: Before) => Change,
): Promise<ToolOutput> {
  const { services } = context;
  let file = resolveIn(services.workspaceRoot, given);
  let before: Before = { kind: "absent" };
  try {
    // A link is followed, so that the file is written and not the link replaced by a file.
    file = await realpath(file);
    const found = await readRegular(file, CHANGED_BYTES);
    if (found.kind === "special") return refused(`Cannot change ${given}: it is no regular file.`);
    if (found.kind === "too_large") return refused(`Cannot change ${given}: it has ${formatBytes(found.size)}.`);
    before = textOf(found.bytes);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") return refused(fileProblem(error, "Cannot change", given));
  }
  const change = decide(before);
  if (!change.ok) return refused(change.problem);
  const text = before.kind === "text" ? before.text : "";
  if (before.kind === "text" && change.content === text)
    return done(`${given} is as wanted already; nothing was written.`);
  try {
    await services.undo.remember(file);
    await writeFileAtomic(file, change.content);
    await services.undo.wrote(file);
  } catch (error) {
    return refused(fileProblem(error, "Cannot write", given));
  }
  return done(change.said, await differenceOf(given, text, change.content));
}

/** A byte order mark stays part of the text, so that it is written back. */
function textOf(bytes: Buffer): Before {
  if (!isUtf8(bytes)) return { kind: "binary" };
  return { kind: "text", text: bytes.toString("utf8") };
}

/** Above this a difference is not worth the time that it takes. */
const DIFF_CHARACTERS = 400_000;

async function differenceOf(name: string, before: string, after: string): Promise<string> {
  if (before.length + after.length > DIFF_CHARACTERS) return `${name}: ${before.length} to ${after.length} characters`;
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  return (
    createTwoFilesPatch(name, name, before, after, undefined, undefined, {
      context: 3,
      timeout: 500,
      headerOptions: FILE_HEADERS_ONLY,
    }) ?? name
  );
}
