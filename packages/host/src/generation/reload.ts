/** What a reload did, plugin by plugin (pure). */
import type { BuildFailure } from "./failure.ts";
import type { Snapshot } from "./snapshot.ts";

export interface ReloadedPlugin {
  readonly name: string;
  readonly oldPid?: number;
  readonly newPid?: number;
  readonly error?: string;
}

export type ReloadResult =
  | { readonly kind: "done"; readonly generation: number; readonly plugins: readonly ReloadedPlugin[] }
  /** The old generation goes on untouched; what the new one had started is gone. */
  | {
      readonly kind: "failed";
      /** The one that goes on. */
      readonly generation: number;
      readonly failures: readonly BuildFailure[];
      readonly plugins: readonly ReloadedPlugin[];
    };

/** Every plugin of either generation, the old one's first. */
export function comparePlugins(old: Snapshot, next: Snapshot): readonly ReloadedPlugin[] {
  const rows = new Map<string, ReloadedPlugin>();
  for (const { plugin, sidecar } of old.seats)
    rows.set(plugin, { name: plugin, ...(sidecar === null ? {} : { oldPid: sidecar.pid }) });
  for (const { plugin, sidecar, failure } of next.seats) {
    rows.set(plugin, {
      ...(rows.get(plugin) ?? { name: plugin }),
      ...(sidecar === null ? {} : { newPid: sidecar.pid }),
      ...(failure === null ? {} : { error: failure.message }),
    });
  }
  return [...rows.values()];
}

/** The plugins of the generation that goes on, with what went wrong with them or with plugins that were to come. */
export function failedPlugins(old: Snapshot, failures: readonly BuildFailure[]): readonly ReloadedPlugin[] {
  const rows = new Map<string, ReloadedPlugin>();
  for (const { plugin, sidecar } of old.seats)
    rows.set(plugin, { name: plugin, ...(sidecar === null ? {} : { oldPid: sidecar.pid }) });
  for (const failure of failures) {
    for (const name of namesOf(failure)) rows.set(name, { ...(rows.get(name) ?? { name }), error: failure.message });
  }
  return [...rows.values()];
}

function namesOf(failure: BuildFailure): readonly string[] {
  switch (failure.kind) {
    case "slot_collision":
      return [failure.first.plugin, failure.second.plugin];
    case "dependency_cycle":
    case "duplicate_provider":
      return failure.plugins.map(({ plugin }) => plugin);
    case "start_failed":
    case "broken":
      return [failure.plugin];
  }
}
