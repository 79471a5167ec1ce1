/** The models of the user's configuration, and what is wrong with it. */
import {
  createModels,
  decodeProviders,
  defaultModelRef,
  systemClock,
  type BrokenProvider,
  type Models,
  type ProviderSettings,
} from "@reasonix-ts/agent";

export interface Providers {
  readonly settings: readonly ProviderSettings[];
  readonly models: Models;
  /** The model that is asked where nobody chose one. */
  readonly defaultRef: string;
  /** What is wrong with tables, a sentence each. Their models are unavailable; everything else goes on. */
  readonly problems: readonly string[];
  /** Values of keys that the host holds: never to be shown. */
  readonly secrets: readonly string[];
  /** Unknown keys, for doctor. */
  readonly unknown: readonly string[];
}

/** Judges `[[providers]]`. A turn with a model of a wrong table fails and says why; no other model takes its place. */
export function providersOf(
  tables: readonly unknown[],
  file: string,
  apiKey: (name: string) => string | undefined,
): Providers {
  const { providers, problems, broken, unknown } = decodeProviders(tables);
  const lost = broken.filter(({ name }) => !providers.some((provider) => provider.name === name));
  const unusable = new Map(lost.map((table) => [nameOf(table), whyUnusable(table, file)]));
  return {
    settings: providers,
    models: createModels({ providers, unusable, apiKey, clock: systemClock }),
    defaultRef: defaultRef(providers, lost),
    problems: problems.map((problem) => `${file}: ${problem}. Its models cannot be used until it is mended.`),
    secrets: providers
      .map((provider) => (provider.api_key_env === undefined ? undefined : apiKey(provider.api_key_env)))
      .filter((key) => key !== undefined),
    unknown,
  };
}

/** The first table decides also where it is wrong: the next one must not answer in its name. */
function defaultRef(providers: readonly ProviderSettings[], lost: readonly BrokenProvider[]): string {
  const first = lost.find(({ index }) => index === 0);
  return first === undefined ? defaultModelRef(providers) : `${nameOf(first)}/${first.model || "unnamed"}`;
}

function nameOf({ name }: BrokenProvider): string {
  return name === "" ? "unnamed" : name;
}

function whyUnusable({ index, problems }: BrokenProvider, file: string): string {
  return (
    `table ${index + 1} of [[providers]] in ${file} is wrong: ${problems.join("; ")}. ` +
    "Mend it, or run `reasonix setup`, which writes it anew."
  );
}

/** Whether a ref names a model that the configuration brings: what a project's default may choose among. */
export function isConfigured(ref: string, tables: readonly unknown[]): boolean {
  if (ref === "offline/scripted") return true;
  return decodeProviders(tables).providers.some((provider) =>
    provider.models.some((model) => `${provider.name}/${model}` === ref),
  );
}
