/** Arbitrary JSON values for a printed schema: valid ones, and valid ones with something changed. */
import fc from "fast-check";
import type { JsonSchema } from "../src/index.ts";

type Defs = { readonly [name: string]: JsonSchema };

/** Values that the schema should accept; optional members come, stay away, or are null where the schema says so. */
export function valid(schema: JsonSchema, defs: Defs): fc.Arbitrary<unknown> {
  const { $ref, anyOf } = schema;
  if (typeof $ref === "string") return valid(defs[$ref.replace("#/$defs/", "")] ?? {}, defs);
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((one: JsonSchema) => valid(one, defs)));
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...schema["enum"]);
  const types = [schema["type"]].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema, defs)));
}

function ofType(type: unknown, schema: JsonSchema, defs: Defs): fc.Arbitrary<unknown> {
  const { minimum, maximum, minLength, pattern } = schema;
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({
        min: typeof minimum === "number" ? minimum : -1000,
        max: typeof maximum === "number" ? maximum : 100_000,
      });
    case "number":
      return fc.double({
        min: typeof minimum === "number" ? minimum : -1e9,
        max: typeof maximum === "number" ? maximum : 1e9,
        noNaN: true,
      });
    case "string":
      if (typeof pattern === "string") return fc.stringMatching(new RegExp(pattern));
      return fc.string({ minLength: typeof minLength === "number" ? minLength : 0, maxLength: 8 });
    case "array":
      return fc.array(valid(nodeOf(schema["items"]), defs), { maxLength: 3 });
    case "object":
      return objectOf(schema, defs);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function objectOf(schema: JsonSchema, defs: Defs): fc.Arbitrary<unknown> {
  const properties = Object.entries(nodeOf(schema["properties"]));
  if (properties.length === 0 && schema["additionalProperties"] === false) return fc.constant({});
  if (properties.length === 0) {
    const member = valid(nodeOf(schema["additionalProperties"]), defs);
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 4 }), member, { maxKeys: 3, noNullPrototype: true });
  }
  const model = Object.fromEntries(properties.map(([name, property]) => [name, valid(nodeOf(property), defs)]));
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return fc.record(model, { requiredKeys: required, noNullPrototype: true });
}

/** One change somewhere in the value: a member gone, a member more, or another value in a place. */
export interface Mutation {
  readonly kind: "drop" | "add" | "put";
  /** Which of the places, counted round. */
  readonly place: number;
  readonly value: unknown;
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom("drop", "add", "put"),
  place: fc.nat(1000),
  value: fc.oneof(
    fc.constantFrom<unknown>(null, "", 0, -1, 1.5, 1e300, true, "x", "2", [], {}, [null], { a: 1 }, "A".repeat(64)),
    fc.jsonValue({ maxDepth: 1 }),
  ),
});

type Container = { [member: string]: unknown };

/** Returns a changed copy. */
export function mutate(value: unknown, { kind, place, value: put }: Mutation): unknown {
  const root: Container = { value: structuredClone(value) };
  const places = placesOf(root);
  const chosen = places[place % places.length];
  if (chosen === undefined) return root["value"];
  const { container, member } = chosen;
  const target = container[member];
  if (kind === "add" && isContainer(target)) target["unheardOf"] = put;
  else if (kind === "drop" && container !== root && !Array.isArray(container)) delete container[member];
  else container[member] = structuredClone(put);
  return root["value"];
}

function placesOf(container: Container): readonly { readonly container: Container; readonly member: string }[] {
  return Object.keys(container).flatMap((member) => {
    const target = container[member];
    const here = { container, member };
    return isContainer(target) || Array.isArray(target) ? [here, ...placesOf(containerOf(target))] : [here];
  });
}

/** An array is changed by its indices, which are members like others. */
function containerOf(value: object): Container {
  return value as Container; // a JSON object or array: its members are JSON
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nodeOf(value: unknown): JsonSchema {
  return isContainer(value) ? value : {};
}
