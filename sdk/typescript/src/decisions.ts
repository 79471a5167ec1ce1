/** What a handler may answer: helpers that build rulings, and the type that says which are legal at a point. */
import type { Payloads, PointName, POINTS } from "@reasonix-ts/protocol";

export interface Continue {
  readonly decision: "continue";
}

export interface Block {
  readonly decision: "block";
  readonly reason: string;
}

export interface Replace<T> {
  readonly decision: "replace";
  readonly replacement: T;
}

export interface Allow {
  readonly decision: "allow";
  readonly reason?: string;
}

export interface Deny {
  readonly decision: "deny";
  readonly reason?: string;
}

/**
 * The answers that mean something at point `P`. `replace` is left out where a host ignores it, and `allow` and
 * `deny` exist at `permission.decision` only; elsewhere a host takes them for a violation of the contract.
 */
export type Ruling<P extends PointName> = P extends PointName
  ? | Continue
    | Block
    | ((typeof POINTS)[P]["replaceable"] extends true ? Replace<Payloads[P]> : never)
    | (P extends "permission.decision" ? Allow | Deny : never)
  : never;

const CONTINUE: Continue = Object.freeze({ decision: "continue" });

/** Passes the payload along as it stands. */
export function next(): Continue {
  return CONTINUE;
}

/** Ends the operation. The reason is shown to the person and, at tool points, told to the model. */
export function block(reason: string): Block {
  return { decision: "block", reason };
}

/**
 * Puts `payload` in place of the one that came. It is the whole payload, not a patch: spread what came, so that
 * members which a newer host has added travel on, and change what you mean to change.
 */
export function replace<T extends object>(payload: T): Replace<T> {
  return { decision: "replace", replacement: payload };
}

/** Lets a tool call run although the host would not. Every host writes such an overruling to its audit log. */
export function allow(reason?: string): Allow {
  return reason === undefined ? { decision: "allow" } : { decision: "allow", reason };
}

/** Refuses a tool call whatever others say. */
export function deny(reason?: string): Deny {
  return reason === undefined ? { decision: "deny" } : { decision: "deny", reason };
}
