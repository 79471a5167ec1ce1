/** Builds a generation beside the live one; a build that fails leaves nothing behind. */
import { newMarker } from "@reasonix-ts/process";
import { BOUNDS, DEADLINES } from "@reasonix-ts/protocol";
import { makePlan } from "../dispatch/plan.ts";
import { Standing } from "../dispatch/standing.ts";
import { asHostError, HostError } from "../errors.ts";
import { offersOf } from "../offers.ts";
import type { HostPorts } from "../ports.ts";
import type { PrefixWatch } from "../prefix.ts";
import { askCatalogue, type Catalogue } from "../providers/catalogue.ts";
import type { Streams } from "../providers/streams.ts";
import { findCollisions } from "../slots.ts";
import type { RedactionDoor } from "../redaction.ts";
import type { BrokenSpec, SidecarSpec } from "../spec.ts";
import type { Sidecar } from "../sidecar.ts";
import { startSidecar, type StartContext } from "../start.ts";
import { brokenFailure, brokenText, collisionFailure, startFailure, type BuildFailure } from "./failure.ts";
import { launchAll, type Launched } from "./launch.ts";
import { emptySeat, runningSeat, type Seat } from "./seat.ts";
import type { UiHub } from "../ui-hub.ts";
import { Generation, stopAll } from "./snapshot.ts";

/** What is to run. */
export interface Lineup {
  readonly specs: readonly SidecarSpec[];
  readonly broken?: readonly BrokenSpec[];
}

export interface BuildContext {
  readonly start: Omit<StartContext, "generation" | "marker">;
  readonly ports: HostPorts;
  readonly prefix: PrefixWatch;
  readonly streams: Streams;
  readonly hub: UiHub;
  readonly learnSecrets: RedactionDoor["learn"];
}

export type Built =
  | { readonly ok: true; readonly generation: Generation }
  | { readonly ok: false; readonly failures: readonly BuildFailure[] };

/** When the signal fires the build is given up; what it had started is gone when this settles. */
export async function buildGeneration(
  number: number,
  lineup: Lineup,
  context: BuildContext,
  signal: AbortSignal,
): Promise<Built> {
  const { specs, broken = [] } = lineup;
  const failures = [
    ...findCollisions([...specs, ...broken]).map(collisionFailure),
    ...broken.filter((spec) => spec.required).map(brokenFailure),
  ];
  if (failures.length > 0) return { ok: false, failures };
  context.learnSecrets(specs.map(({ env }) => env));
  const launched = await launchSpecs(number, specs, context, signal);
  const seats: Seat[] = [];
  for (const [order, spec] of specs.entries()) {
    const result = launched.get(spec);
    if (result?.ok === true) seats.push(runningSeat(result.value, order));
    else seats.push(emptySeat(spec, order, shownError(result?.error, spec, context)));
  }
  for (const [index, spec] of broken.entries()) {
    const failure = new HostError("activation_failed", spec.plugin, brokenText(spec));
    seats.push(emptySeat(spec, specs.length + index, failure));
  }
  const missing = seats.filter((seat) => seat.required && seat.sidecar?.state.kind !== "ready");
  if (missing.length > 0 || signal.aborted) {
    await stopAll(seats);
    return { ok: false, failures: causesFirst(missing).map(startFailure) };
  }
  const catalogues = await askCatalogues(seats, context);
  if (signal.aborted) {
    await stopAll(seats);
    return { ok: false, failures: [] };
  }
  warnOfMissing(seats, context);
  return { ok: true, generation: new Generation(snapshotOf(number, seats, catalogues, context)) };
}

/** Side by side, so that a slow one costs its own time only once. */
async function askCatalogues(seats: readonly Seat[], { start, ports }: BuildContext) {
  const catalogues = new Map<string, Catalogue>();
  await Promise.all(
    seats.map(async ({ plugin, sidecar }) => {
      if (sidecar === null || sidecar.grant.providers.length === 0) return;
      const { models, problems } = await askCatalogue(sidecar);
      const shown = problems.map(({ path, text }) => ({ path, text: start.redact(text) }));
      catalogues.set(plugin, { models, problems: shown });
    }),
  );
  for (const { plugin } of seats) {
    const problems = catalogues.get(plugin)?.problems ?? [];
    if (problems.length === 0) continue;
    const more = problems.length > 3 ? `; and ${problems.length - 3} more` : "";
    const list = problems.slice(0, 3).map(({ text }) => text);
    const text = `The catalogue of plugin "${plugin}" is not good in all its parts: ${list.join("; ")}${more}. What is good is used.`;
    ports.notice({ severity: "warn", code: "catalogue_problem", plugin, text });
  }
  return catalogues;
}

function snapshotOf(
  number: number,
  seats: readonly Seat[],
  catalogues: ReadonlyMap<string, Catalogue>,
  { start, ports, prefix, streams }: BuildContext,
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
    redact,
  };
  const frozen = { seats: Object.freeze(seats), dispatch: Object.freeze(dispatch), offers: Object.freeze(offers) };
  return Object.freeze({ number, catalogues, ...frozen });
}

async function launchSpecs(
  generation: number,
  specs: readonly SidecarSpec[],
  { start: shared }: BuildContext,
  signal: AbortSignal,
): Promise<ReadonlyMap<SidecarSpec, Launched<Sidecar>>> {
  const start: StartContext = { ...shared, generation, marker: newMarker() };
  // Required ones first: what the session cannot do without must not wait for what it can.
  const jobs = [...specs.filter((spec) => spec.required), ...specs.filter((spec) => !spec.required)];
  const results = await launchAll(jobs, {
    atOnce: BOUNDS.startingAtOnce,
    budgetMillis: DEADLINES.startBudget,
    clock: shared.clock,
    signal,
    start: (spec, options) => startSidecar(spec, start, options),
    vital: (spec) => spec.required,
    evicted: ({ plugin }, millis) =>
      new HostError(
        "activation_failed",
        plugin,
        `Plugin "${plugin}" did not start: it did not answer extension/initialize within ${Math.round(millis)} ms, and others waited for its place.`,
      ),
    abandoned: ({ plugin }, cause) => {
      const why =
        cause instanceof HostError ? `the required plugin "${cause.plugin}" failed` : "the build was given up";
      return new HostError("activation_failed", plugin, `Plugin "${plugin}" was not started: ${why}.`, { cause });
    },
  });
  return new Map(jobs.flatMap((spec, index) => (results[index] === undefined ? [] : [[spec, results[index]]])));
}

/** What a sidecar sent may be quoted in its failure: secrets go here, before the text is kept anywhere. */
function shownError(error: unknown, { plugin }: SidecarSpec, { start }: BuildContext): HostError {
  const { reason, message, cause } = asHostError(error, plugin);
  return new HostError(reason, plugin, start.redact(message), { cause });
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
    ports.notice({ severity: "warn", code: "start_failed", plugin, text });
  }
}
