/** Prints the whole contract as one JSON document: JSON Schema 2020-12 with the tables beside it. */
import { ErrorData } from "./errors.ts";
import { LIMITS, PROTOCOL_ID, PROTOCOL_MAJOR, PROTOCOL_VERSION } from "./limits.ts";
import { FrameMeta } from "./meta.ts";
import { METHODS, type Direction } from "./methods.ts";
import { POINTS, type Family } from "./points.ts";
import { REASONS } from "./reasons.ts";
import type { JsonSchema, Schema } from "./schema.ts";
import { NAMED_SLOTS, PLAIN_SLOTS } from "./slots.ts";
import { SURFACE_PAYLOADS } from "./ui.ts";

export interface PrintedMethod {
  readonly direction: Direction;
  readonly notification: boolean;
  readonly params: JsonSchema;
  readonly result: JsonSchema | null;
  readonly beforeBarrier: boolean;
  readonly addition: boolean;
}

export interface PrintedPoint {
  readonly family: Family;
  readonly slots: readonly string[];
  readonly payload: JsonSchema;
  readonly required: readonly string[];
  readonly fixed: readonly string[];
  readonly replaceable: boolean;
  readonly guard: boolean;
}

export interface PrintedError {
  readonly reason: string;
  readonly jsonRpcCode: number;
  readonly retryable: boolean;
  readonly action: string;
}

export interface ContractDocument {
  readonly $schema: string;
  readonly $id: string;
  readonly title: string;
  readonly protocolId: string;
  readonly protocolMajor: number;
  readonly protocolVersion: string;
  readonly $defs: { readonly [name: string]: JsonSchema };
  readonly methods: { readonly [method: string]: PrintedMethod };
  readonly interceptEvents: readonly string[];
  readonly points: { readonly [point: string]: PrintedPoint };
  readonly slots: readonly string[];
  readonly surfaces: { readonly [kind: string]: JsonSchema };
  /** The frame member `_meta`, and the `data` of an error. */
  readonly frameMeta: JsonSchema;
  readonly errorData: JsonSchema;
  readonly errors: readonly PrintedError[];
  readonly limits: { readonly [limit: string]: number };
}

/** The contract of this version. The same sources print the same document; `contractText` fixes the order of members. */
export function contractDocument(): ContractDocument {
  const defs = new Map<string, JsonSchema>();
  const print = (schema: Schema<unknown>) => schema.print(defs);
  const methods = mapRows(METHODS, (row) => ({
    direction: row.direction,
    notification: row.result === null,
    params: print(row.params),
    result: row.result === null ? null : print(row.result),
    beforeBarrier: row.beforeBarrier,
    addition: row.addition,
  }));
  const points = mapRows(POINTS, (row) => ({
    family: row.family,
    slots: row.slots.map((slot) => slotText(slot)),
    payload: print(row.payload),
    required: row.required,
    fixed: row.fixed,
    replaceable: row.replaceable,
    guard: row.guard,
  }));
  const surfaces = mapRows(SURFACE_PAYLOADS, print);
  const frameMeta = print(FrameMeta);
  const errorData = print(ErrorData);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: PROTOCOL_ID,
    title: "Reasonix Extension Protocol v2",
    protocolId: PROTOCOL_ID,
    protocolMajor: PROTOCOL_MAJOR,
    protocolVersion: PROTOCOL_VERSION,
    $defs: Object.fromEntries(defs),
    methods,
    interceptEvents: Object.keys(POINTS).toSorted(),
    points,
    slots: [...PLAIN_SLOTS, ...NAMED_SLOTS].map((slot) => slotText(slot)).toSorted(),
    surfaces,
    frameMeta,
    errorData,
    errors: Object.entries(REASONS)
      .map(([reason, { code, retryable, action }]) => ({ reason, jsonRpcCode: code, retryable, action }))
      .toSorted((a, b) => (a.reason < b.reason ? -1 : 1)),
    limits: LIMITS,
  };
}

/** The document's text, members in order of their names, so that a difference between two texts is one in meaning. */
export function contractText(document: ContractDocument): string {
  return `${JSON.stringify(document, inOrder, 2)}\n`;
}

/** Lists whose order says nothing; a point's slots are asked in order. */
const SETS: ReadonlySet<string> = new Set(["required", "enum", "fixed"]);

function inOrder(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return SETS.has(key) ? value.toSorted(byText) : value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function byText(a: unknown, b: unknown): number {
  return String(a) < String(b) ? -1 : 1;
}

function slotText(slot: string): string {
  const named = NAMED_SLOTS.find((kind) => kind === slot);
  return named === undefined ? slot : `${named}:<${named === "tool" ? "name" : "ref"}>`;
}

function mapRows<R, T>(table: { readonly [name: string]: R }, map: (row: R) => T): { readonly [name: string]: T } {
  return Object.fromEntries(Object.entries(table).map(([name, row]) => [name, map(row)]));
}
