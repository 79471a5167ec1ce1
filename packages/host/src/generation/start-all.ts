/** Starts the sidecars of a generation and gives every plugin its seat, whether it runs or not. */
import { newMarker } from "@reasonix-ts/process";
import { BOUNDS, DEADLINES } from "@reasonix-ts/protocol";
import { unmetError, type Unmet } from "../dependencies.ts";
import { asHostError, HostError } from "../errors.ts";
import type { BrokenSpec, SidecarSpec } from "../spec.ts";
import type { Sidecar } from "../sidecar.ts";
import { startSidecar, type StartContext } from "../start.ts";
import { brokenText } from "./failure.ts";
import { launchAll, type Launched } from "./launch.ts";
import { emptySeat, runningSeat, type Seat } from "./seat.ts";

/** What is to run. */
export interface Lineup {
  readonly specs: readonly SidecarSpec[];
  readonly broken?: readonly BrokenSpec[];
}

/** What the starts of all generations share. */
export type SharedStart = Omit<StartContext, "generation" | "marker">;

/** In the order of the lineup. Inactive plugins are not started. Never rejects. */
export async function startAll(
  generation: number,
  { specs, broken = [] }: Lineup,
  inactive: ReadonlyMap<string, Unmet>,
  shared: SharedStart,
  signal: AbortSignal,
): Promise<readonly Seat[]> {
  const active = specs.filter(({ plugin }) => !inactive.has(plugin));
  const launched = await launchSpecs(generation, active, shared, signal);
  const seats = specs.map((spec, order) => {
    const unmet = inactive.get(spec.plugin);
    if (unmet !== undefined) return emptySeat(spec, order, unmetError(unmet, shared.redact));
    const result = launched.get(spec);
    if (result?.ok === true) return runningSeat(result.value, order);
    return emptySeat(spec, order, shownError(result?.error, spec, shared));
  });
  const faulty = broken.map((spec, index) => {
    const failure = new HostError("activation_failed", spec.plugin, brokenText(spec));
    return emptySeat(spec, specs.length + index, failure);
  });
  return [...seats, ...faulty];
}

async function launchSpecs(
  generation: number,
  specs: readonly SidecarSpec[],
  shared: SharedStart,
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
function shownError(error: unknown, { plugin }: SidecarSpec, { redact }: SharedStart): HostError {
  const { reason, message, cause } = asHostError(error, plugin);
  return new HostError(reason, plugin, redact(message), { cause });
}
