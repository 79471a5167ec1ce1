/** SHA-256 of a file and of a whole tree, so that changed content is recognised whatever its version says. */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { explainErrno, FileError } from "./file-error.ts";
import { mapInOrder } from "./map-in-order.ts";
import { surveyTree, type SurveyOptions, type TreeEntry } from "./survey-tree.ts";

export type TreeOptions = SurveyOptions;

export interface TreeDigest {
  /** 64 lower-case hex digits. */
  readonly sha256: string;
  readonly files: number;
  readonly bytes: number;
}

/** 64 lower-case hex digits over the raw bytes, read in pieces. A symbolic link is refused, not followed. */
export async function digestFile(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const buffer = Buffer.allocUnsafe(READ_BYTES);
      for (;;) {
        signal?.throwIfAborted();
        const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, null);
        if (bytesRead === 0) return hash.digest("hex");
        hash.update(buffer.subarray(0, bytesRead));
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw new FileError("read_failed", file, `${file} could not be read: ${explainErrno(error)}.`, error);
  }
}

/**
 * Over each file's path, executable bit and content and each link's path and target, in order of path. Directories,
 * times, owners and other permission bits do not count, so a copy has the digest of its source.
 */
export async function digestTree(root: string, options: TreeOptions = {}): Promise<TreeDigest> {
  const survey = await surveyTree(root, options);
  const counted = survey.entries.filter((entry) => entry.type !== "directory");
  const lines = await mapInOrder(counted, (entry) => lineOf(root, entry, options.signal));
  const hash = createHash("sha256");
  for (const line of lines) hash.update(line);
  return { sha256: hash.digest("hex"), files: survey.files, bytes: survey.bytes };
}

const READ_BYTES = 65_536;

/** NUL cannot occur in a path or a target, so no two trees give the same text. */
async function lineOf(root: string, entry: TreeEntry, signal: AbortSignal | undefined): Promise<string> {
  switch (entry.type) {
    case "file": {
      const kind = (entry.mode & 0o111) === 0 ? "file" : "executable";
      return `${kind}\0${entry.path}\0${await digestFile(path.join(root, entry.path), signal)}\0`;
    }
    case "link":
      return `link\0${entry.path}\0${entry.target}\0`;
    case "directory":
    case "other":
      return `${entry.type}\0${entry.path}\0\0`;
  }
}
