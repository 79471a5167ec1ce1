/** The guide to the manifest against the schema that reads it: each field is there once, with its type and choices. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ManifestFields } from "../../packages/plugins/src/manifest/fields.ts";

type Printed = { readonly [keyword: string]: unknown };

interface Field {
  readonly type: string;
  readonly required: boolean;
  /** Words that are legal, where the schema lists them. */
  readonly choices: readonly string[];
}

const guide = readFileSync(new URL("../../docs/guides/manifest.md", import.meta.url), "utf8");
const CONTRIBUTED = /^(?:skills|agents|commands|prompts|themes|hooks|mcpServers)\b/;

const rows = [...guide.matchAll(/^\| `([^`]+)`\s*\|([^|]*)\|([^|]*)\|([^|]*)\|/gm)].map((cells) => ({
  path: cells[1] ?? "",
  type: cells[2]?.trim() ?? "",
  limits: cells[4]?.trim() ?? "",
}));

const fields = schemaFields();

test("[M2] each field of the manifest has one row, and no row is of something else", () => {
  expect(rows.map(({ path }) => path).toSorted()).toEqual([...fields.keys()].toSorted());
});

test("[M2] each row names the schema's type, and required where it is", () => {
  const wanted = Object.fromEntries([...fields].map(([path, { type, required }]) => [path, { type, required }]));
  const told = Object.fromEntries(
    rows.map(({ path, type }) => [path, { type: kindOf(type), required: type.endsWith(", required") }]),
  );
  expect(told).toEqual(wanted);
});

test("[M2] what may be chosen from is written out", () => {
  const missing = [...fields].flatMap(([path, { choices }]) => {
    // The SDK's page and the index list the seventeen points.
    if (path === "runtime.intercepts") return [];
    const { limits = "" } = rows.find((row) => row.path === path) ?? {};
    return choices.filter((word) => !limits.includes(`\`${word}\``)).map((word) => `${path}: ${word}`);
  });
  expect(missing).toEqual([]);
});

/** The first word of a type in the guide, in the schema's language. */
function kindOf(type: string): string {
  if (type.startsWith("path or list")) return "string|array";
  if (type === "string or object") return "string|object";
  return type.startsWith("list") ? "array" : (/^\w+/.exec(type)?.[0] ?? "");
}

function schemaFields(): ReadonlyMap<string, Field> {
  const defs = new Map<string, Printed>();
  const found = new Map<string, Field>();
  visit(ManifestFields.print(defs), "");
  return found;

  function visit(schema: Printed, path: string): void {
    const resolved = typeof schema["$ref"] === "string" ? (defs.get(schema["$ref"].slice(8)) ?? schema) : schema;
    const required = Array.isArray(resolved["required"]) ? resolved["required"] : [];
    for (const [name, member] of members(resolved["properties"])) {
      // The seven kinds stand in `contributes` and at the root: one row is for both.
      if (path === "contributes" && CONTRIBUTED.test(name)) continue;
      const at = path === "" ? name : `${path}.${name}`;
      found.set(at, { type: typeOf(member), required: required.includes(name), choices: choicesOf(member) });
      visit(member, at);
    }
    if (isPrinted(resolved["items"])) visit(resolved["items"], `${path}[]`);
    const named = resolved["additionalProperties"];
    if (isPrinted(named)) visit(named, `${path}.${path === "hooks" ? "<event>" : "<name>"}`);
  }
}

function typeOf(schema: Printed): string {
  const alternatives = Array.isArray(schema["anyOf"]) ? schema["anyOf"].filter(isPrinted) : [schema];
  const types = alternatives.flatMap((one) => one["type"]).filter((one) => one !== "null");
  return types.join("|");
}

function choicesOf(schema: Printed): readonly string[] {
  const alternatives = Array.isArray(schema["anyOf"]) ? schema["anyOf"].filter(isPrinted) : [schema];
  return alternatives.flatMap((one) => {
    const items = isPrinted(one["items"]) ? one["items"] : one;
    return Array.isArray(items["enum"]) ? items["enum"].filter((word) => typeof word === "string") : [];
  });
}

function members(value: unknown): readonly (readonly [string, Printed])[] {
  if (!isPrinted(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => (isPrinted(one) ? [[name, one] as const] : []));
}

function isPrinted(value: unknown): value is Printed {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
