/** Brings a source onto this disk, whatever its kind. */
import { stat } from "node:fs/promises";
import path from "node:path";
import { PluginError } from "../error.ts";
import { parseSource, type Source } from "../source.ts";
import type { FetchContext, Fetched } from "./fetched.ts";

/** Throws PluginError: `usage` for text that is no source, `source_unreachable` and `source_invalid` with the real cause. */
export async function fetchSource(text: string, context: FetchContext): Promise<Fetched> {
  const parsed = parseSource(text);
  if (!parsed.ok) throw new PluginError("usage", `No source: ${parsed.problem}.`);
  return fetchParsed(parsed.source, context);
}

async function fetchParsed(source: Source, context: FetchContext): Promise<Fetched> {
  switch (source.kind) {
    case "git":
      return (await import("./git.ts")).fetchGit(source, context);
    case "tarball":
      return (await import("./tarball.ts")).fetchTarball(source.location, source.remote, context);
    case "npm":
      return (await import("./npm.ts")).fetchNpm(source.spec, context);
    case "folder":
      return fetchFolder(source.path, context);
  }
}

async function fetchFolder(text: string, context: FetchContext): Promise<Fetched> {
  const root = path.resolve(context.cwd, text);
  const stats = await stat(root).catch(() => null);
  if (stats === null) {
    throw new PluginError(
      "source_unreachable",
      `${root} does not exist. Give a folder, or a source such as git:github.com/owner/repo.`,
    );
  }
  if (!stats.isDirectory())
    throw new PluginError("source_invalid", `${root} is no folder; archives end in .tgz, .tar.gz or .tar.`);
  if (await isBareRepository(root)) {
    return (await import("./git.ts")).fetchGit({ kind: "git", url: root, ref: null, folder: "", tree: null }, context);
  }
  return { root, folder: "", commit: null, local: true, label: root };
}

async function isBareRepository(root: string): Promise<boolean> {
  const parts = await Promise.all(
    ["HEAD", "objects", "refs"].map((name) => stat(path.join(root, name)).catch(() => null)),
  );
  const [head, objects, refs] = parts;
  return head?.isFile() === true && objects?.isDirectory() === true && refs?.isDirectory() === true;
}
