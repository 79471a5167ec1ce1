/** The members of `reasonix-plugin.json` as schema values: what may be written, before any of it is judged together. */
import {
  below,
  boolean,
  BOUNDS,
  CapabilityWire,
  CAPABILITIES,
  describe,
  integer,
  isSlotName,
  jsonObject,
  list,
  NAMED_SLOTS,
  nonEmpty,
  object,
  oneOf,
  optional,
  PLAIN_SLOTS,
  POINT_NAMES,
  record,
  RequirementWire,
  string,
  type Infer,
  type Schema,
  type SlotName,
} from "@reasonix-ts/protocol";
import { HookFields } from "./hook-fields.ts";

export const API_VERSION = "reasonix.io/plugin/v2";

/** The kinds of declarative contributions, as manifests name them. */
export const RESOURCE_KINDS = ["skills", "agents", "commands", "prompts", "hooks", "mcpServers", "themes"] as const;

/** Those that are lists of paths inside the plugin's root. */
export const PATH_KINDS = ["skills", "agents", "commands", "prompts", "themes"] as const;
export type PathKind = (typeof PATH_KINDS)[number];

type Walk = Parameters<Schema<unknown>["check"]>[2];

function blame(value: unknown, path: string, walk: Walk, expected: string): false {
  walk.problems?.push({ kind: "wrong", path, expected, received: describe(value) });
  return false;
}

/** One of two shapes. A list is judged as the second one, so that its items are blamed and not the whole. */
function anyOf<A, B>(first: Schema<A>, second: Schema<B>, expected: string): Schema<A | B> {
  return {
    expected,
    check(value, path, walk) {
      const quiet = { ...walk, problems: null };
      if (first.check(value, path, quiet) || second.check(value, path, quiet)) return true;
      return Array.isArray(value) ? second.check(value, path, walk) : blame(value, path, walk, expected);
    },
    print: (defs) => ({ anyOf: [first.print(defs), second.print(defs)] }),
  };
}

/** Stays inside the root by its letters alone; links are judged on disk. `*` and `?` match names. */
const resourcePath = textWhere(isInnerPath, "a path inside the plugin's root");

const paths = optional(anyOf(resourcePath, list(resourcePath), "a path inside the plugin's root, or a list of them"));

const slot: Schema<SlotName> = {
  expected: `one of ${[...PLAIN_SLOTS, ...NAMED_SLOTS.map((kind) => `${kind}:<name>`)].map((name) => `"${name}"`).join(", ")}`,
  check(value, path, walk) {
    return (typeof value === "string" && isSlotName(value)) || blame(value, path, walk, this.expected);
  },
  print: () => ({ type: "string", minLength: 1 }),
};

const McpServerFields = object({
  type: optional(oneOf(["stdio", "http", "sse"])),
  command: optional(nonEmpty),
  args: optional(list(string)),
  env: optional(record(string)),
  url: optional(nonEmpty),
  headers: optional(record(string)),
});
export type McpServerFields = Infer<typeof McpServerFields>;

const resources = {
  skills: paths,
  agents: paths,
  commands: paths,
  prompts: paths,
  themes: paths,
  hooks: optional(record(list(HookFields))),
  mcpServers: optional(record(McpServerFields)),
} as const;

export const ResourceFields = object(resources);
export type ResourceFields = Infer<typeof ResourceFields>;

export const RuntimeFields = object({
  command: nonEmpty,
  args: optional(list(string)),
  env: optional(variables()),
  required: optional(boolean),
  priority: optional(integer({ min: BOUNDS.priorityMin, max: BOUNDS.priorityMax })),
  timeoutMillis: optional(integer({ min: 0 })),
  intercepts: optional(list(oneOf(POINT_NAMES))),
  replaces: optional(list(slot)),
  capabilities: optional(list(oneOf(CAPABILITIES))),
  tools: optional(
    list(
      object({
        name: nonEmpty,
        description: nonEmpty,
        inputSchema: jsonObject,
        readOnly: optional(boolean),
      }),
    ),
  ),
});
export type RuntimeFields = Infer<typeof RuntimeFields>;

export const ManifestFields = object({
  apiVersion: nonEmpty,
  name: textWhere(
    isPluginName,
    "a name of 1 to 64 ASCII letters, digits, '.', '_' or '-', with a letter or digit at both ends, that is no device name of Windows",
  ),
  version: optional(string),
  description: optional(string),
  author: optional(anyOf(string, jsonObject, "a string or an object")),
  license: optional(string),
  homepage: optional(string),
  repository: optional(anyOf(string, jsonObject, "a string or an object")),
  keywords: optional(list(string)),
  requires: optional(list(RequirementWire)),
  provides: optional(list(CapabilityWire)),
  contributes: optional(ResourceFields),
  ...resources,
  runtime: optional(RuntimeFields),
});
export type ManifestFields = Infer<typeof ManifestFields>;

const DEVICE_NAME = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

export function isPluginName(name: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/.test(name) && !DEVICE_NAME.test(name);
}

/** No absolute path of any system, no step upwards, no backslash, no control character. */
export function isInnerPath(text: string): boolean {
  if (text === "" || text.startsWith("/") || /^[A-Za-z]:/.test(text) || /[\\\p{Cc}]/u.test(text)) return false;
  return !text.split("/").includes("..");
}

function textWhere(test: (text: string) => boolean, expected: string): Schema<string> {
  return {
    expected,
    check: (value, path, walk) => (typeof value === "string" && test(value)) || blame(value, path, walk, expected),
    print: () => ({ type: "string", minLength: 1 }),
  };
}

/** A variable's name may hold neither `=` nor NUL, and a value no NUL: the system would refuse to start the process. */
function variables(): Schema<{ readonly [name: string]: string }> {
  const values = record(textWhere((text) => !text.includes("\0"), "a string without NUL"));
  return {
    ...values,
    check(value, path, walk) {
      if (!values.check(value, path, walk)) return false;
      const bad = Object.keys(value ?? {}).filter((name) => name === "" || /[=\0]/.test(name));
      for (const name of bad) blame(name, below(path, name), walk, "a variable name without '='");
      return bad.length === 0;
    },
  };
}
