/** What an extension tells the host in the handshake, read off its handlers. */
import { PROTOCOL_VERSION, type InitializeResult, type ProviderDescriptor } from "@reasonix-ts/protocol";
import type { Extension } from "./define.ts";
import { mismatches } from "./mismatches.ts";
import type { Hello } from "./wire.ts";

export interface Declaration {
  readonly result: InitializeResult;
  /** What was left out, and what manifest and code do not both say, a sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Points, slots, models and actions are declared as they are coded, so that a line forgotten in the manifest fails the
 * handshake with its name and not a guard in silence. Tools are an addition to the protocol: where the host's
 * expectation knows none, they are left out, because an older host refuses a field that it does not know.
 */
export function declare(
  extension: Extension,
  descriptors: readonly ProviderDescriptor[],
  manifest: Hello["manifest"],
): Declaration {
  const { intercept = {}, observe = {}, replace = {}, tools = {}, ui } = extension;
  const subscriptions = unique([...coded(intercept), ...coded(observe)]);
  const replaces = coded(replace);
  const uiActions = Object.entries(ui?.actions ?? {}).map(([actionId, { label }]) =>
    label === undefined ? { actionId } : { actionId, label },
  );
  const served = coded(tools);
  const hostKnowsTools = manifest.tools !== undefined || (manifest.capabilities ?? []).includes("tools");
  const declaresTools = served.length > 0 && hostKnowsTools;
  const result: InitializeResult = {
    name: extension.name,
    version: extension.version,
    protocolVersion: PROTOCOL_VERSION,
    stateSchemaVersion: extension.stateSchemaVersion ?? 0,
    ...(subscriptions.length === 0 ? {} : { subscriptions }),
    ...(replaces.length === 0 ? {} : { replaces }),
    ...(descriptors.length === 0 ? {} : { providers: descriptors }),
    ...(uiActions.length === 0 ? {} : { uiActions }),
    ...(declaresTools ? { tools: served } : {}),
  };
  const warnings = mismatches(manifest, {
    points: [...subscriptions, ...Object.values(replace).flatMap((handlers) => coded(handlers ?? {}))],
    slots: replaces,
    tools: served,
    refs: descriptors.map(({ ref }) => ref),
  });
  return { result, warnings };
}

/** A `ref` without the prefix `plugin/` belongs below the plugin's own name. */
export function qualify(descriptor: ProviderDescriptor, pluginName: string): ProviderDescriptor {
  const { ref } = descriptor;
  return ref.startsWith("plugin/") ? descriptor : { ...descriptor, ref: `plugin/${pluginName}/${ref}` };
}

/** The names under which something stands. */
function coded(handlers: object): string[] {
  return Object.entries(handlers).flatMap(([name, handler]) => (handler === undefined ? [] : [name]));
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
