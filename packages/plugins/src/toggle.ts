/** Switches an installed plugin on or off. */
import { recover } from "./disk/commit.ts";
import { layoutOf } from "./disk/layout.ts";
import { withRegistry } from "./disk/registry.ts";
import { findRow, type PluginRow } from "./disk/rows.ts";
import { notInstalled } from "./not-installed.ts";

export interface ToggleReport {
  readonly row: PluginRow;
  /** False when it was so already. */
  readonly changed: boolean;
  readonly setAside: string | null;
}

/** Takes effect with the next session or reload. Reads nothing of the plugin itself, so that a broken one can be switched off. */
export async function setPluginEnabled(home: string, name: string, enabled: boolean): Promise<ToggleReport> {
  const layout = layoutOf(home);
  return withRegistry(layout, `plugin ${enabled ? "enable" : "disable"} ${name}`, async (registry) => {
    const rows = await recover(layout, registry);
    const old = findRow(rows, name);
    if (old === undefined) throw notInstalled(name, rows);
    if (old.enabled === enabled) return { row: old, changed: false, setAside: null };
    const row = { ...old, enabled };
    const setAside = await registry.save(rows.map((other) => (other === old ? row : other)));
    return { row, changed: true, setAside };
  });
}
