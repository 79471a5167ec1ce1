/** Who was asked at a point and what changed by it, as data. Made only where somebody wants receipts. */
import { below, type SlotName } from "@reasonix-ts/protocol";
import { isDeepStrictEqual } from "node:util";
import type { Seat } from "../generation/seat.ts";
import type { Receipt } from "../ports.ts";
import type { Course } from "./course.ts";
import type { Parcel } from "./payload.ts";
import type { Dispatch } from "./dispatch.ts";

export interface CallFacts {
  /** The payload that was sent. */
  readonly before: Parcel;
  readonly outcome: Receipt["outcome"];
  /** On the clock's scale. */
  readonly startedAt: number;
}

export function receiptOf(
  dispatch: Dispatch,
  course: Course,
  seat: Seat,
  slot: SlotName | null,
  { before, outcome, startedAt }: CallFacts,
): Receipt {
  const { callId, agent } = course.scope;
  return {
    generation: dispatch.generation,
    point: course.point,
    plugin: seat.plugin,
    slot,
    outcome,
    changed: changedMembers(before.value, course.parcel.value),
    millis: dispatch.clock.now() - startedAt,
    ...(callId === undefined ? {} : { callId }),
    ...(agent === undefined ? {} : { agent }),
  };
}

/** JSON pointers of the top-level members that differ, in the order of the newer payload. */
export function changedMembers(before: object, after: object): readonly string[] {
  if (before === after) return [];
  const old = new Map<string, unknown>(Object.entries(before));
  const now = new Map<string, unknown>(Object.entries(after));
  const names = new Set([...now.keys(), ...old.keys()]);
  return [...names].filter((name) => !isDeepStrictEqual(old.get(name), now.get(name))).map((name) => below("", name));
}
