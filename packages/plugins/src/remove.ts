/** Removes an installed plugin, with the variables that were set for it. */
import { recover } from "./disk/commit.ts";
import { readIdentities, saveIdentities } from "./disk/identities.ts";
import { isCopy, layoutOf, type Layout } from "./disk/layout.ts";
import { readRegistry, withRegistry } from "./disk/registry.ts";
import { findRow, type PluginRow } from "./disk/rows.ts";
import { pluginEnvironmentNames, removePluginEnvironment } from "./environment.ts";
import { notInstalled } from "./not-installed.ts";
import { removeTree } from "./disk/remove-tree.ts";

export interface RemoveReport {
  readonly row: PluginRow;
  /** Whether anything was removed, or it was only looked at. */
  readonly applied: boolean;
  /** Whether files go with the row; a link's folder stays. */
  readonly filesRemoved: boolean;
  /** Names of the variables that go with it. */
  readonly variables: readonly string[];
  readonly setAside: string | null;
}

/**
 * Throws PluginError `not_installed`. With `dryRun` the home keeps every byte. The variables go with the plugin: whatever
 * is installed under its name later is another program.
 */
export async function removePlugin(
  home: string,
  name: string,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<RemoveReport> {
  const layout = layoutOf(home);
  if (dryRun) return preview(layout, name);
  return withRegistry(layout, `plugin remove ${name}`, async (registry) => {
    const rows = await recover(layout, registry);
    const row = findRow(rows, name);
    if (row === undefined) throw notInstalled(name, rows);
    const setAside = await registry.save(rows.filter((other) => other !== row));
    await removeTree(layout, row.root);
    const variables = await removePluginEnvironment(layout, row.name);
    const identities = new Map(await readIdentities(layout));
    if (identities.delete(row.name)) await saveIdentities(layout, identities);
    return { row, applied: true, filesRemoved: isCopy(row.root), variables, setAside };
  });
}

async function preview(layout: Layout, name: string): Promise<RemoveReport> {
  const { rows } = await readRegistry(layout);
  const row = findRow(rows, name);
  if (row === undefined) throw notInstalled(name, rows);
  const variables = await pluginEnvironmentNames(layout, row.name);
  return { row, applied: false, filesRemoved: isCopy(row.root), variables, setAside: null };
}
