/** What a tool is: a name and a schema for the model, a subject for the permissions, and the work itself. */
import { decode, describe, problemText, type JsonSchema, type ObjectSchema } from "@reasonix-ts/protocol";
import type { Maybe } from "../points.ts";
import type { ExtensionLease } from "../ports.ts";
import type { ToolServices } from "./services.ts";

/** What a call would touch, as far as permissions care. Paths are as given; the permissions follow their links. */
export type Subject =
  | { readonly kind: "read"; readonly paths: readonly string[] }
  | { readonly kind: "write"; readonly paths: readonly string[] }
  | { readonly kind: "command"; readonly command: string }
  | { readonly kind: "fetch"; readonly url: string }
  /** Touches nothing outside the session. */
  | { readonly kind: "nothing" }
  /** Served by somebody else: what it touches is not known. */
  | { readonly kind: "foreign" };

export interface ToolOutput {
  /** What the model sees, before it is cut to size. */
  readonly text: string;
  readonly isError: boolean;
  /** For people, such as a diff. */
  readonly detail?: string;
  /** Data URLs for models with vision. */
  readonly images?: readonly string[];
}

export interface ToolContext {
  readonly callId: string;
  readonly agent: string;
  readonly services: ToolServices;
  /** The generation that the turn pinned. */
  readonly lease: ExtensionLease | null;
  /** Shown while the tool works. */
  readonly progress: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Arguments that passed the schema. */
export interface PreparedCall {
  readonly subject: Subject;
  run(context: ToolContext): Promise<ToolOutput>;
}

export type Preparation =
  | { readonly ok: true; readonly call: PreparedCall }
  | { readonly ok: false; readonly problem: string };

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonSchema;
  readonly readOnly: boolean;
  /** Judges arguments; `value` is a parsed JSON object that belongs to the tool from here on. */
  prepare(value: { [member: string]: unknown }): Maybe<Preparation>;
}

export interface ToolDefinition<A> {
  readonly name: string;
  readonly description: string;
  readonly arguments: ObjectSchema<A>;
  /** What each argument means, for the model. */
  readonly notes?: { readonly [K in keyof A]?: string };
  readonly readOnly: boolean;
  readonly subject: (args: A) => Subject;
  readonly run: (args: A, context: ToolContext) => Promise<ToolOutput>;
}

/** Makes a tool whose printed schema, check and argument type are one schema value. */
export function defineTool<A>(definition: ToolDefinition<A>): Tool {
  const { name, description, readOnly } = definition;
  return {
    name,
    description,
    readOnly,
    parameters: parametersOf(definition),
    prepare(value) {
      const decoded = decode(definition.arguments, value);
      if (!decoded.ok) return { ok: false, problem: decoded.problems.map(problemText).join("; ") };
      const args = decoded.value;
      return {
        ok: true,
        call: { subject: definition.subject(args), run: (context) => definition.run(args, context) },
      };
    },
  };
}

export function done(text: string, detail?: string): ToolOutput {
  return { text, isError: false, ...(detail === undefined ? {} : { detail }) };
}

export function refused(text: string): ToolOutput {
  return { text, isError: true };
}

/** Reads the arguments that a model wrote; empty text is an empty object. */
export function parseArguments(
  text: string,
):
  | { readonly ok: true; readonly value: { [member: string]: unknown } }
  | { readonly ok: false; readonly problem: string } {
  if (text.trim() === "") return { ok: true, value: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: `the arguments are not valid JSON (${why})` };
  }
  if (isObject(value)) return { ok: true, value };
  return { ok: false, problem: `the arguments are ${describe(value)}, wanted a JSON object` };
}

function isObject(value: unknown): value is { [member: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An absent optional member needs no `null` in a model's eyes, and a plain type is what every provider understands. */
function parametersOf<A>({ arguments: schema, notes }: ToolDefinition<A>): JsonSchema {
  const printed = schema.print(new Map());
  const properties: { [name: string]: unknown } = {};
  for (const [name, property] of Object.entries(asObject(printed["properties"]))) {
    const note: unknown = Object.entries(notes ?? {}).find(([key]) => key === name)?.[1];
    const plain = withoutNull(asObject(property));
    properties[name] = typeof note === "string" ? { ...plain, description: note } : plain;
  }
  return { ...printed, properties };
}

function withoutNull(property: { readonly [keyword: string]: unknown }): { readonly [keyword: string]: unknown } {
  const { type, anyOf } = property;
  if (Array.isArray(type)) return { ...property, type: type.find((one) => one !== "null") };
  if (Array.isArray(anyOf)) return asObject(anyOf[0]);
  return property;
}

function asObject(value: unknown): { readonly [member: string]: unknown } {
  return isObject(value) ? value : {};
}
