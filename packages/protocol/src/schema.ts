/** A schema is a value: its type rides along, it decodes strictly and reports every problem, and it prints JSON Schema. */

/** One thing that is wrong with a value, as a fact; sentences are made in `problems.ts`. */
export type Problem =
  | { readonly kind: "unknown"; readonly path: string; readonly member: string; readonly known: readonly string[] }
  | { readonly kind: "missing"; readonly path: string; readonly expected: string }
  | { readonly kind: "wrong"; readonly path: string; readonly expected: string; readonly received: string };

export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** A printed schema, JSON Schema 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** What one walk over a value carries: whether to refuse unknown members, and where problems go (null on the fast pass). */
export interface Walk {
  readonly refuseUnknown: boolean;
  readonly problems: Problem[] | null;
}

type Check = (value: unknown, path: string, walk: Walk) => boolean;

export interface Schema<T> {
  readonly check: Check;
  /** What a reader of an error is told was wanted, such as `a non-empty string`. */
  readonly expected: string;
  /** Prints this schema; named schemas put themselves into `defs` and print a `$ref`. */
  readonly print: (defs: Map<string, JsonSchema>) => JsonSchema;
  /** Exists in the type only. */
  readonly type?: T;
}

export type Infer<S> = S extends Schema<infer T> ? T : never;

const STRICT: Walk = { refuseUnknown: true, problems: null };
const TOLERANT: Walk = { refuseUnknown: false, problems: null };

/**
 * Decodes what an extension sent: unknown members are refused.
 * The value belongs to the decoder: an optional member that holds `null` counts as absent and is removed.
 * On failure every problem is listed, each with its JSON pointer (RFC 6901).
 */
export function decode<T>(schema: Schema<T>, value: unknown): Decoded<T> {
  return run(schema, value, STRICT);
}

/** Decodes what a host sent: as `decode`, but unknown members are kept, so that newer hosts may add some. */
export function decodeTolerant<T>(schema: Schema<T>, value: unknown): Decoded<T> {
  return run(schema, value, TOLERANT);
}

function run<T>(schema: Schema<T>, value: unknown, walk: Walk): Decoded<T> {
  // The border between JSON and types: a value that passed its schema's check has the schema's type.
  if (schema.check(value, "", walk)) return { ok: true, value: value as T };
  const problems: Problem[] = [];
  schema.check(value, "", { refuseUnknown: walk.refuseUnknown, problems });
  return { ok: false, problems };
}

/** Notes that a value is not what was wanted; false, so that a check can end with it. */
export function wrong(value: unknown, path: string, walk: Walk, expected: string): false {
  walk.problems?.push({ kind: "wrong", path, expected, received: describe(value) });
  return false;
}

/** Names a JSON value for an error text, at most about sixty characters. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : `an array of ${value.length}`;
  switch (typeof value) {
    case "string":
      return value.length > 48 ? `${JSON.stringify(value.slice(0, 48))} and more` : JSON.stringify(value);
    case "number":
    case "boolean":
      return String(value);
    case "object":
      return "an object";
    default:
      return "nothing";
  }
}

function scalar<T>(expected: string, test: (value: unknown) => boolean, printed: JsonSchema): Schema<T> {
  return {
    expected,
    check: (value, path, walk) => test(value) || wrong(value, path, walk, expected),
    print: () => printed,
  };
}

/** A string, possibly empty. */
export const string: Schema<string> = scalar("a string", (value) => typeof value === "string", { type: "string" });

/** A string of at least one character. */
export const nonEmpty: Schema<string> = scalar(
  "a non-empty string",
  (value) => typeof value === "string" && value.length > 0,
  { type: "string", minLength: 1 },
);

export const boolean: Schema<boolean> = scalar("true or false", (value) => typeof value === "boolean", {
  type: "boolean",
});

/** Any JSON value; what it holds is somebody else's schema. */
export const json: Schema<unknown> = scalar("a JSON value", (value) => value !== undefined, {});

