/** What a manifest says, once it is read: defaults filled in, both places of contributions joined. */
import type { Capability, CapabilityWire, PointName, RequirementWire, SlotName } from "@reasonix-ts/protocol";
import type { PathKind } from "./fields.ts";
import type { HookFields } from "./hook-fields.ts";

export interface Manifest {
  readonly name: string;
  /** Empty when the manifest names none. */
  readonly version: string;
  readonly description: string;
  readonly requires: readonly RequirementWire[];
  readonly provides: readonly CapabilityWire[];
  readonly resources: Resources;
  readonly runtime: RuntimeBlock | null;
}

/** What the plugin contributes by declaration; paths are as written, relative to the root. */
export type Resources = { readonly [kind in PathKind]: readonly string[] } & {
  readonly hooks: { readonly [event: string]: readonly HookFields[] };
  readonly mcpServers: { readonly [name: string]: McpServerEntry };
};

/** The runtime block with its defaults; command, args and env are as written, `${REASONIX_PLUGIN_ROOT}` unexpanded. */
export interface RuntimeBlock {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly required: boolean;
  readonly priority: number;
  /** As written; 0 stands for the defaults of the points' families. Clamped where it is used. */
  readonly timeoutMillis: number;
  readonly intercepts: readonly PointName[];
  readonly replaces: readonly SlotName[];
  /** As written; null when the manifest lists none. */
  readonly declared: readonly Capability[] | null;
  readonly tools: readonly ManifestTool[];
}

export interface ManifestTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly readOnly: boolean;
}

/** A server that an agent may start or reach on behalf of the plugin. */
export type McpServerEntry =
  | { readonly type: "stdio"; readonly command: string; readonly args: readonly string[]; readonly env: Variables }
  | { readonly type: "http" | "sse"; readonly url: string; readonly headers: Variables };
type Variables = { readonly [name: string]: string };
