/** Compares a released contract with a later one: within a major, only optional fields, enum values and methods come. */
import type { ContractDocument } from "./contract-document.ts";
import { below } from "./schema.ts";

/** One thing that would break a peer built on the released contract; `path` is a JSON pointer into the document. */
export interface Violation {
  readonly path: string;
  readonly text: string;
}

/** All violations in the order of the released document; empty when `present` may replace `released`. */
export function compareContracts(released: ContractDocument, present: ContractDocument): readonly Violation[] {
  const found: Violation[] = [];
  const say: Say = (path, text) => found.push({ path, text });
  for (const member of ["protocolId", "protocolMajor", "protocolVersion"] as const) {
    if (released[member] !== present[member]) say(below("", member), changed(released[member], present[member]));
  }
  for (const [name, before] of Object.entries(released.$defs)) {
    compareNode(below("/$defs", name), before, present.$defs[name], say);
  }
  for (const [name, before] of Object.entries(released.methods)) {
    compareRow(below("/methods", name), before, present.methods[name], say);
  }
  for (const [name, before] of Object.entries(released.points)) {
    compareRow(below("/points", name), before, present.points[name], say);
  }
  compareSet("/interceptEvents", released.interceptEvents, present.interceptEvents, say);
  compareSet("/slots", released.slots, present.slots, say);
  for (const [kind, before] of Object.entries(released.surfaces)) {
    compareNode(below("/surfaces", kind), before, present.surfaces[kind], say);
  }
  compareNode("/frameMeta", released.frameMeta, present.frameMeta, say);
  compareNode("/errorData", released.errorData, present.errorData, say);
  compareErrors(released, present, say);
  compareLimits(released, present, say);
  return found;
}

type Say = (path: string, text: string) => void;

/** Rows of a table are frozen; a row may gain members. */
function compareRow(path: string, before: object, after: object | undefined, say: Say): void {
  if (after === undefined) {
    say(path, "was removed");
    return;
  }
  const later = new Map(Object.entries(after));
  for (const [member, value] of Object.entries(before)) {
    if (!same(value, later.get(member))) say(below(path, member), changed(value, later.get(member)));
  }
}

function compareErrors(released: ContractDocument, present: ContractDocument, say: Say): void {
  for (const before of released.errors) {
    const after = present.errors.find((error) => error.reason === before.reason);
    // The sentence of advice is prose and may be worded better; the facts beside it are frozen.
    const { action: _prose, ...frozen } = before;
    compareRow(below("/errors", before.reason), frozen, after, say);
  }
}

function compareLimits(released: ContractDocument, present: ContractDocument, say: Say): void {
  compareRow("/limits", released.limits, present.limits, say);
  for (const name of Object.keys(present.limits)) {
    if (!(name in released.limits)) say(below("/limits", name), "is a new limit on what had none");
  }
}

/** Keywords whose value is a schema, or a table of schemas; all others are compared as they are. */
function compareNode(path: string, before: unknown, after: unknown, say: Say): void {
  if (after === undefined) {
    say(path, "was removed");
    return;
  }
  if (!isNode(before) || !isNode(after)) {
    if (!same(before, after)) say(path, changed(before, after));
    return;
  }
  for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
    compareKeyword(below(path, keyword), keyword, before[keyword], after[keyword], say);
  }
}

function compareKeyword(path: string, keyword: string, before: unknown, after: unknown, say: Say): void {
  switch (keyword) {
    case "properties":
      return compareProperties(path, before, after, say);
    case "required":
      return compareRequired(path, strings(before), strings(after), say);
    case "enum":
      if (before === undefined)
        return say(path, `is new: values other than ${strings(after).join(", ")} are now refused`);
      if (after === undefined) return say(path, "was removed: a closed list of values became open");
      return compareSet(path, strings(before), strings(after), say);
    case "items":
    case "additionalProperties":
      if (before === undefined) return say(path, `is new: ${JSON.stringify(after)}`);
      return compareNode(path, before, after, say);
    case "anyOf":
      return compareAlternatives(path, list(before), list(after), say);
    default:
      if (!same(before, after)) say(path, changed(before, after));
  }
}

function compareProperties(path: string, before: unknown, after: unknown, say: Say): void {
  const later = isNode(after) ? after : {};
  for (const [name, schema] of Object.entries(isNode(before) ? before : {})) {
    compareNode(below(path, name), schema, later[name], say);
  }
}

function compareRequired(path: string, before: readonly string[], after: readonly string[], say: Say): void {
  for (const name of before) if (!after.includes(name)) say(below(path, name), "was required and is no longer");
  for (const name of after) if (!before.includes(name)) say(below(path, name), "is required and was not");
}

function compareAlternatives(path: string, before: readonly unknown[], after: readonly unknown[], say: Say): void {
  if (before.length !== after.length) return say(path, `had ${before.length} alternatives and has ${after.length}`);
  before.forEach((alternative, index) => compareNode(`${path}/${index}`, alternative, after[index], say));
}

function compareSet(path: string, before: readonly string[], after: readonly string[], say: Say): void {
  for (const value of before) if (!after.includes(value)) say(path, `lost ${JSON.stringify(value)}`);
}

function changed(before: unknown, after: unknown): string {
  if (before === undefined) return `is new: ${JSON.stringify(after)}`;
  if (after === undefined) return `was removed: ${JSON.stringify(before)}`;
  return `was ${JSON.stringify(before)} and is ${JSON.stringify(after)}`;
}

function same(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length === after.length && before.every((item, index) => same(item, after[index]));
  }
  if (!isNode(before) || !isNode(after)) return false;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].every((name) => same(before[name], after[name]));
}

function isNode(value: unknown): value is { readonly [keyword: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function strings(value: unknown): readonly string[] {
  return list(value).filter((item) => typeof item === "string");
}
