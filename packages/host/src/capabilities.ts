/** Compares what a sidecar declares with what its manifest allows (pure): what is granted, or the first excess. */
import {
  isPointName,
  isSlotName,
  parsePluginRef,
  type Capability,
  type InitializeResult,
  type PointName,
  type ProviderDescriptor,
  type SlotName,
  type UIActionDecl,
} from "@reasonix-ts/protocol";
import type { SidecarSpec } from "./spec.ts";

/** What a sidecar may do in its generation. */
export interface Grant {
  readonly capabilities: ReadonlySet<Capability>;
  readonly intercepts: ReadonlySet<PointName>;
  readonly replaces: ReadonlySet<SlotName>;
  readonly tools: ReadonlySet<string>;
  readonly providers: readonly ProviderDescriptor[];
  readonly uiActions: readonly UIActionDecl[];
}

export type Judgement =
  | { readonly ok: true; readonly grant: Grant }
  | {
      readonly ok: false;
      /** What was declared. */
      readonly item: string;
      /** Where in the manifest it would have to stand. */
      readonly manifestKey: string;
    };

type Manifest = Pick<SidecarSpec, "plugin" | "intercepts" | "replaces" | "capabilities" | "tools">;

/** A declaration may narrow the manifest, never widen it. An absent or empty list means all of the manifest's. */
export function judgeDeclaration(manifest: Manifest, declaration: InitializeResult): Judgement {
  const intercepts = new Set(manifest.intercepts);
  const replaces = new Set(manifest.replaces);
  const tools = new Set(manifest.tools.map((tool) => tool.name));
  const capabilities = new Set(manifest.capabilities);
  const { subscriptions = [], providers = [], uiActions = [] } = declaration;
  const point = subscriptions.find((name) => !isPointName(name) || !intercepts.has(name));
  if (point !== undefined) return excess(`subscription "${point}"`, "runtime.intercepts");
  const slot = declaration.replaces?.find((name) => !isSlotName(name) || !replaces.has(name));
  if (slot !== undefined) return excess(`slot "${slot}"`, "runtime.replaces");
  const [provider] = providers;
  if (provider !== undefined && !capabilities.has("providers"))
    return excess(`provider "${provider.ref}" (capability "providers")`, "runtime.capabilities");
  const foreign = providers.find(({ ref }) => parsePluginRef(ref)?.plugin !== manifest.plugin);
  if (foreign !== undefined)
    return excess(`provider "${foreign.ref}", which is not below "plugin/${manifest.plugin}/"`, "runtime.capabilities");
  const [action] = uiActions;
  if (action !== undefined && !capabilities.has("ui"))
    return excess(`UI action "${action.actionId}" (capability "ui")`, "runtime.capabilities");
  const [firstTool] = declaration.tools ?? [];
  if (firstTool !== undefined && !capabilities.has("tools"))
    return excess(`tool "${firstTool}" (capability "tools")`, "runtime.capabilities");
  const tool = declaration.tools?.find((name) => !tools.has(name));
  if (tool !== undefined) return excess(`tool "${tool}"`, "runtime.tools");
  return {
    ok: true,
    grant: {
      capabilities,
      intercepts: narrowed(intercepts, subscriptions.filter(isPointName)),
      replaces: narrowed(replaces, (declaration.replaces ?? []).filter(isSlotName)),
      tools: capabilities.has("tools") ? narrowed(tools, declaration.tools ?? []) : new Set(),
      providers,
      uiActions,
    },
  };
}

function narrowed<T>(all: ReadonlySet<T>, named: readonly T[]): ReadonlySet<T> {
  return named.length === 0 ? all : new Set(named);
}

function excess(item: string, manifestKey: string): Judgement {
  return { ok: false, item, manifestKey };
}
