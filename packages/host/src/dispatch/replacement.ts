/** Judges a replacement payload as the point's full DTO and brings it into the host's form (pure). */
import {
  boolean,
  decode,
  describe,
  integer,
  list,
  POINTS,
  string,
  type PointName,
  type PointRow,
  type Problem,
} from "@reasonix-ts/protocol";

export type Replacement =
  | { readonly ok: true; readonly payload: object }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Members that the point requires must be there; elsewhere an absent or null member is its zero value; fixed members
 * keep the host's value; unknown members are refused. `replacement` belongs to this function and may be changed.
 */
export function judgeReplacement(point: PointName, current: object, replacement: unknown): Replacement {
  const row: PointRow = POINTS[point];
  if (!isRecord(replacement))
    return {
      ok: false,
      problems: [{ kind: "wrong", path: "", expected: "an object", received: describe(replacement) }],
    };
  const missing = row.required.filter((pointer) => (valueAt(replacement, pointer) ?? null) === null);
  if (missing.length > 0)
    return { ok: false, problems: missing.map((path) => ({ kind: "missing", path, expected: "a value" })) };
  for (const member of row.fixed) keepMember(replacement, current, member);
  const decoded = decodeWithZeros(row, replacement);
  if (!decoded.ok) return decoded;
  const wrong = point === "tool.before" ? argumentsProblem(replacement["arguments"]) : null;
  return wrong === null ? { ok: true, payload: decoded.payload } : { ok: false, problems: [wrong] };
}

function decodeWithZeros(row: PointRow, replacement: { [member: string]: unknown }): Replacement {
  const first = decode(row.payload, replacement);
  if (first.ok) return { ok: true, payload: first.value };
  let filled = false;
  for (const problem of first.problems) filled = fillZero(replacement, problem) || filled;
  if (!filled) return first;
  const second = decode(row.payload, replacement);
  return second.ok ? { ok: true, payload: second.value } : second;
}

/** By what a schema says it wants. A member that must not be empty has no zero value and stays missing. */
const ZEROS: ReadonlyMap<string, () => unknown> = new Map<string, () => unknown>([
  [string.expected, () => ""],
  [boolean.expected, () => false],
  [integer().expected, () => 0],
  [integer({ min: 0 }).expected, () => 0],
  [list(string).expected, () => []],
]);

function fillZero(root: { [member: string]: unknown }, problem: Problem): boolean {
  if (problem.kind === "unknown") return false;
  if (problem.kind === "wrong" && problem.received !== "null") return false;
  const zero = ZEROS.get(problem.expected);
  const cut = problem.path.lastIndexOf("/");
  const holder = valueAt(root, problem.path.slice(0, cut));
  if (zero === undefined || !isRecord(holder)) return false;
  holder[unescaped(problem.path.slice(cut + 1))] = zero();
  return true;
}

function keepMember(replacement: { [member: string]: unknown }, current: object, member: string): void {
  // The host's own payload is read by name here; its schema has judged it already.
  const kept = (current as { readonly [member: string]: unknown })[member];
  if (kept === undefined) delete replacement[member];
  else replacement[member] = kept;
}

function argumentsProblem(text: unknown): Problem | null {
  const expected = "the JSON text of an object";
  const path = "/arguments";
  try {
    const value: unknown = JSON.parse(String(text));
    return isRecord(value) ? null : { kind: "wrong", path, expected, received: `the JSON text of ${describe(value)}` };
  } catch {
    return { kind: "wrong", path, expected, received: describe(text) };
  }
}

function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  if (pointer === "") return value;
  for (const segment of pointer.slice(1).split("/")) {
    if (typeof value !== "object" || value === null) return undefined;
    // A JSON value: arrays are read by their index, objects by their member.
    value = (value as { readonly [member: string]: unknown })[unescaped(segment)];
  }
  return value;
}

function unescaped(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}

function isRecord(value: unknown): value is { [member: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