/** Any JSON object; what it holds is somebody else's schema. */
export const jsonObject: Schema<{ readonly [member: string]: unknown }> = scalar("an object", isObject, {
  type: "object",
});

/** A string that a pattern accepts; `expected` says in words what the pattern wants. */
export function matching(pattern: RegExp, expected: string): Schema<string> {
  return scalar(expected, (value) => typeof value === "string" && pattern.test(value), {
    type: "string",
    pattern: pattern.source,
  });
}

export interface Range {
  readonly min?: number;
  readonly max?: number;
}

export function integer(range: Range = {}): Schema<number> {
  return bounded("an integer", "integer", Number.isInteger, range);
}

export function number(range: Range = {}): Schema<number> {
  return bounded("a number", "number", Number.isFinite, range);
}

function bounded(noun: string, type: string, test: (value: unknown) => boolean, range: Range): Schema<number> {
  const { min = -Infinity, max = Infinity } = range;
  const floor = range.min === undefined ? "" : ` of at least ${range.min}`;
  const ceiling = range.max === undefined ? "" : `${floor === "" ? " of" : " and"} at most ${range.max}`;
  return scalar(
    `${noun}${floor}${ceiling}`,
    (value) => typeof value === "number" && test(value) && value >= min && value <= max,
    {
      type,
      ...(range.min === undefined ? {} : { minimum: range.min }),
      ...(range.max === undefined ? {} : { maximum: range.max }),
    },
  );
}

/** One of a fixed list of strings. */
export function oneOf<const V extends readonly string[]>(values: V): Schema<V[number]> {
  const members: ReadonlySet<unknown> = new Set(values);
  const shown = values.map((value) => JSON.stringify(value)).join(", ");
  const expected = values.length === 1 ? shown : `one of ${shown}`;
  return scalar(expected, (value) => members.has(value), { type: "string", enum: [...values] });
}

export function list<T>(item: Schema<T>): Schema<readonly T[]> {
  return {
    expected: "an array",
    check(value, path, walk) {
      if (!Array.isArray(value)) return wrong(value, path, walk, "an array");
      let good = true;
      for (let index = 0; index < value.length; index++) {
        if (item.check(value[index], walk.problems === null ? "" : `${path}/${index}`, walk)) continue;
        good = false;
        if (walk.problems === null) return false;
      }
      return good;
    },
    print: (defs) => ({ type: "array", items: item.print(defs) }),
  };
}

/** Marks a member that may travel as a content reference, with `null` in its place in the frame. */
export function externalizable<T>(schema: Schema<T>): Schema<T> {
  return { ...schema, print: (defs) => ({ ...schema.print(defs), "x-externalizable": true }) };
}

/** An object whose every member has the same shape. */
export function record<T>(item: Schema<T>): Schema<{ readonly [member: string]: T }> {
  return {
    expected: "an object",
    check(value, path, walk) {
      if (!isObject(value)) return wrong(value, path, walk, "an object");
      let good = true;
      for (const member in value) {
        if (item.check(value[member], walk.problems === null ? "" : below(path, member), walk)) continue;
        good = false;
        if (walk.problems === null) return false;
      }
      return good;
    },
    print: (defs) => ({ type: "object", additionalProperties: item.print(defs) }),
  };
}

/** Gives a schema the name under which the printed contract refers to it. */
export function named<S extends Schema<unknown>>(name: string, schema: S): S & { readonly name: string } {
  return {
    ...schema,
    name,
    print(defs: Map<string, JsonSchema>) {
      if (!defs.has(name)) {
        defs.set(name, {});
        defs.set(name, schema.print(defs));
      }
      return { $ref: `#/$defs/${name}` };
    },
  };
}

export function isObject(value: unknown): value is { [member: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Appends a member to a JSON pointer, escaped as RFC 6901 says. */
export function below(path: string, member: string): string {
  return `${path}/${member.includes("~") || member.includes("/") ? member.replaceAll("~", "~0").replaceAll("/", "~1") : member}`;
}
