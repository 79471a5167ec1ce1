/** A model of a configured provider: its descriptor, and a stream whose code is loaded at the first request. */
import type { ProviderDescriptor } from "@reasonix-ts/protocol";
import type { Model, ModelChunk, ModelRequest } from "../ports.ts";
import type { Endpoint } from "./endpoint.ts";
import { offlineDescriptor, offlineModel } from "./offline.ts";
import type { ProviderSettings } from "./settings.ts";

/** What a configured model needs beside its settings. */
export interface ModelServices {
  /** Looks up the key that `api_key_env` names; asked at each request, so that a new key counts at once. */
  readonly apiKey: (environmentName: string) => string | undefined;
  /** Milliseconds since the epoch; reads a Retry-After that is a date. */
  readonly clock: { now(): number };
  /** Replaces the bounds of a wait; see `endpoint.ts`. */
  readonly waits?: Partial<Endpoint["waits"]>;
}

export function configuredModel(settings: ProviderSettings, id: string, services: ModelServices): Model {
  const ref = `${settings.name}/${id}`;
  if (settings.kind === "offline") return offlineModel(ref);
  const descriptor = descriptorOf(settings, id);
  const { clock, apiKey } = services;
  const waits = { firstByteMillis: 300_000, silenceMillis: 120_000, ...services.waits };
  const endpoint: Endpoint = { ref, model: id, settings, descriptor, apiKey, now: () => clock.now(), waits };
  return {
    ref,
    descriptor,
    stream: (request, { effort = settings.effort, signal }) => open(endpoint, request, { effort, signal }),
  };
}

async function* open(
  endpoint: Endpoint,
  request: ModelRequest,
  options: { readonly effort: string | undefined; readonly signal: AbortSignal | undefined },
): AsyncGenerator<readonly ModelChunk[]> {
  if (endpoint.settings.kind === "anthropic") {
    const { streamAnthropic } = await import("./anthropic.ts");
    yield* streamAnthropic(endpoint, request, options);
  } else {
    const { streamOpenai } = await import("./openai.ts");
    yield* streamOpenai(endpoint, request, options);
  }
}

const EFFORTS = {
  anthropic: ["low", "medium", "high", "adaptive"],
  openai: ["minimal", "low", "medium", "high"],
} as const;

export function descriptorOf(settings: ProviderSettings, id: string): ProviderDescriptor {
  const ref = `${settings.name}/${id}`;
  if (settings.kind === "offline") return offlineDescriptor(ref);
  const { prices = {}, context_window: contextWindow, effort } = settings;
  const anthropic = settings.kind === "anthropic";
  return {
    ref,
    model: id,
    tools: true,
    vision: settings.vision ?? anthropic,
    efforts: EFFORTS[settings.kind],
    ...(anthropic ? { reasoning: true } : {}),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(prices.input === undefined ? {} : { inputPerMillion: prices.input }),
    ...(prices.output === undefined ? {} : { outputPerMillion: prices.output }),
    ...(prices.cache_hit === undefined ? {} : { cacheHitPerMillion: prices.cache_hit }),
    ...(prices.currency === undefined ? {} : { pricingCurrency: prices.currency }),
    ...(effort === undefined ? {} : { defaultEffort: effort }),
  };
}
