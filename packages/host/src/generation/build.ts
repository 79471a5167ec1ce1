/** Builds a generation beside the live one; a build that fails leaves nothing behind. */
import { isUnmet, type Dependencies } from "../dependencies.ts";
import { makePlan } from "../dispatch/plan.ts";
import { Standing } from "../dispatch/standing.ts";
import { HostError } from "../errors.ts";
import { offersOf } from "../offers.ts";
import type { HostPorts } from "../ports.ts";
import type { PrefixWatch } from "../prefix.ts";
import type { Catalogue } from "../providers/catalogue.ts";
import type { Streams } from "../providers/streams.ts";
import type { RedactionDoor } from "../redaction.ts";
import { findCollisions } from "../slots.ts";
import { Stats } from "../stats.ts";
import type { UiHub } from "../ui-hub.ts";
import { askCatalogues } from "./catalogues.ts";
import { judgeSpecs, withoutUnmet } from "./dependents.ts";
import {
  brokenFailure,
  collisionFailure,
  dependencyFailure,
  startFailure,
  unmetFailure,
  type BuildFailure,
} from "./failure.ts";
import type { Seat } from "./seat.ts";
import { Generation, stopAll } from "./snapshot.ts";
import { startAll, type Lineup, type SharedStart } from "./start-all.ts";

export interface BuildContext {
  readonly start: SharedStart;
  readonly ports: HostPorts;
  readonly prefix: PrefixWatch;
  readonly streams: Streams;
  readonly hub: UiHub;
  /** Whether calls are counted and timed. */
  readonly counts: boolean;
  readonly learnSecrets: RedactionDoor["learn"];
}

export type Built =
  | { readonly ok: true; readonly generation: Generation }
  | { readonly ok: false; readonly failures: readonly BuildFailure[] };

/**
 * When the signal fires the build is given up; what it had started is gone when this settles. `running` names the plugins
 * whose sidecars run in the generation before: the build fails when one of them does not start again.
 */
export async function buildGeneration(
  number: number,
  lineup: Lineup,
  context: BuildContext,
  signal: AbortSignal,
  running: ReadonlySet<string> = new Set(),
): Promise<Built> {
  const dependencies = await judgeSpecs(lineup.specs);
  const failures = obstacles(lineup, dependencies);
  if (failures.length > 0) return { ok: false, failures };
  context.learnSecrets(lineup.specs.map(({ env }) => env));
  const started = await startAll(number, lineup, dependencies.inactive, context.start, signal);
  const seats = await withoutUnmet(started, context.start.redact);
  const missing = seats.filter((seat) => isMissed(seat, running));
  const goesOn = missing.length === 0 && !signal.aborted;
  const catalogues = goesOn ? await askCatalogues(seats, context, signal) : new Map<string, Catalogue>();
  if (!goesOn || signal.aborted) {
    await stopAll(seats);
    return { ok: false, failures: causesFirst(missing).map(startFailure) };
  }
  warnOfMissing(seats, context);
  return { ok: true, generation: new Generation(snapshotOf(number, seats, catalogues, context)) };
}

/** A session cannot do without what is required, and must not lose by a reload what it had. */
function isMissed({ plugin, required, sidecar, failure }: Seat, running: ReadonlySet<string>): boolean {
  if (sidecar?.state.kind === "ready") return false;
  return required || (running.has(plugin) && (failure === null || !isUnmet(failure.reason)));
}

/** What stands in the way of the generation before anything is started. */
function obstacles({ specs, broken = [] }: Lineup, { inactive, faults }: Dependencies): readonly BuildFailure[] {
  return [
    ...findCollisions([...specs, ...broken]).map(collisionFailure),
    ...broken.filter((spec) => spec.required).map(brokenFailure),
    ...faults.map(dependencyFailure),
    ...specs.flatMap((spec) => {
      const unmet = spec.required ? inactive.get(spec.plugin) : undefined;
      return unmet === undefined ? [] : [unmetFailure(spec, unmet)];
    }),
  ];
}

function snapshotOf(
  number: number,
  seats: readonly Seat[],
  catalogues: ReadonlyMap<string, Catalogue>,
  { start, ports, prefix, streams, counts }: BuildContext,
) {
  const { clock, redact } = start;
  const offers = offersOf(seats, { streams, catalogues, redact, judge: ports.judgeArguments ?? null });
  const dispatch = {
    generation: number,
    plan: makePlan(seats),
    standing: new Standing(clock),
    ports,
    clock,
    prefix,
    stats: counts ? new Stats() : null,
    redact,
  };
  const frozen = { seats: Object.freeze(seats), dispatch: Object.freeze(dispatch), offers: Object.freeze(offers) };
  return Object.freeze({ number, catalogues, ...frozen });
}

/** A required plugin that was given up because another failed is no cause of its own. */
function causesFirst(missing: readonly Seat[]): readonly Seat[] {
  const causes = missing.filter((seat) => !(seat.failure?.cause instanceof HostError));
  return causes.length > 0 ? causes : missing;
}

function warnOfMissing(seats: readonly Seat[], { ports, start }: BuildContext): void {
  for (const { plugin, failure, owns } of seats) {
    if (failure === null) continue;
    const claimed =
      owns.size === 0 ? "" : ` Its slots stay claimed, and operations there fail: ${[...owns].join(", ")}.`;
    const text = start.redact(`${failure.message} The session goes on without it.${claimed}`);
    const code = isUnmet(failure.reason) ? "dependency_unmet" : "start_failed";
    ports.notice({ severity: "warn", code, plugin, text });
  }
}
