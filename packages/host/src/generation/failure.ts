/** Why a generation could not be built, as data with a sentence. */
import type { Reason, SlotName } from "@reasonix-ts/protocol";
import { collisionText, identity, type SlotCollision } from "../slots.ts";
import type { Seat } from "./seat.ts";
import type { DependencyFault, Unmet } from "../dependencies.ts";
import type { BrokenSpec } from "../spec.ts";

interface Identity {
  readonly plugin: string;
  readonly version: string;
  readonly source: string;
}

export type BuildFailure =
  | {
      readonly kind: "slot_collision";
      readonly reason: Reason;
      readonly slot: SlotName;
      readonly first: Identity;
      readonly second: Identity;
      readonly message: string;
    }
  /** A runtime that is required, or that ran before the reload, did not start. */
  | ({ readonly kind: "start_failed"; readonly reason: Reason; readonly message: string } & Identity)
  /** Plugins require one another in a circle, or two provide the same. */
  | ({
      readonly kind: "dependency_cycle" | "duplicate_provider";
      readonly reason: Reason;
      readonly message: string;
      /** All that take part, the one that the failure is named after first. */
      readonly plugins: readonly [Identity, ...Identity[]];
    } & Identity)
  /** A required runtime cannot even be described. */
  | ({ readonly kind: "broken"; readonly reason: Reason; readonly message: string } & Identity);

export function collisionFailure(collision: SlotCollision): BuildFailure {
  const { slot, first, second } = collision;
  const message = collisionText(collision);
  return {
    kind: "slot_collision",
    reason: "activation_failed",
    slot,
    first: identityOf(first),
    second: identityOf(second),
    message,
  };
}

export function dependencyFailure({ kind, members: [first, ...others], message }: DependencyFault): BuildFailure {
  const reason = kind === "dependency_cycle" ? "dependency_cycle" : "activation_failed";
  const plugins = [identityOf(first), ...others.map(identityOf)] as const;
  return { kind, reason, ...plugins[0], plugins, message };
}

/** A required runtime requires what nobody provides. */
export function unmetFailure(spec: Identity, { reason, message }: Unmet): BuildFailure {
  return { kind: "start_failed", reason, ...identityOf(spec), message };
}

export function brokenFailure(spec: BrokenSpec): BuildFailure {
  return { kind: "broken", reason: "activation_failed", ...identityOf(spec), message: brokenText(spec) };
}

export function brokenText(spec: BrokenSpec): string {
  return `The runtime of ${identity(spec)} cannot be started: ${spec.problem}`;
}

export function startFailure(seat: Seat): BuildFailure {
  const state = seat.sidecar?.state;
  const { reason, message } =
    seat.failure ??
    (state?.kind === "gone"
      ? state.death
      : { reason: "activation_failed" as const, message: `The runtime of ${identity(seat)} is not running.` });
  return { kind: "start_failed", reason, ...identityOf(seat), message };
}

function identityOf({ plugin, version, source }: Identity): Identity {
  return { plugin, version, source };
}
