/** Lists what a directory tree holds, in one fixed order, and counts it. */
import type { Stats } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import path from "node:path";
import { explainErrno, FileError } from "./file-error.ts";

export type TreeEntry =
  | { readonly type: "directory"; readonly path: string; readonly mode: number }
  | { readonly type: "file"; readonly path: string; readonly mode: number; readonly bytes: number }
  | { readonly type: "link"; readonly path: string; readonly target: string }
  /** A device, FIFO or socket. */
  | { readonly type: "other"; readonly path: string };

export interface TreeSurvey {
  /** Sorted by path, compared by UTF-16 code unit; paths are relative with `/`. The root itself is not listed. */
  readonly entries: readonly TreeEntry[];
  readonly files: number;
  readonly bytes: number;
  /** The five biggest files, biggest first. */
  readonly biggest: readonly { readonly path: string; readonly bytes: number }[];
}

export interface SurveyOptions {
  /** Names left out at every depth, for instance `.git` and `node_modules`. None by default. */
  readonly ignore?: readonly string[];
  readonly signal?: AbortSignal;
}

const BIGGEST = 5;

/** Never follows a link. Throws FileError `read_failed` for what cannot be listed. */
export async function surveyTree(root: string, options: SurveyOptions = {}): Promise<TreeSurvey> {
  const entries: TreeEntry[] = [];
  const ignore = new Set(options.ignore ?? []);
  const pending = [""];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    options.signal?.throwIfAborted();
    const names = await reading(path.join(root, directory), (at) => readdir(at));
    const kept = names.filter((name) => !ignore.has(name));
    const prefix = directory === "" ? "" : `${directory}/`;
    const found = await Promise.all(kept.map((name) => entryOf(root, prefix + name)));
    for (const entry of found) {
      entries.push(entry);
      if (entry.type === "directory") pending.push(entry.path);
    }
  }
  entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  const files = entries.filter((entry) => entry.type === "file");
  return {
    entries,
    files: files.length,
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    biggest: files
      .toSorted((a, b) => b.bytes - a.bytes)
      .slice(0, BIGGEST)
      .map((file) => ({ path: file.path, bytes: file.bytes })),
  };
}

async function entryOf(root: string, relative: string): Promise<TreeEntry> {
  const file = path.join(root, relative);
  const stats: Stats = await reading(file, (at) => lstat(at));
  if (stats.isDirectory()) return { type: "directory", path: relative, mode: stats.mode & 0o7777 };
  if (stats.isFile()) return { type: "file", path: relative, mode: stats.mode & 0o7777, bytes: stats.size };
  if (stats.isSymbolicLink())
    return { type: "link", path: relative, target: await reading(file, (at) => readlink(at)) };
  return { type: "other", path: relative };
}

async function reading<Value>(file: string, read: (file: string) => Promise<Value>): Promise<Value> {
  try {
    return await read(file);
  } catch (error) {
    throw new FileError("read_failed", file, `${file} could not be read: ${explainErrno(error)}.`, error);
  }
}
