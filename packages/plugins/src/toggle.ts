/** Switches an installed plugin on or off. */
import { recover } from "./disk/commit.ts";
import { layoutOf } from "./disk/layout.ts";
import { readRegistry, withRegistry } from "./disk/registry.ts";
import { findRow, type PluginRow } from "./disk/rows.ts";
import { notInstalled } from "./not-installed.ts";

export interface ToggleReport {
  readonly row: PluginRow;
  /** False when it was so already. */
  readonly changed: boolean;
  /** Whether the change was made, or only looked at. */
  readonly applied: boolean;
  readonly setAside: string | null;
}

/**
 * Takes effect with the next session or reload. Reads nothing of the plugin itself, so that a broken one can be switched
 * off. With `dryRun` the home keeps every byte.
 */
export async function setPluginEnabled(
  home: string,
  name: string,
  enabled: boolean,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<ToggleReport> {
  const layout = layoutOf(home);
  if (dryRun) {
    const { rows } = await readRegistry(layout);
    const old = findRow(rows, name);
    if (old === undefined) throw notInstalled(name, rows);
    return { row: { ...old, enabled }, changed: old.enabled !== enabled, applied: false, setAside: null };
  }
  return withRegistry(layout, `plugin ${enabled ? "enable" : "disable"} ${name}`, async (registry) => {
    const rows = await recover(layout, registry);
    const old = findRow(rows, name);
    if (old === undefined) throw notInstalled(name, rows);
    if (old.enabled === enabled) return { row: old, changed: false, applied: true, setAside: null };
    const row = { ...old, enabled };
    const setAside = await registry.save(rows.map((other) => (other === old ? row : other)));
    return { row, changed: true, applied: true, setAside };
  });
}
