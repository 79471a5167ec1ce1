/** Reads a package of the Claude format: its manifest, and the folders that count without being named. */
import { stat } from "node:fs/promises";
import path from "node:path";
import { isPluginName } from "../manifest/fields.ts";
import { CLAUDE_MANIFEST } from "../package/locate.ts";
import { refused, type LoadedPackage } from "../package/package.ts";
import {
  collectHookFile,
  collectHooks,
  collectPaths,
  collectServerFile,
  collectServers,
  compatibilityOf,
  newCollection,
  readForeignJson,
  resourcesOf,
} from "./collect.ts";
import { membersOf, textOf, type Members } from "../manifest/members.ts";

/** Members that say something about the package and ask for nothing. */
const METADATA = new Set([
  "$schema",
  "name",
  "displayName",
  "version",
  "description",
  "author",
  "homepage",
  "repository",
  "license",
  "keywords",
  "category",
  "tags",
]);
const READ = new Set(["skills", "agents", "commands", "hooks", "mcpServers"]);

const USUAL = [
  ["skills", ["skills", ".claude/skills"]],
  ["agents", ["agents", ".claude/agents"]],
  ["commands", ["commands", ".claude/commands"]],
] as const;

/** `entry` is the marketplace's description of a package that has no manifest of its own. */
export async function loadClaude(root: string, entry?: Members): Promise<LoadedPackage> {
  const manifest = await manifestOf(root, entry);
  if (typeof manifest === "string") return refused("claude", CLAUDE_MANIFEST, [manifest]);
  const name = textOf(manifest["name"]);
  if (!isPluginName(name)) {
    const problem = `/name: ${JSON.stringify(manifest["name"]) ?? "nothing"} is no plugin name; choose one with --name`;
    return refused("claude", CLAUDE_MANIFEST, [problem]);
  }
  const into = newCollection();
  for (const member of Object.keys(manifest)) {
    if (METADATA.has(member) || READ.has(member)) continue;
    into.skipped.push({ entry: `${CLAUDE_MANIFEST}#/${member}`, reason: "not used here" });
  }
  for (const [kind, folders] of USUAL) {
    const named = collectPaths(into, kind, manifest[kind], CLAUDE_MANIFEST);
    // Named folders of skills come beside the usual one; named commands and agents stand in its place.
    if (named && kind !== "skills") continue;
    for (const folder of folders) {
      if (into.paths[kind].includes(folder) || !(await isFolder(path.join(root, folder)))) continue;
      if (!named || folder === folders[0]) into.paths[kind].push(folder);
      break;
    }
  }
  await collectHookFile(into, root, "hooks/hooks.json", false);
  await collectHookFile(into, root, ".claude/settings.json", false);
  await collectHooks(into, root, manifest["hooks"], CLAUDE_MANIFEST);
  await collectServerFile(into, root, ".mcp.json", false);
  await collectServers(into, root, manifest["mcpServers"], CLAUDE_MANIFEST);
  return {
    ok: true,
    package: {
      kind: "claude",
      root,
      manifestFile: CLAUDE_MANIFEST,
      name,
      version: textOf(manifest["version"]),
      description: textOf(manifest["description"]),
      requires: [],
      provides: [],
      resources: resourcesOf(into),
      runtime: null,
      compatibility: compatibilityOf(into),
    },
  };
}

async function manifestOf(root: string, entry: Members | undefined): Promise<Members | string> {
  const read = await readForeignJson(root, CLAUDE_MANIFEST);
  if (read.ok) return membersOf(read.value) ?? "it holds no JSON object";
  return read.missing && entry !== undefined ? entry : read.problem;
}

async function isFolder(place: string): Promise<boolean> {
  return stat(place).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
