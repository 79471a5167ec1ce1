/** What every installed plugin may do and brings: trust blocks and contributions side by side. */
import type { Contributions } from "./contributes/contribution.ts";
import { readContributions } from "./contributes/read.ts";
import { absoluteRoot, layoutOf } from "./disk/layout.ts";
import { readRegistry } from "./disk/registry.ts";
import { showPlugin, type PluginDetails } from "./list.ts";
import type { Machine } from "./machine.ts";
import { loadPackage } from "./package/load.ts";

export interface CapabilityReport {
  readonly plugins: readonly PluginCapabilities[];
  readonly problems: readonly string[];
}

export interface PluginCapabilities extends PluginDetails {
  /** Null when the manifest cannot be used. */
  readonly brings: Contributions | null;
}

/** Of disabled plugins as well: what they would do is worth knowing before they are enabled. */
export async function describeCapabilities(home: string, machine: Machine): Promise<CapabilityReport> {
  const layout = layoutOf(home);
  const { rows, broken, problems } = await readRegistry(layout);
  const plugins: PluginCapabilities[] = [];
  for (const row of rows) {
    const details = await showPlugin(home, row.name, machine);
    const loaded = await loadPackage(absoluteRoot(layout, row.root));
    plugins.push({ ...details, brings: loaded.ok ? await readContributions(row.name, loaded.package) : null });
  }
  return { plugins, problems: [...(broken === null ? [] : [broken]), ...problems] };
}
