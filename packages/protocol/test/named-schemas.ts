/** Every schema with a name, by name: what the oracle and the superset test go over. */
import * as protocol from "../src/index.ts";
import type { Schema } from "../src/index.ts";

export function namedSchemas(): ReadonlyMap<string, Schema<unknown>> {
  const payloads = Object.values(protocol.POINTS).map((row) => row.payload);
  const found = [...Object.values(protocol), ...payloads].filter(isNamed);
  return new Map(found.map((schema) => [schema.name, schema]));
}

function isNamed(value: unknown): value is Schema<unknown> & { readonly name: string } {
  return typeof value === "object" && value !== null && "check" in value && "name" in value;
}
