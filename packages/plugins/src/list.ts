/** Lists installed plugins from their rows, and shows one in full. */
import { readIdentities } from "./disk/identities.ts";
import { absoluteRoot, isCopy, layoutOf } from "./disk/layout.ts";
import { readRegistry } from "./disk/registry.ts";
import { findRow } from "./disk/rows.ts";
import { pluginEnvironmentNames } from "./environment.ts";
import { currentOf, type Current } from "./install/current.ts";
import { countsOf } from "./install/measure.ts";
import type { Machine } from "./machine.ts";
import { notInstalled } from "./not-installed.ts";
import type { Compatibility } from "./package/package.ts";
import { programsOf, type Program } from "./package/programs.ts";
import type { TrustBlock } from "./trust/block.ts";

export interface PluginListing {
  readonly plugins: readonly PluginLine[];
  /** What is wrong with the list itself. */
  readonly problems: readonly string[];
}

export interface PluginLine {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly kind: string;
  readonly enabled: boolean;
  readonly mode: "copy" | "link";
  readonly source: string;
  /** Absolute. */
  readonly root: string;
  /** Of the copied tree, as it was installed; null for links and unknown copies. */
  readonly sha256: string | null;
  readonly commit: string | null;
}

/** Reads two files whatever the number of plugins, and writes nothing. */
export async function listPlugins(home: string): Promise<PluginListing> {
  const layout = layoutOf(home);
  const [registry, identities] = await Promise.all([readRegistry(layout), readIdentities(layout)]);
  const plugins = registry.rows.map((row): PluginLine => {
    const identity = identities.get(row.name);
    return {
      name: row.name,
      version: row.version,
      description: row.description,
      kind: row.manifestKind,
      enabled: row.enabled,
      mode: isCopy(row.root) ? "copy" : "link",
      source: row.source,
      root: absoluteRoot(layout, row.root),
      sha256: identity?.tree?.sha256 ?? null,
      commit: identity?.commit ?? null,
    };
  });
  return { plugins, problems: [...(registry.broken === null ? [] : [registry.broken]), ...registry.problems] };
}

export interface PluginDetails extends PluginLine {
  readonly content: Current["content"];
  readonly trust: TrustBlock | null;
  readonly compatibility: Compatibility | null;
  readonly contributions: { readonly [kind: string]: number };
  /** What its hooks and MCP servers start or reach. */
  readonly programs: readonly Program[];
  /** Names of the variables that the person set for it. */
  readonly environment: readonly string[];
  /** Why its manifest cannot be used; empty when it can. */
  readonly problems: readonly string[];
}

/** Throws PluginError `not_installed`. A plugin whose files are broken is shown with its problems. */
export async function showPlugin(home: string, name: string, machine: Machine): Promise<PluginDetails> {
  const layout = layoutOf(home);
  const { plugins } = await listPlugins(home);
  const { rows } = await readRegistry(layout);
  const row = findRow(rows, name);
  const line = plugins.find((one) => one.name === row?.name);
  if (row === undefined || line === undefined) throw notInstalled(name, rows);
  const identity = (await readIdentities(layout)).get(row.name) ?? null;
  const current = await currentOf(layout, row, identity, machine);
  const found = current.loaded.ok ? current.loaded.package : null;
  return {
    ...line,
    version: found?.version ?? line.version,
    content: current.content,
    trust: current.trust,
    compatibility: found?.compatibility ?? null,
    contributions: found === null ? {} : countsOf(found),
    programs: found === null ? [] : programsOf(found),
    environment: await pluginEnvironmentNames(layout, row.name),
    problems: current.loaded.ok ? [] : current.loaded.problems,
  };
}
