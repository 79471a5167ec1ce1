/** Removes an installed plugin. */
import { recover } from "./disk/commit.ts";
import { readIdentities, saveIdentities } from "./disk/identities.ts";
import { isCopy, layoutOf } from "./disk/layout.ts";
import { withRegistry } from "./disk/registry.ts";
import { findRow, type PluginRow } from "./disk/rows.ts";
import { notInstalled } from "./not-installed.ts";
import { removeTree } from "./disk/remove-tree.ts";

export interface RemoveReport {
  readonly row: PluginRow;
  /** Whether files went with the row; a link's folder stays. */
  readonly filesRemoved: boolean;
  readonly setAside: string | null;
}

/** Throws PluginError `not_installed`. The plugin's variables stay: they are the person's, and a reinstall wants them. */
export async function removePlugin(home: string, name: string): Promise<RemoveReport> {
  const layout = layoutOf(home);
  return withRegistry(layout, `plugin remove ${name}`, async (registry) => {
    const rows = await recover(layout, registry);
    const row = findRow(rows, name);
    if (row === undefined) throw notInstalled(name, rows);
    const setAside = await registry.save(rows.filter((other) => other !== row));
    await removeTree(layout, row.root);
    const identities = new Map(await readIdentities(layout));
    if (identities.delete(row.name)) await saveIdentities(layout, identities);
    return { row, filesRemoved: isCopy(row.root), setAside };
  });
}
