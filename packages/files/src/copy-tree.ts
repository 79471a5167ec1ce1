/** Copies a directory tree that somebody else made, without letting it reach out of itself. */
import { constants } from "node:fs";
import { chmod, mkdir, open, realpath, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { errnoOf, explainErrno, FileError } from "./file-error.ts";
import { mapInOrder } from "./map-in-order.ts";
import { surveyTree, type SurveyOptions, type TreeEntry, type TreeSurvey } from "./survey-tree.ts";

export interface CopyOptions extends SurveyOptions {
  /** Names left out at every depth; `.git` and `node_modules` by default. */
  readonly ignore?: readonly string[];
  /** Refused as `too_large` before anything is written. No limit when absent. */
  readonly maxBytes?: number;
  readonly maxFiles?: number;
}

const LEFT_OUT = [".git", "node_modules"];

/**
 * Copies to a directory that must not exist yet, and removes it again if anything fails. Permission bits are kept but
 * for set-user, set-group, sticky and write by group and others. Links stay links and must end inside the tree;
 * devices, FIFOs and sockets are refused. Throws FileError; nothing is written when the tree itself is at fault.
 */
export async function copyTree(from: string, to: string, options: CopyOptions = {}): Promise<TreeSurvey> {
  const survey = await surveyTree(from, { ...options, ignore: options.ignore ?? LEFT_OUT });
  refuseTooLarge(from, survey, options);
  const root = await realpath(from);
  for (const entry of survey.entries) await refuseForeign(root, entry);
  try {
    await mkdir(path.dirname(to), { recursive: true });
    await mkdir(to, 0o755);
  } catch (error) {
    const reason = errnoOf(error) === "EEXIST" ? "already_exists" : "write_failed";
    throw new FileError(reason, to, `${to} could not be created: ${explainErrno(error)}.`, error);
  }
  try {
    // Parents sort before what is in them.
    for (const entry of survey.entries) {
      if (entry.type === "directory") await mkdir(path.join(to, entry.path), 0o700);
    }
    await mapInOrder(survey.entries, async (entry) => {
      options.signal?.throwIfAborted();
      await copyEntry(from, to, entry);
    });
    // Last, and from the leaves up: a directory without write permission could not be filled.
    for (const entry of survey.entries.toReversed()) {
      if (entry.type === "directory") await chmod(path.join(to, entry.path), safeMode(entry.mode) | 0o700);
    }
  } catch (error) {
    await rm(to, { recursive: true, force: true });
    options.signal?.throwIfAborted();
    if (error instanceof FileError) throw error;
    throw new FileError("write_failed", to, `${from} could not be copied to ${to}: ${explainErrno(error)}.`, error);
  }
  return survey;
}

function refuseTooLarge(
  from: string,
  survey: TreeSurvey,
  { maxBytes = Infinity, maxFiles = Infinity }: CopyOptions,
): void {
  if (survey.bytes <= maxBytes && survey.files <= maxFiles) return;
  const counted =
    survey.bytes > maxBytes
      ? `${survey.bytes} bytes, and at most ${maxBytes} are allowed`
      : `${survey.files} files, and at most ${maxFiles} are allowed`;
  const biggest = survey.biggest.map((file) => `${file.path} (${file.bytes} bytes)`).join(", ");
  throw new FileError("too_large", from, `${from} holds ${counted}. Biggest files: ${biggest}.`);
}

async function refuseForeign(root: string, entry: TreeEntry): Promise<void> {
  if (entry.type === "other") {
    const file = path.join(root, entry.path);
    throw new FileError(
      "unsupported_entry",
      file,
      `${file} is a device, FIFO or socket; a package holds files, directories and links. Remove it.`,
    );
  }
  if (entry.type !== "link") return;
  const link = path.join(root, entry.path);
  const lexical = path.resolve(path.dirname(link), entry.target);
  // A link through another link may end elsewhere than its text says; a dangling one ends nowhere.
  const real = await realpath(link).catch(() => lexical);
  if (path.isAbsolute(entry.target) || !isInside(root, lexical) || !isInside(root, real)) {
    throw new FileError(
      "link_leaves_tree",
      link,
      `${link} is a link to ${entry.target}, outside ${root}. Make it relative and let it end inside.`,
    );
  }
}

function isInside(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return relative === "" || (relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

async function copyEntry(from: string, to: string, entry: TreeEntry): Promise<void> {
  const target = path.join(to, entry.path);
  switch (entry.type) {
    case "link":
      await symlink(entry.target, target);
      return;
    case "file":
      await copyFileContent(path.join(from, entry.path), target, entry);
      return;
    case "directory":
    case "other":
      return;
  }
}

function safeMode(mode: number): number {
  return mode & 0o755;
}

type FileEntry = Extract<TreeEntry, { readonly type: "file" }>;

const COPY_BYTES = 262_144;

/** A file that was swapped for a link since the survey is not followed. */
async function copyFileContent(from: string, to: string, { mode: sourceMode, bytes }: FileEntry): Promise<void> {
  const mode = safeMode(sourceMode) | 0o600;
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await source.stat()).isFile()) {
      throw new FileError("unsupported_entry", from, `${from} changed while it was copied and is no file any more.`);
    }
    const target = await open(to, "wx", mode);
    try {
      // One byte more than expected shows the end, or that the file has grown, with the same read.
      const buffer = Buffer.allocUnsafe(Math.min(bytes + 1, COPY_BYTES));
      for (;;) {
        const { bytesRead } = await source.read(buffer, 0, buffer.length, null);
        if (bytesRead === 0) break;
        await target.writeFile(buffer.subarray(0, bytesRead));
        if (bytes < COPY_BYTES && bytesRead === bytes) break;
      }
      await target.chmod(mode);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
