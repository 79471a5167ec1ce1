/** Objects with a closed list of members: the schema that almost every type of the contract is. */
import { below, isObject, wrong, type Infer, type JsonSchema, type Problem, type Schema, type Walk } from "./schema.ts";

/** A member that may be absent; `null` counts as absent. */
export interface Optional<T> {
  readonly optional: Schema<T>;
}

export function optional<T>(schema: Schema<T>): Optional<T> {
  return { optional: schema };
}

export type Fields = { readonly [name: string]: Schema<unknown> | Optional<unknown> };

type OptionalKeys<F extends Fields> = { [K in keyof F]: F[K] extends Optional<unknown> ? K : never }[keyof F];

export type ObjectOf<F extends Fields> = Flatten<
  { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: Infer<F[K]> } & {
    readonly [K in OptionalKeys<F>]?: F[K] extends Optional<infer T> ? T : never;
  }
>;

type Flatten<T> = { [K in keyof T]: T[K] };

export interface ObjectSchema<T, F extends Fields = Fields> extends Schema<T> {
  readonly fields: F;
}

/** An object with exactly these members. */
export function object<const F extends Fields>(fields: F): ObjectSchema<ObjectOf<F>, F> {
  const members = Object.entries(fields).map(([name, field]) => memberOf(name, field));
  const names = members.map((member) => member.name);
  const byName = new Map(members.map((member) => [member.name, member]));
  const required = members.filter((member) => !member.optional).map((member) => member.name);

  // The fast pass goes over the members that came, which are far fewer than those that may come.
  const accepts = (value: JsonObject, walk: Walk): boolean => {
    let missing = required.length;
    for (const name in value) {
      const known = byName.get(name);
      if (known === undefined) {
        if (walk.refuseUnknown) return false;
        continue;
      }
      const member = value[name];
      if (known.optional && member === null) delete value[name];
      else if (member !== undefined) {
        if (!known.schema.check(member, "", walk)) return false;
        if (!known.optional) missing--;
      }
    }
    return missing === 0;
  };

  const report = (value: JsonObject, path: string, walk: Walk, problems: Problem[]): boolean => {
    let good = true;
    for (const { name, schema, optional: mayBeAbsent } of members) {
      const member = value[name];
      if (mayBeAbsent && (member === undefined || member === null)) continue;
      if (member === undefined) problems.push({ kind: "missing", path: below(path, name), expected: schema.expected });
      else if (schema.check(member, below(path, name), walk)) continue;
      good = false;
    }
    if (!walk.refuseUnknown) return good;
    for (const name in value) {
      if (byName.has(name)) continue;
      problems.push({ kind: "unknown", path: below(path, name), member: name, known: names });
      good = false;
    }
    return good;
  };

  return {
    fields,
    expected: "an object",
    check(value, path, walk) {
      if (!isObject(value)) return wrong(value, path, walk, "an object");
      return walk.problems === null ? accepts(value, walk) : report(value, path, walk, walk.problems);
    },
    print(defs) {
      const properties: { [name: string]: JsonSchema } = {};
      for (const { name, schema, optional: mayBeAbsent } of members) {
        const printed = schema.print(defs);
        properties[name] = mayBeAbsent ? nullable(printed) : printed;
      }
      return {
        type: "object",
        properties,
        ...(required.length === 0 ? {} : { required }),
        additionalProperties: false,
      };
    },
  };
}

interface Member {
  readonly name: string;
  readonly schema: Schema<unknown>;
  readonly optional: boolean;
}

function memberOf(name: string, field: Schema<unknown> | Optional<unknown>): Member {
  return "optional" in field
    ? { name, schema: field.optional, optional: true }
    : { name, schema: field, optional: false };
}

type JsonObject = { [member: string]: unknown };

function nullable(printed: JsonSchema): JsonSchema {
  const { type, $ref } = printed;
  if (type === undefined && $ref === undefined) return printed;
  if (typeof type === "string" && printed["enum"] === undefined) return { ...printed, type: [type, "null"] };
  return { anyOf: [printed, { type: "null" }] };
}
