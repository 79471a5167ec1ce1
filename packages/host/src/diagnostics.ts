/** What a host can tell about itself at any moment, as data. */
import { DEADLINES, type Capability, type PointName, type SlotName } from "@reasonix-ts/protocol";
import { isUnmet } from "./dependencies.ts";
import type { BenchedSeat } from "./dispatch/bench.ts";
import type { Seat } from "./generation/seat.ts";
import type { Generation } from "./generation/snapshot.ts";
import type { PrefixChange } from "./prefix.ts";
import type { CatalogueProblem } from "./providers/catalogue.ts";
import type { LastFailure, PointStats } from "./stats.ts";

export interface PluginDiagnostics {
  readonly plugin: string;
  readonly version: string;
  readonly source: string;
  readonly required: boolean;
  readonly priority: number;
  /** `failed`: it did not start. `inactive`: what it requires is not there. */
  readonly state: "ready" | "draining" | "gone" | "failed" | "inactive";
  readonly pid: number | null;
  /** The version of the state that it keeps, as it told at the handshake; null when it does not run. */
  readonly stateSchemaVersion: number | null;
  /** Why it did not start or is gone; redacted. */
  readonly problem: string | null;
  readonly intercepts: readonly PointName[];
  readonly owns: readonly SlotName[];
  /** The manifest's budget is over the ceiling and was cut to it. */
  readonly budgetClamped: boolean;
  /** Granted at the handshake. */
  readonly capabilities: readonly Capability[];
  /** Tools that it serves. */
  readonly tools: readonly string[];
  /** Refs of the models that it offers. */
  readonly models: readonly string[];
  /** Entries of its catalogue that were dropped, and why there was none; redacted. */
  readonly catalogueProblems: readonly CatalogueProblem[];
  /** Ids of the actions that it declared. */
  readonly actions: readonly string[];
  readonly observationsDropped: number;
  /** What its calls cost and how they went wrong in this generation, point by point; empty when nothing is counted. */
  readonly points: readonly PointStats[];
  /** The last call that went wrong in this generation. */
  readonly lastFailure: LastFailure | null;
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
  const { number, seats, dispatch, catalogues } = live.snapshot;
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
        state: stateOf(seat),
        pid: sidecar?.pid ?? null,
        problem: problem === null ? null : redact(problem),
        stateSchemaVersion: state?.kind === "ready" ? state.declaration.stateSchemaVersion : null,
        intercepts: [...seat.intercepts],
        owns: [...seat.owns],
        budgetClamped: (sidecar?.spec.timeoutMillis ?? 0) > DEADLINES.interceptCeiling,
        capabilities: [...(sidecar?.grant.capabilities ?? [])],
        tools: [...(sidecar?.grant.tools ?? [])],
        models: catalogues.get(plugin)?.models.map(({ ref }) => ref) ?? [],
        catalogueProblems: catalogues.get(plugin)?.problems ?? [],
        actions: sidecar?.grant.uiActions.map(({ actionId }) => actionId) ?? [],
        observationsDropped: sidecar?.peer.observations.dropped ?? 0,
        points: dispatch.stats?.of(plugin) ?? [],
        lastFailure: dispatch.stats?.lastFailure(plugin) ?? null,
      };
    }),
    benched: dispatch.standing.bench.list(),
    changes,
    retiring: [...retiring].map(({ snapshot, leases }) => ({ generation: snapshot.number, leases })),
  };
}

function stateOf({ sidecar, failure }: Seat): PluginDiagnostics["state"] {
  const state = sidecar?.state.kind;
  if (state !== undefined && state !== "starting") return state;
  return failure !== null && isUnmet(failure.reason) ? "inactive" : "failed";
}
