/** The models of the user's configuration, or one text that says what is wrong with it. */
import { createModels, decodeProviders, systemClock, type Models, type ProviderSettings } from "@reasonix-ts/agent";
import { CommandError } from "./world.ts";

export interface Providers {
  readonly settings: readonly ProviderSettings[];
  readonly models: Models;
  /** Values of keys that the host holds: never to be shown. */
  readonly secrets: readonly string[];
  /** Unknown keys, for doctor. */
  readonly unknown: readonly string[];
}

/** Judges `[[providers]]`; a wrong table refuses the start, since its models would be missing without a word. */
export function providersOf(
  tables: readonly unknown[],
  file: string,
  apiKey: (name: string) => string | undefined,
): Providers {
  const { providers, problems, unknown } = decodeProviders(tables);
  if (problems.length > 0) {
    throw new CommandError(`${file}: ${problems.join("; ")}. Mend the file and try again; nothing was changed.`);
  }
  return {
    settings: providers,
    models: createModels({ providers, apiKey, clock: systemClock }),
    secrets: providers
      .map((provider) => (provider.api_key_env === undefined ? undefined : apiKey(provider.api_key_env)))
      .filter((key) => key !== undefined),
    unknown,
  };
}

/** Whether a ref names a model that the configuration brings: what a project's default may choose among. */
export function isConfigured(ref: string, tables: readonly unknown[]): boolean {
  if (ref === "offline/scripted") return true;
  return decodeProviders(tables).providers.some((provider) =>
    provider.models.some((model) => `${provider.name}/${model}` === ref),
  );
}
