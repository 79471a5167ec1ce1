/** Ours holds all that the public contract holds, and says what it adds. */
import { expect, test } from "vitest";
import { contractDocument } from "../src/contract-document.ts";
import { METHODS, POINTS, REASONS, type JsonSchema } from "../src/index.ts";
import * as publicContract from "./public-contract.ts";

const document = contractDocument();

function fieldsOf(name: string): ReadonlySet<string> {
  const { properties, required } = document.$defs[name] ?? {};
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return new Set(Object.keys(properties ?? {}).map((field) => `${field}${needed.includes(field) ? "*" : "?"}`));
}

function words(text: string): readonly string[] {
  return text.split(" ").filter((word) => word !== "");
}

const nameOf = (schema: JsonSchema): string => String(schema["$ref"]).replace("#/$defs/", "");

test.each(Object.entries(publicContract.TYPES))(
  "[E2] %s has every public field, required or optional as there",
  (name, fields) => {
    const ours = fieldsOf(name);
    expect(words(fields).filter((field) => !ours.has(field))).toEqual([]);
    const added = [...ours].filter((field) => !words(fields).includes(field));
    expect(added.filter((field) => field.endsWith("*"))).toEqual([]);
  },
);

test("[E2] the fields that ours adds to public types are these and no others", () => {
  const added = Object.entries(publicContract.TYPES).flatMap(([name, fields]) =>
    [...fieldsOf(name)].filter((field) => !words(fields).includes(field)).map((field) => `${name}.${field}`),
  );
  expect(added).toEqual(["ManifestExpectation.tools?", "InitializeResult.tools?"]);
});

test("[E2] the 21 public methods keep their directions, params and results; one is added", () => {
  const ours = Object.fromEntries(
    Object.entries(document.methods).map(([name, { direction, params, result, notification }]) => {
      expect(notification).toBe(result === null);
      const parts = [direction === "host_to_extension" ? ">" : "<", nameOf(params)];
      return [name, [...parts, ...(result === null ? [] : [nameOf(result)])].join(" ")];
    }),
  );
  expect(ours).toEqual({ ...publicContract.METHODS, "extension/tool/call": "> ToolCallParams ToolCallResult" });
  expect(Object.keys(publicContract.METHODS)).toHaveLength(21);
  const additions = Object.entries(METHODS).filter(([, row]) => row.addition);
  expect(additions.map(([name]) => name)).toEqual(["extension/tool/call"]);
});

test("[E2] [I1] the 17 points are the public ones", () => {
  expect(document.interceptEvents).toEqual(publicContract.POINTS.toSorted());
  expect(Object.keys(POINTS)).toHaveLength(17);
});

test.each(Object.entries(publicContract.ENUMS))("[E2] the values of %s are all there", (place, values) => {
  const [name = "", field = ""] = place.split(" ");
  const text = JSON.stringify(new Map(Object.entries(document.$defs[name]?.["properties"] ?? {})).get(field));
  for (const value of words(values)) expect(text).toContain(JSON.stringify(value));
});

test("[E1] [E2] the 28 reasons keep their codes and whether a sidecar may try again", () => {
  const ours = document.errors.map(({ reason, jsonRpcCode, retryable }) => [
    reason,
    `${jsonRpcCode}${retryable ? " R" : ""}`,
  ]);
  expect(Object.fromEntries(ours)).toEqual(publicContract.REASONS);
  expect(Object.keys(REASONS)).toHaveLength(28);
});

test("[E2] the four limits are the public ones", () => {
  expect(document.limits).toEqual(publicContract.LIMITS);
});
