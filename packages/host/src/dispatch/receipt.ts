/** Who was asked at a point and what changed by it, as data. Made only where somebody wants receipts. */
import { below, type SlotName } from "@reasonix-ts/protocol";
import { isDeepStrictEqual } from "node:util";
import type { Seat } from "../generation/seat.ts";
import type { MemberChange, Receipt } from "../ports.ts";
import type { Course } from "./course.ts";
import type { Parcel } from "./payload.ts";
import type { Dispatch } from "./dispatch.ts";

export interface CallFacts {
  /** The payload that was sent. */
  readonly before: Parcel;
  readonly outcome: Receipt["outcome"];
  /** From the call to its answer. */
  readonly millis: number;
}

export function receiptOf(
  dispatch: Dispatch,
  course: Course,
  seat: Seat,
  slot: SlotName | null,
  { before, outcome, millis }: CallFacts,
): Receipt {
  const { callId, agent } = course.scope;
  return {
    generation: dispatch.generation,
    point: course.point,
    plugin: seat.plugin,
    slot,
    outcome,
    changed: changedMembers(before.value, course.parcel.value),
    ...(outcome === "replace" ? { changes: changesOf(before.value, course.parcel.value) } : {}),
    millis,
    ...(callId === undefined ? {} : { callId }),
    ...(agent === undefined ? {} : { agent }),
  };
}

/** JSON pointers of the top-level members that differ, in the order of the newer payload. */
export function changedMembers(before: object, after: object): readonly string[] {
  return differences(before, after).map(([name]) => below("", name));
}

/** JSON text kept of each side of a change, in UTF-16 units. */
const KEPT = 4_096;

/** The same members with the JSON text of both sides; null where the member was absent. */
export function changesOf(before: object, after: object): readonly MemberChange[] {
  return differences(before, after).map(([name, old, now]) => {
    const [was, is] = [headOf(old), headOf(now)];
    return { member: below("", name), before: was.text, after: is.text, cut: was.cut || is.cut };
  });
}

function differences(before: object, after: object): readonly (readonly [string, unknown, unknown])[] {
  if (before === after) return [];
  const old = new Map<string, unknown>(Object.entries(before));
  const now = new Map<string, unknown>(Object.entries(after));
  const names = new Set([...now.keys(), ...old.keys()]);
  return [...names]
    .map((name) => [name, old.get(name), now.get(name)] as const)
    .filter(([, was, is]) => !isDeepStrictEqual(was, is));
}

function headOf(value: unknown): { readonly text: string | null; readonly cut: boolean } {
  if (value === undefined) return { text: null, cut: false };
  const text = jsonHead(value, KEPT);
  return { text: text.slice(0, KEPT), cut: text.length > KEPT };
}

/** JSON text of the value, whole or at least its first `length` characters: a long conversation is not written out. */
function jsonHead(value: unknown, length: number): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, length + 1));
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  let text = isList ? "[" : "{";
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    if (text.length > 1) text += ",";
    if (!isList) text += `${JSON.stringify(key)}:`;
    text += jsonHead(member, length);
    if (text.length > length) return text;
  }
  return text + (isList ? "]" : "}");
}
