/** A plugin's place in one generation, whether its sidecar runs or not. */
import type { PointName, SlotName } from "@reasonix-ts/protocol";
import type { Candidate } from "../dispatch/plan.ts";
import type { HostError } from "../errors.ts";
import type { Sidecar } from "../sidecar.ts";
import { clampPriority, type BrokenSpec, type SidecarSpec } from "../spec.ts";

export interface Seat extends Candidate {
  readonly version: string;
  readonly source: string;
  readonly required: boolean;
  /** Null when it did not start. */
  readonly sidecar: Sidecar | null;
  /** Why it did not start; null when it did. */
  readonly failure: HostError | null;
}

const NO_POINTS: ReadonlySet<PointName> = new Set();

export function runningSeat(sidecar: Sidecar, order: number): Seat {
  const { plugin, version, source, required, priority } = sidecar.spec;
  const { intercepts, replaces } = sidecar.grant;
  const place = { plugin, version, source, required, priority: clampPriority(priority), order };
  return { ...place, intercepts, owns: replaces, sidecar, failure: null };
}

/** It intercepts nothing, and its slots stay claimed. */
export function emptySeat(spec: SidecarSpec | BrokenSpec, order: number, failure: HostError): Seat {
  const { plugin, version, source, required } = spec;
  const owns: ReadonlySet<SlotName> = new Set(spec.replaces);
  return { plugin, version, source, required, priority: 0, order, intercepts: NO_POINTS, owns, sidecar: null, failure };
}
