/** A model of a configured provider at the scripted server. */
import { configuredModel } from "../../src/models/configured.ts";
import type { Endpoint } from "../../src/models/endpoint.ts";
import { decodeProviders } from "../../src/models/settings.ts";
import type { Model } from "../../src/ports.ts";

/** Looks like a key, and stands nowhere but in these tests. */
export const KEY = "fixture-key-0123456789";

export interface ProviderOptions {
  readonly settings?: { readonly [key: string]: unknown };
  readonly key?: string | undefined;
  readonly waits?: Partial<Endpoint["waits"]>;
}

export function providerAt(kind: "anthropic" | "openai", url: string, options: ProviderOptions = {}): Model {
  const table = {
    name: "lab",
    kind,
    base_url: `${url}/v1`,
    models: ["m-1"],
    api_key_env: "LAB_KEY",
    ...options.settings,
  };
  const { providers, problems } = decodeProviders([table]);
  const settings = providers[0];
  if (settings === undefined) throw new Error(problems.join("\n"));
  const key = "key" in options ? options.key : KEY;
  return configuredModel(settings, settings.models[0] ?? "", {
    apiKey: (name) => (name === "LAB_KEY" ? key : undefined),
    clock: { now: () => Date.UTC(2030, 0, 1) },
    ...(options.waits === undefined ? {} : { waits: options.waits }),
  });
}
