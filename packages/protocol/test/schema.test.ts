/** What each combinator accepts, refuses and says. */
import { expect, test } from "vitest";
import {
  boolean,
  decode,
  decodeTolerant,
  describe,
  externalizable,
  integer,
  json,
  jsonObject,
  list,
  matching,
  named,
  nonEmpty,
  number,
  object,
  oneOf,
  optional,
  record,
  string,
  type JsonSchema,
  type Schema,
} from "../src/index.ts";

const parsed = (text: string): unknown => JSON.parse(text);

test.each<[string, Schema<unknown>, readonly string[], readonly string[]]>([
  ["string", string, ['""', '"x"'], ["1", "null", "true", "[]", "{}"]],
  ["nonEmpty", nonEmpty, ['"x"', '" "'], ['""', "0", "null"]],
  ["boolean", boolean, ["true", "false"], ["0", '"true"', "null"]],
  ["integer", integer(), ["0", "-1", "1e3", "1.0"], ["1.5", '"1"', "null", "1e400"]],
  ["integer in a range", integer({ min: 1, max: 3 }), ["1", "3"], ["0", "4", "2.5"]],
  ["number", number(), ["0", "1.5", "-2e-3"], ['"1"', "null", "1e400"]],
  ["number in a range", number({ min: 0, max: 1 }), ["0", "0.5", "1"], ["-0.1", "1.1"]],
  ["oneOf", oneOf(["a", "b"]), ['"a"', '"b"'], ['"c"', '""', "null", '["a"]']],
  ["matching", matching(/^[0-9a-f]{2}$/, "two hex digits"), ['"0f"'], ['"0F"', '"0f\\n"', '"0ff"', "15"]],
  ["json", json, ["null", "0", '"x"', "[]", "{}"], []],
  ["jsonObject", jsonObject, ["{}", '{"a":1}'], ["[]", "null", '"x"']],
  ["list", list(integer()), ["[]", "[1,2]"], ['[1,"2"]', "{}", "null", "[null]"]],
  ["record", record(string), ["{}", '{"a":"1"}'], ['{"a":1}', "[]", '{"a":null}']],
  [
    "object",
    object({ a: string, b: optional(integer()) }),
    ['{"a":"x"}', '{"a":"x","b":1}', '{"a":"x","b":null}'],
    [
      "{}",
      '{"a":null}',
      '{"a":"x","b":"1"}',
      '{"a":"x","c":1}',
      '{"a":"x","__proto__":1}',
      '{"a":"x","constructor":1}',
      "[]",
      "null",
    ],
  ],
  ["externalizable", externalizable(string), ['"x"'], ["1"]],
])("%s accepts and refuses", (_name, schema, good, bad) => {
  for (const text of good) expect([text, decode(schema, parsed(text)).ok]).toEqual([text, true]);
  for (const text of bad) expect([text, decode(schema, parsed(text)).ok]).toEqual([text, false]);
});

test("[T5] every problem is listed, each with its JSON pointer", () => {
  const inner = object({ id: nonEmpty, "a/b~c": optional(integer()) });
  const schema = object({ name: nonEmpty, items: list(inner), tags: optional(record(string)) });
  const value = { items: [{ id: "1" }, { id: "", "a/b~c": "x", extra: 1 }, null], tags: { "x/y": 2 }, more: true };
  expect(decode(schema, value)).toEqual({
    ok: false,
    problems: [
      { kind: "missing", path: "/name", expected: "a non-empty string" },
      { kind: "wrong", path: "/items/1/id", expected: "a non-empty string", received: '""' },
      { kind: "wrong", path: "/items/1/a~1b~0c", expected: "an integer", received: '"x"' },
      { kind: "unknown", path: "/items/1/extra", member: "extra", known: ["id", "a/b~c"] },
      { kind: "wrong", path: "/items/2", expected: "an object", received: "null" },
      { kind: "wrong", path: "/tags/x~1y", expected: "a string", received: "2" },
      { kind: "unknown", path: "/more", member: "more", known: ["name", "items", "tags"] },
    ],
  });
});

test("[T5] tolerant decoding keeps unknown members at every depth and refuses all else alike", () => {
  const schema = object({ a: object({ b: integer() }) });
  const newer = { a: { b: 1, later: [true] }, alsoLater: null };
  expect(decode(schema, structuredClone(newer)).ok).toBe(false);
  expect(decodeTolerant(schema, structuredClone(newer))).toEqual({ ok: true, value: newer });
  expect(decodeTolerant(schema, { a: { b: "1", later: 1 } })).toEqual({
    ok: false,
    problems: [{ kind: "wrong", path: "/a/b", expected: "an integer", received: '"1"' }],
  });
});

test("an optional member that holds null counts as absent and is removed, a required one is refused", () => {
  const schema = object({ a: optional(string), b: optional(json), c: json });
  expect(decode(schema, { a: null, b: null, c: null })).toEqual({ ok: true, value: { c: null } });
  expect(decode(object({ a: string }), { a: null })).toEqual({
    ok: false,
    problems: [{ kind: "wrong", path: "/a", expected: "a string", received: "null" }],
  });
});

test("the value that comes out is the value that went in, not a copy", () => {
  const value = { a: ["x"] };
  const decoded = decode(object({ a: list(string) }), value);
  expect(decoded.ok && decoded.value).toBe(value);
});

test.each<[unknown, string]>([
  [null, "null"],
  [[], "an empty array"],
  [[1, 2], "an array of 2"],
  [{}, "an object"],
  ["short", '"short"'],
  ["x".repeat(60), `"${"x".repeat(48)}" and more`],
  ["a\u0007b", '"a\\u0007b"'],
  [1.5, "1.5"],
  [false, "false"],
  [undefined, "nothing"],
])("a received value %j is named %s", (value, text) => {
  expect(describe(value)).toBe(text);
});

test.each<[string, Schema<unknown>]>([
  ["an integer of at least 1 and at most 30000", integer({ min: 1, max: 30_000 })],
  ["an integer of at least 0", integer({ min: 0 })],
  ["a number of at most 1", number({ max: 1 })],
  ['one of "a", "b"', oneOf(["a", "b"])],
  ['"utf8"', oneOf(["utf8"])],
  ["64 lower-case hex digits", matching(/^[0-9a-f]{64}$/, "64 lower-case hex digits")],
])("wanted: %s", (expected, schema) => {
  expect(schema.expected).toBe(expected);
});

test("a schema prints JSON Schema, a named one once and by reference", () => {
  const item = named(
    "Item",
    object({ id: nonEmpty, kind: optional(oneOf(["a"])), next: optional(externalizable(json)) }),
  );
  const defs = new Map<string, JsonSchema>();
  expect(object({ first: item, rest: optional(list(item)), only: optional(item) }).print(defs)).toEqual({
    type: "object",
    properties: {
      first: { $ref: "#/$defs/Item" },
      rest: { type: ["array", "null"], items: { $ref: "#/$defs/Item" } },
      only: { anyOf: [{ $ref: "#/$defs/Item" }, { type: "null" }] },
    },
    required: ["first"],
    additionalProperties: false,
  });
  expect(Object.fromEntries(defs)).toEqual({
    Item: {
      type: "object",
      properties: {
        id: { type: "string", minLength: 1 },
        kind: { anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }] },
        next: { "x-externalizable": true },
      },
      required: ["id"],
      additionalProperties: false,
    },
  });
});
