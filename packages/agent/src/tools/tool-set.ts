/** The tools of one generation in their fixed order: built-in ones, those of the app, those of extensions. */
import type { ToolSchema } from "@reasonix-ts/protocol";
import type { ExtensionLease } from "../ports.ts";
import { extensionTool } from "./extension-tool.ts";
import type { Tool } from "./tool.ts";

export interface ToolSet {
  /** As the model sees them; the same object for the whole generation, so that its bytes are stable. */
  readonly schemas: readonly ToolSchema[];
  readonly names: readonly string[];
  find(name: string): Tool | undefined;
}

export type ToolSetBuild =
  | { readonly ok: true; readonly tools: ToolSet }
  /** Two tools have one name: the model could not tell them apart. */
  | { readonly ok: false; readonly problem: string };

export function toolSet(own: readonly Tool[], lease: ExtensionLease | null): ToolSetBuild {
  const byName = new Map<string, Tool>();
  const twice: string[] = [];
  const add = (tool: Tool): void => {
    if (byName.has(tool.name)) twice.push(tool.name);
    byName.set(tool.name, tool);
  };
  for (const tool of own) add(tool);
  const served = lease === null ? [] : lease.tools.map((tool) => ({ tool, served: extensionTool(tool) }));
  served.sort((left, right) => (left.served.name < right.served.name ? -1 : 1));
  for (const { tool, served: made } of served) {
    // In the place of the built-in one, also in the order.
    if (tool.replacesBuiltIn) byName.set(made.name, made);
    else add(made);
  }
  if (twice.length > 0) {
    const problem = `Two tools are named ${twice.join(", ")}. Disable one of the plugins or servers that bring it, then reload.`;
    return { ok: false, problem };
  }
  const tools = [...byName.values()];
  return {
    ok: true,
    tools: {
      schemas: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
      names: tools.map((tool) => tool.name),
      find: (name) => byName.get(name),
    },
  };
}

/** The tools of a sub-agent: a part of a set, in its order. */
export function partOf(set: ToolSet, wanted: (name: string) => boolean): ToolSet {
  return {
    schemas: set.schemas.filter((schema) => wanted(schema.name)),
    names: set.names.filter(wanted),
    find: (name) => (wanted(name) ? set.find(name) : undefined),
  };
}
