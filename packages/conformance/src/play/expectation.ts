/** What the manifest lets a sidecar do: read from reasonix-plugin.json, or everything when there is none. */
import {
  CAPABILITIES,
  isPointName,
  POINT_NAMES,
  type ManifestExpectation,
  type PointName,
} from "@reasonix-ts/protocol";
import { isJsonObject, type JsonObject } from "../wire/frame.ts";

export interface Expectation {
  /** The plugin's name; null without a manifest. */
  readonly plugin: string | null;
  readonly intercepts: readonly PointName[];
  readonly replaces: readonly string[];
  readonly capabilities: readonly string[];
  readonly tools: readonly ToolDeclaration[];
  /** 0 for the defaults of the points' families. */
  readonly timeoutMillis: number;
}

export interface ToolDeclaration {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

/** Without a manifest a sidecar is offered all points and capabilities, so that nothing it declares is too much. */
export const OPEN_EXPECTATION: Expectation = {
  plugin: null,
  intercepts: POINT_NAMES,
  replaces: [],
  capabilities: CAPABILITIES,
  tools: [],
  timeoutMillis: 0,
};

/** Throws an Error that says what a manifest must hold. Checks no more than the handshake needs. */
export function expectationOf(manifest: unknown): Expectation {
  if (!isJsonObject(manifest)) throw new Error("a manifest is a JSON object");
  const { name, runtime } = manifest;
  if (typeof name !== "string" || name === "") throw new Error("a manifest has a name");
  if (!isJsonObject(runtime)) throw new Error("this manifest has no runtime: there is nothing to start");
  const intercepts = strings(runtime, "intercepts");
  const stranger = intercepts.find((point) => !isPointName(point));
  if (stranger !== undefined)
    throw new Error(`runtime.intercepts names "${stranger}", which is none of ${POINT_NAMES.join(", ")}`);
  const replaces = strings(runtime, "replaces");
  const { tools = [], timeoutMillis } = runtime;
  return {
    plugin: name,
    intercepts: intercepts.filter(isPointName),
    replaces,
    capabilities: capabilitiesOf(runtime, intercepts, replaces),
    tools: Array.isArray(tools) ? tools.filter(isJsonObject).flatMap(toolOf) : [],
    timeoutMillis: typeof timeoutMillis === "number" ? Math.min(timeoutMillis, 60_000) : 0,
  };
}

/** The member `manifest` of the handshake's params. */
export function manifestParams(expectation: Expectation): ManifestExpectation {
  const { intercepts, replaces, capabilities, tools } = expectation;
  return {
    ...(intercepts.length === 0 ? {} : { intercepts }),
    ...(replaces.length === 0 ? {} : { replaces }),
    ...(capabilities.length === 0 ? {} : { capabilities }),
    ...(tools.length === 0 ? {} : { tools: tools.map(({ name }) => name) }),
  };
}

function capabilitiesOf(
  runtime: JsonObject,
  intercepts: readonly string[],
  replaces: readonly string[],
): readonly string[] {
  const named = runtime["capabilities"] === undefined ? ["ui"] : strings(runtime, "capabilities");
  const implied = [...(intercepts.length > 0 ? ["interceptors"] : []), ...(replaces.length > 0 ? ["strategies"] : [])];
  return [...new Set([...named, ...implied])];
}

function strings(runtime: JsonObject, member: string): readonly string[] {
  const value = runtime[member] ?? [];
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw new Error(`runtime.${member} is an array of strings`);
}

function toolOf({ name, inputSchema }: JsonObject): readonly ToolDeclaration[] {
  return typeof name === "string" ? [{ name, inputSchema: isJsonObject(inputSchema) ? inputSchema : {} }] : [];
}
