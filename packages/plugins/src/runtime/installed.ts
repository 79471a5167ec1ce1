/** The runtimes of all enabled plugins: the only road from the disk to a process. */
import { absoluteRoot, layoutOf } from "../disk/layout.ts";
import { readRegistry } from "../disk/registry.ts";
import type { PluginRow } from "../disk/rows.ts";
import type { Machine } from "../machine.ts";
import type { BrokenSpec, SidecarSpec } from "./spec.ts";

export interface InstalledRuntimes {
  readonly specs: readonly SidecarSpec[];
  readonly broken: readonly BrokenSpec[];
  /** For a person: faults that concern no single runtime. */
  readonly problems: readonly string[];
}

/**
 * Reads `plugin-packages.json` of this home and of no other place; nothing in a workspace can add to it (X1). With no
 * enabled plugin nothing but that file is read, and no further module is loaded. A broken file starts nothing.
 */
export async function installedRuntimes(
  home: string,
  machine: Pick<Machine, "platform" | "node">,
): Promise<InstalledRuntimes> {
  const layout = layoutOf(home);
  const registry = await readRegistry(layout);
  if (registry.broken !== null) {
    const problem = `${registry.broken} No plugin runs until it is in order: "reasonix plugin doctor" tells more.`;
    return { specs: [], broken: [], problems: [problem] };
  }
  const specs: SidecarSpec[] = [];
  const broken: BrokenSpec[] = [];
  const problems = registry.problems.map((problem) => `${layout.registry}: ${problem}`);
  const enabled = registry.rows.filter((row) => row.enabled);
  if (enabled.length > 0) {
    const { readRuntime } = await import("./read.ts");
    const results = await Promise.all(
      enabled.map((row: PluginRow) => readRuntime(layout, row, absoluteRoot(layout, row.root), machine)),
    );
    for (const result of results) {
      problems.push(...result.problems);
      if (result.runtime === null) continue;
      if (result.runtime.ok) specs.push(result.runtime.spec);
      else broken.push(result.runtime.broken);
    }
  }
  return { specs, broken, problems };
}
