/** Each change that would break a peer is named, each that may come passes; then the released contracts themselves. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compareContracts } from "../src/compat.ts";
import { contractDocument, contractText, type ContractDocument } from "../src/contract-document.ts";

/** A contract of one of each: small enough to read, with every keyword that a printed schema can hold. */
const released = read(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "example.v2",
  "title": "Example",
  "protocolId": "example.v2",
  "protocolMajor": 2,
  "protocolVersion": "2",
  "$defs": {
    "Item": {
      "type": "object",
      "properties": { "id": { "type": "string", "minLength": 1 } },
      "required": ["id"],
      "additionalProperties": false
    },
    "OpenParams": {
      "type": "object",
      "properties": {
        "name": { "type": "string", "minLength": 1 },
        "kind": { "type": "string", "enum": ["a", "b"] },
        "mode": { "anyOf": [{ "type": "string", "enum": ["x"] }, { "type": "null" }] },
        "count": { "type": ["integer", "null"], "minimum": 0, "maximum": 9 },
        "digest": { "type": "string", "pattern": "^[0-9a-f]{64}$" },
        "items": { "type": "array", "items": { "$ref": "#/$defs/Item" } },
        "tags": { "type": ["object", "null"], "additionalProperties": { "type": "string" } },
        "body": { "x-externalizable": true }
      },
      "required": ["name", "kind", "digest", "items", "body"],
      "additionalProperties": false
    }
  },
  "methods": {
    "x/open": {
      "direction": "host_to_extension",
      "notification": false,
      "params": { "$ref": "#/$defs/OpenParams" },
      "result": { "$ref": "#/$defs/Item" },
      "beforeBarrier": false,
      "addition": false
    }
  },
  "interceptEvents": ["tool.before"],
  "points": {
    "tool.before": {
      "family": "fast",
      "slots": ["tool:<name>"],
      "payload": { "$ref": "#/$defs/Item" },
      "required": ["/id"],
      "fixed": [],
      "replaceable": true,
      "guard": true
    }
  },
  "slots": ["compaction", "tool:<name>"],
  "surfaces": { "card": { "$ref": "#/$defs/Item" } },
  "frameMeta": { "$ref": "#/$defs/Item" },
  "errorData": { "$ref": "#/$defs/Item" },
  "errors": [{ "reason": "busy", "jsonRpcCode": -32000, "retryable": true, "action": "Wait." }],
  "limits": { "frameBytes": 8388608 }
}`);

function read(text: string): ContractDocument {
  return JSON.parse(text) as ContractDocument; // the text was written by contractText, or in its shape above
}

type Member = string | number;

/** A copy with one member set, or taken away where the value is undefined. */
function change(path: readonly Member[], value: unknown): ContractDocument {
  const text = JSON.stringify(released);
  const copy: unknown = JSON.parse(text);
  let at = copy;
  for (const member of path.slice(0, -1)) at = Reflect.get(Object(at), member);
  const last = path[path.length - 1] ?? "";
  if (Reflect.get(Object(at), last) === value) throw new Error(`${path.join("/")} is that already`);
  if (value === undefined) Reflect.deleteProperty(Object(at), last);
  else Reflect.set(Object(at), last, value);
  return read(JSON.stringify(copy));
}

const field = (name: string, ...rest: readonly Member[]) => ["$defs", "OpenParams", "properties", name, ...rest];
const item = { $ref: "#/$defs/Item" };
const method = { direction: "extension_to_host", notification: true, params: item, result: null };

test("a contract is compatible with itself", () => {
  expect(compareContracts(released, released)).toEqual([]);
});

test.each<[string, readonly Member[], unknown]>([
  ["a new optional field", field("extra"), { type: ["string", "null"] }],
  ["a new type", ["$defs", "More"], { type: "object", properties: {}, additionalProperties: false }],
  ["a new value of a closed list", field("kind", "enum"), ["a", "b", "c"]],
  ["a new value of an optional closed list", field("mode", "anyOf", 0, "enum"), ["w", "x"]],
  ["a new method", ["methods", "x/more"], { ...method, beforeBarrier: false, addition: true }],
  ["a new point", ["interceptEvents"], ["tool.after", "tool.before"]],
  ["a new kind of slot", ["slots"], ["compaction", "permission", "tool:<name>"]],
  ["a new surface", ["surfaces", "form"], item],
  ["a new reason", ["errors", 1], { reason: "gone", jsonRpcCode: -32000, retryable: false, action: "Stop." }],
  ["a better sentence of advice", ["errors", 0, "action"], "Wait a second, then ask again."],
  [
    "another order of required fields",
    ["$defs", "OpenParams", "required"],
    ["body", "items", "digest", "kind", "name"],
  ],
])("[E2] %s may come", (_what, path, value) => {
  expect(compareContracts(released, change(path, value))).toEqual([]);
});

test.each<[string, readonly Member[], unknown, string, string]>([
  ["another id", ["protocolId"], "other", "/protocolId", 'was "example.v2" and is "other"'],
  ["another major", ["protocolMajor"], 3, "/protocolMajor", "was 2 and is 3"],
  ["a type gone", ["$defs", "Item"], undefined, "/$defs/Item", "was removed"],
  ["a field gone", field("count"), undefined, "/$defs/OpenParams/properties/count", "was removed"],
  [
    "an optional field made required",
    ["$defs", "OpenParams", "required"],
    ["name", "kind", "digest", "items", "body", "count"],
    "/$defs/OpenParams/required/count",
    "is required and was not",
  ],
  [
    "a required field made optional",
    ["$defs", "OpenParams", "required"],
    ["name", "kind", "digest", "items"],
    "/$defs/OpenParams/required/body",
    "was required and is no longer",
  ],
  [
    "another type",
    field("name", "type"),
    "integer",
    "/$defs/OpenParams/properties/name/type",
    'was "string" and is "integer"',
  ],
  [
    "null refused where it was allowed",
    field("count", "type"),
    "integer",
    "/$defs/OpenParams/properties/count/type",
    'was ["integer","null"] and is "integer"',
  ],
  ["a tighter bound", field("count", "maximum"), 8, "/$defs/OpenParams/properties/count/maximum", "was 9 and is 8"],
  [
    "a wider bound",
    field("count", "minimum"),
    undefined,
    "/$defs/OpenParams/properties/count/minimum",
    "was removed: 0",
  ],
  ["a new bound", field("kind", "minLength"), 1, "/$defs/OpenParams/properties/kind/minLength", "is new: 1"],
  [
    "another pattern",
    field("digest", "pattern"),
    "^x$",
    "/$defs/OpenParams/properties/digest/pattern",
    'was "^[0-9a-f]{64}$" and is "^x$"',
  ],
  ["a value of a closed list gone", field("kind", "enum"), ["a"], "/$defs/OpenParams/properties/kind/enum", 'lost "b"'],
  [
    "a value of an optional closed list gone",
    field("mode", "anyOf", 0, "enum"),
    ["y"],
    "/$defs/OpenParams/properties/mode/anyOf/0/enum",
    'lost "x"',
  ],
  [
    "an alternative gone",
    field("mode", "anyOf"),
    [{ type: "null" }],
    "/$defs/OpenParams/properties/mode/anyOf",
    "had 2 alternatives and has 1",
  ],
  [
    "an open list closed",
    field("name", "enum"),
    ["a"],
    "/$defs/OpenParams/properties/name/enum",
    "is new: values other than a are now refused",
  ],
  [
    "a closed list opened",
    field("kind", "enum"),
    undefined,
    "/$defs/OpenParams/properties/kind/enum",
    "was removed: a closed list of values became open",
  ],
  [
    "another type of an array's items",
    field("items", "items"),
    { $ref: "#/$defs/OpenParams" },
    "/$defs/OpenParams/properties/items/items/$ref",
    'was "#/$defs/Item" and is "#/$defs/OpenParams"',
  ],
  [
    "another type of a record's members",
    field("tags", "additionalProperties", "type"),
    "integer",
    "/$defs/OpenParams/properties/tags/additionalProperties/type",
    'was "string" and is "integer"',
  ],
  [
    "unknown fields allowed",
    ["$defs", "Item", "additionalProperties"],
    true,
    "/$defs/Item/additionalProperties",
    "was false and is true",
  ],
  [
    "a field no longer externalizable",
    field("body", "x-externalizable"),
    undefined,
    "/$defs/OpenParams/properties/body/x-externalizable",
    "was removed: true",
  ],
  ["a method gone", ["methods", "x/open"], undefined, "/methods/x~1open", "was removed"],
  [
    "a method turned round",
    ["methods", "x/open", "direction"],
    "extension_to_host",
    "/methods/x~1open/direction",
    'was "host_to_extension" and is "extension_to_host"',
  ],
  [
    "a request made a notification",
    ["methods", "x/open", "notification"],
    true,
    "/methods/x~1open/notification",
    "was false and is true",
  ],
  [
    "other params of a method",
    ["methods", "x/open", "params"],
    item,
    "/methods/x~1open/params",
    'was {"$ref":"#/$defs/OpenParams"} and is {"$ref":"#/$defs/Item"}',
  ],
  ["a point gone", ["interceptEvents"], [], "/interceptEvents", 'lost "tool.before"'],
  ["a point's row gone", ["points", "tool.before"], undefined, "/points/tool.before", "was removed"],
  [
    "another family of a point",
    ["points", "tool.before", "family"],
    "slow",
    "/points/tool.before/family",
    'was "fast" and is "slow"',
  ],
  [
    "more wanted of a replacement",
    ["points", "tool.before", "required"],
    ["/id", "/x"],
    "/points/tool.before/required",
    'was ["/id"] and is ["/id","/x"]',
  ],
  ["a slot gone", ["slots"], ["compaction"], "/slots", 'lost "tool:<name>"'],
  ["a surface gone", ["surfaces", "card"], undefined, "/surfaces/card", "was removed"],
  [
    "another frame member",
    ["frameMeta"],
    { $ref: "#/$defs/X" },
    "/frameMeta/$ref",
    'was "#/$defs/Item" and is "#/$defs/X"',
  ],
  [
    "other data of errors",
    ["errorData"],
    { $ref: "#/$defs/X" },
    "/errorData/$ref",
    'was "#/$defs/Item" and is "#/$defs/X"',
  ],
  ["a reason gone", ["errors"], [], "/errors/busy", "was removed"],
  [
    "another code of a reason",
    ["errors", 0, "jsonRpcCode"],
    -32603,
    "/errors/busy/jsonRpcCode",
    "was -32000 and is -32603",
  ],
  [
    "a reason no longer retryable",
    ["errors", 0, "retryable"],
    false,
    "/errors/busy/retryable",
    "was true and is false",
  ],
  ["another limit", ["limits", "frameBytes"], 9, "/limits/frameBytes", "was 8388608 and is 9"],
  ["a limit gone", ["limits", "frameBytes"], undefined, "/limits/frameBytes", "was removed: 8388608"],
  ["a limit on what had none", ["limits", "lineBytes"], 80, "/limits/lineBytes", "is a new limit on what had none"],
])("[E2] %s is caught", (_what, path, value, where, text) => {
  expect(compareContracts(released, change(path, value))).toEqual([{ path: where, text }]);
});

test("[E2] a new required field is caught, and every violation is listed", () => {
  const present = change(["$defs", "Item"], {
    type: "object",
    properties: { id: { type: "string" }, size: { type: "integer" } },
    required: ["id", "size"],
    additionalProperties: false,
  });
  expect(compareContracts(released, present)).toEqual([
    { path: "/$defs/Item/properties/id/minLength", text: "was removed: 1" },
    { path: "/$defs/Item/required/size", text: "is required and was not" },
  ]);
});

test("[E2] the present contract keeps what every released one promised; before 0.1.0 none is frozen", () => {
  const folder = new URL("../released/", import.meta.url);
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  if (version.startsWith("0.0.")) expect(files).toEqual([]);
  else expect(files).toContain(`${version}.json`);

  const present = read(contractText(contractDocument()));
  const violations = files.flatMap((name) =>
    compareContracts(read(readFileSync(new URL(name, folder), "utf8")), present).map(
      ({ path, text }) => `${name}${path} ${text}`,
    ),
  );
  expect(violations).toEqual([]);
});
