/** Reads one installed plugin down to its runtime; loaded only when a plugin is enabled. */
import { isSlotName } from "@reasonix-ts/protocol";
import { needsRecovery, recover } from "../disk/commit.ts";
import { readIdentities } from "../disk/identities.ts";
import type { Layout } from "../disk/layout.ts";
import { withRegistry } from "../disk/registry.ts";
import type { PluginRow } from "../disk/rows.ts";
import { readPluginEnvironment } from "../environment.ts";
import type { Machine } from "../machine.ts";
import { loadPackage } from "../package/load.ts";
import type { LoadedPackage } from "../package/package.ts";
import { runtimeSpec, type RuntimeSpec } from "./describe.ts";

export interface RuntimeRead {
  /** Null for a plugin without a runtime, or one whose broken manifest claims none. */
  readonly runtime: RuntimeSpec | null;
  readonly problems: readonly string[];
}

export async function readRuntime(
  layout: Layout,
  row: PluginRow,
  root: string,
  machine: Pick<Machine, "platform" | "node">,
): Promise<RuntimeRead> {
  const loaded = await loadHealed(layout, root);
  const { name: plugin, source } = row;
  if (!loaded.ok) return unreadable(layout, row, loaded);
  const { package: found } = loaded;
  if (found.runtime === null) return { runtime: null, problems: [] };
  const own = await readPluginEnvironment(layout, plugin);
  const owner = { plugin, version: found.version || row.version, source, root };
  const { requires, provides } = found;
  const runtime = await runtimeSpec(owner, found.runtime, { requires, provides }, own.variables, machine);
  return { runtime, problems: own.problems.map((problem) => `plugin-env/${plugin}.env: ${problem}`) };
}

/** A guard must not count as optional, or as absent, because its manifest broke: what it claimed at install stands. */
async function unreadable(
  layout: Layout,
  row: PluginRow,
  loaded: Extract<LoadedPackage, { readonly ok: false }>,
): Promise<RuntimeRead> {
  const { claims, file } = loaded;
  const remembered = (await readIdentities(layout)).get(row.name)?.runtime;
  const why = loaded.problems.join(" ");
  if (!claims.hasRuntime && remembered === undefined)
    return { runtime: null, problems: [`${row.name}: ${file}: ${why}`] };
  const kept = (remembered?.replaces ?? []).filter(isSlotName);
  const broken = {
    plugin: row.name,
    version: claims.version || row.version,
    source: row.source,
    required: claims.hasRuntime ? claims.required : (remembered?.required ?? false),
    replaces: claims.hasRuntime ? claims.replaces : kept,
    problem: `${file} cannot be used: ${why}`,
  };
  return { runtime: { ok: false, broken }, problems: [] };
}

/** A tree may be missing because an update was cut between its two renames: then that is finished first. */
async function loadHealed(layout: Layout, root: string): Promise<LoadedPackage> {
  const loaded = await loadPackage(root);
  if (loaded.ok || loaded.kind !== null || !(await needsRecovery(layout))) return loaded;
  await withRegistry(layout, "recovery", (registry) => recover(layout, registry));
  return loadPackage(root);
}
