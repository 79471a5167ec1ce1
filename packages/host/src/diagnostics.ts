/** What a host can tell about itself at any moment, as data. */
import { DEADLINES, type PointName, type SlotName } from "@reasonix-ts/protocol";
import type { BenchedSeat } from "./dispatch/bench.ts";
import type { Generation } from "./generation/snapshot.ts";
import type { PrefixChange } from "./prefix.ts";

export interface PluginDiagnostics {
  readonly plugin: string;
  readonly version: string;
  readonly source: string;
  readonly required: boolean;
  readonly priority: number;
  readonly state: "ready" | "draining" | "gone" | "failed";
  readonly pid: number | null;
  /** Why it did not start or is gone; redacted. */
  readonly problem: string | null;
  readonly intercepts: readonly PointName[];
  readonly owns: readonly SlotName[];
  /** The manifest's budget is over the ceiling and was cut to it. */
  readonly budgetClamped: boolean;
  readonly observationsDropped: number;
}

export interface Diagnostics {
  readonly generation: number;
  readonly plugins: readonly PluginDiagnostics[];
  /** Observers that sit out at a point. */
  readonly benched: readonly BenchedSeat[];
  /** What changed at the front of model requests, and by whom. */
  readonly changes: readonly PrefixChange[];
  /** Older generations that are still held by a lease or stopping. */
  readonly retiring: readonly { readonly generation: number; readonly leases: number }[];
}

export function diagnose(
  live: Generation,
  retiring: Iterable<Generation>,
  changes: readonly PrefixChange[],
  redact: (text: string) => string,
): Diagnostics {
  const { number, seats, dispatch } = live.snapshot;
  return {
    generation: number,
    plugins: seats.map((seat) => {
      const { plugin, version, source, required, priority, sidecar, failure } = seat;
      const state = sidecar?.state;
      const problem = state?.kind === "gone" ? state.death.message : (failure?.message ?? null);
      return {
        plugin,
        version,
        source,
        required,
        priority,
        state: state === undefined || state.kind === "starting" ? "failed" : state.kind,
        pid: sidecar?.pid ?? null,
        problem: problem === null ? null : redact(problem),
        intercepts: [...seat.intercepts],
        owns: [...seat.owns],
        budgetClamped: (sidecar?.spec.timeoutMillis ?? 0) > DEADLINES.interceptCeiling,
        observationsDropped: sidecar?.peer.observations.dropped ?? 0,
      };
    }),
    benched: dispatch.standing.bench.list(),
    changes,
    retiring: [...retiring].map(({ snapshot, leases }) => ({ generation: snapshot.number, leases })),
  };
}
