/** What a generation offers beside rulings: tools and models. */
import type { Chunk, ProviderDescriptor, ProviderRequest, ToolCallResult } from "@reasonix-ts/protocol";
import { HostError } from "./errors.ts";

/** A tool that an extension serves. */
export interface ExtensionTool {
  readonly plugin: string;
  /** The name in the manifest. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly readOnly: boolean;
  /** True when the plugin owns `tool:<name>`: it then serves that tool in the built-in's place. */
  readonly replacesBuiltIn: boolean;
}

export interface Offers {
  readonly tools: readonly ExtensionTool[];
  readonly callTool: (
    plugin: string,
    name: string,
    args: { readonly [key: string]: unknown },
    options: { readonly signal?: AbortSignal; readonly callId?: string },
  ) => Promise<ToolCallResult>;
  readonly models: readonly ProviderDescriptor[];
  readonly stream: (
    ref: string,
    request: ProviderRequest,
    options: { readonly effort?: string; readonly signal?: AbortSignal },
  ) => AsyncIterable<readonly Chunk[]>;
}

/** Nothing is offered: every tool is unknown and every model unavailable. */
export const noOffers: Offers = {
  tools: [],
  models: [],
  callTool: (plugin, name) =>
    Promise.resolve({ content: `Plugin "${plugin}" serves no tool "${name}".`, isError: true }),
  stream: (ref) => ({
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.reject(new HostError("provider_failed", "", `No plugin offers the model "${ref}".`)),
    }),
  }),
};
