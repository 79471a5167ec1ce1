/** What a generation offers beside rulings: models, their streams, and tools. */
import { parsePluginRef, type Chunk, type ProviderDescriptor, type ProviderRequest } from "@reasonix-ts/protocol";
import type { ToolCallResult } from "@reasonix-ts/protocol";
import type { Seat } from "./generation/seat.ts";
import type { Catalogue } from "./providers/catalogue.ts";
import { unavailable, type StreamOptions, type Streams } from "./providers/streams.ts";
import { callTool, toolsOf, type ExtensionTool, type ToolCallOptions, type ToolCallParts } from "./tools.ts";

export interface Offers {
  readonly tools: readonly ExtensionTool[];
  readonly callTool: (
    plugin: string,
    name: string,
    args: { readonly [key: string]: unknown },
    options: ToolCallOptions,
  ) => Promise<ToolCallResult>;
  readonly models: readonly ProviderDescriptor[];
  /** Opens the stream when it is first read; iterating throws a StreamFailure for everything but a good end. */
  readonly stream: (ref: string, request: ProviderRequest, options: StreamOptions) => AsyncIterable<readonly Chunk[]>;
  /** The `plugin/<own>/<ref>` that the owner of `provider:<ref>` serves in the place of `<ref>`, or null. */
  readonly providerFor: (ref: string) => string | null;
}

export interface OfferParts extends ToolCallParts {
  readonly streams: Streams;
  readonly catalogues: ReadonlyMap<string, Catalogue>;
}

export function offersOf(seats: readonly Seat[], { streams, catalogues, ...parts }: OfferParts): Offers {
  const bySeat = new Map(seats.map((seat) => [seat.plugin, seat]));
  const models = [...catalogues.values()].flatMap((catalogue) => catalogue.models);
  const byRef = new Map(models.map((model) => [model.ref, model]));
  const owners = new Map(seats.flatMap(({ plugin, owns }) => [...owns].map((slot) => [slot, plugin] as const)));
  return {
    tools: toolsOf(seats),
    callTool: (plugin, name, args, options) =>
      callTool(plugin, bySeat.get(plugin)?.sidecar ?? null, name, args, options, parts),
    models,
    stream(ref, request, options) {
      const descriptor = byRef.get(ref);
      const plugin = parsePluginRef(ref)?.plugin ?? "";
      const sidecar = bySeat.get(plugin)?.sidecar;
      if (descriptor === undefined || sidecar === undefined || sidecar === null)
        return unavailable(plugin, ref, whyNotOffered(plugin, ref, bySeat.get(plugin)));
      const { state } = sidecar;
      if (state.kind === "gone") {
        const message = parts.redact(`The model ${ref} is not available: ${state.death.message}`);
        return unavailable(plugin, ref, message);
      }
      return streams.open(sidecar, descriptor, request, options);
    },
    providerFor(ref) {
      const plugin = owners.get(`provider:${ref}`);
      const own = `plugin/${plugin}/${ref}`;
      return plugin !== undefined && byRef.has(own) ? own : null;
    },
  };
}

function whyNotOffered(plugin: string, ref: string, seat: Seat | undefined): string {
  const problem = seat?.failure?.message;
  const why = problem ?? (seat === undefined ? `no plugin "${plugin}" runs` : `plugin "${plugin}" does not offer it`);
  return `The model ${ref} is not available: ${why}${/[.!?]$/.test(why) ? "" : "."}`;
}
