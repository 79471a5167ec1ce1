/** Reads a package of the Codex format. */
import { isPluginName } from "../manifest/fields.ts";
import { CODEX_MANIFEST } from "../package/locate.ts";
import { refused, type LoadedPackage } from "../package/package.ts";
import { readInside } from "../package/read-inside.ts";
import { joinHooks } from "./claude-hooks.ts";
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
  type Collected,
} from "./collect.ts";
import { membersOf, textOf } from "../manifest/members.ts";

const METADATA = new Set([
  "$schema",
  "name",
  "version",
  "description",
  "author",
  "homepage",
  "repository",
  "license",
  "keywords",
  "interface",
]);
const READ = new Set(["skills", "commands", "hooks", "mcpServers"]);

const START_HOOK = "hooks/session-start-codex";
const CONTEXT_FILE = "CLAUDE.md";

export async function loadCodex(root: string): Promise<LoadedPackage> {
  const read = await readForeignJson(root, CODEX_MANIFEST);
  if (!read.ok) return refused("codex", CODEX_MANIFEST, [read.problem]);
  const manifest = membersOf(read.value);
  if (manifest === null) return refused("codex", CODEX_MANIFEST, ["it holds no JSON object"]);
  const name = textOf(manifest["name"]);
  if (!isPluginName(name)) {
    return refused("codex", CODEX_MANIFEST, [
      `/name: ${JSON.stringify(manifest["name"]) ?? "nothing"} is no plugin name`,
    ]);
  }
  const into = newCollection();
  for (const member of Object.keys(manifest)) {
    if (METADATA.has(member) || READ.has(member)) continue;
    into.skipped.push({ entry: `${CODEX_MANIFEST}#/${member}`, reason: "not used here" });
  }
  collectPaths(into, "skills", manifest["skills"], CODEX_MANIFEST);
  collectPaths(into, "commands", manifest["commands"], CODEX_MANIFEST);
  await collectHookFile(into, root, "hooks/hooks.json", false);
  await collectHooks(into, root, manifest["hooks"], CODEX_MANIFEST);
  await collectServerFile(into, root, ".mcp.json", false);
  await collectServers(into, root, manifest["mcpServers"], CODEX_MANIFEST);
  await collectStart(into, root);
  return {
    ok: true,
    package: {
      kind: "codex",
      root,
      manifestFile: CODEX_MANIFEST,
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

/** Two habits of such packages: a script for the start of a session, and a file whose text belongs into it. */
async function collectStart(into: Collected, root: string): Promise<void> {
  if ((await readInside(root, START_HOOK)).ok) {
    const hook = { command: `\${REASONIX_PLUGIN_ROOT}/${START_HOOK}`, args: [] };
    into.hooks = joinHooks(into.hooks, { SessionStart: [hook] });
  }
  if ((await readInside(root, CONTEXT_FILE)).ok) {
    into.hooks = joinHooks(into.hooks, { SessionStart: [{ contextFile: CONTEXT_FILE }] });
  }
}
