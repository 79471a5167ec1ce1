/** Finds models by their refs: configured providers, the offline model, and those that extensions bring. */
import { isPluginRef, type ProviderDescriptor } from "@reasonix-ts/protocol";
import { didYouMean } from "@reasonix-ts/text";
import type { Model, Models } from "../ports.ts";
import { configuredModel, descriptorOf, type ModelServices } from "./configured.ts";
import { extensionModel, servedModel, shortList } from "./extension-model.ts";
import { offlineDescriptor, offlineModel, OFFLINE_REF } from "./offline.ts";
import type { ProviderSettings } from "./settings.ts";
import { unavailableModel } from "./unavailable.ts";

export interface ModelsOptions extends ModelServices {
  readonly providers: readonly ProviderSettings[];
  /** Why providers that are configured cannot be used, by their names; their models are unavailable for that reason. */
  readonly unusable?: ReadonlyMap<string, string>;
}

/** Builds the registry once; nothing is opened or loaded until a model streams. */
export function createModels(options: ModelsOptions): Models {
  const builtIn = new Map<string, Model>([[OFFLINE_REF, offlineModel()]]);
  const descriptors: ProviderDescriptor[] = [];
  for (const settings of options.providers) {
    for (const id of settings.models) {
      const ref = `${settings.name}/${id}`;
      builtIn.set(ref, configuredModel(settings, id, options));
      if (ref !== OFFLINE_REF) descriptors.push(descriptorOf(settings, id));
    }
  }
  descriptors.push(offlineDescriptor());

  return {
    resolve(ref, lease) {
      if (isPluginRef(ref)) return extensionModel(ref, lease);
      const known = builtIn.get(ref);
      const model = servedModel(ref, known, lease) ?? known;
      return model ?? unavailableModel(ref, whyUnknown(ref, [...builtIn.keys()], options));
    },
    list: (lease) => (lease === null ? descriptors : [...descriptors, ...lease.models]),
  };
}

/** The model that is used where nobody chose: the first provider's default, else its first model, else offline. */
export function defaultModelRef(providers: readonly ProviderSettings[]): string {
  const first = providers[0];
  const model = first?.default ?? first?.models[0];
  return first === undefined || model === undefined ? OFFLINE_REF : `${first.name}/${model}`;
}

function whyUnknown(
  ref: string,
  known: readonly string[],
  { providers, unusable }: Pick<ModelsOptions, "providers" | "unusable">,
): string {
  const slash = ref.indexOf("/");
  const broken = unusable?.get(ref.slice(0, slash === -1 ? ref.length : slash));
  if (broken !== undefined) return broken;
  if (slash <= 0 || slash === ref.length - 1) {
    return `a model is named <provider>/<model>, such as ${known[1] ?? known[0]}.${nearRef(ref, known)}`;
  }
  const provider = providers.find((settings) => settings.name === ref.slice(0, slash));
  if (provider !== undefined) {
    const id = ref.slice(slash + 1);
    const guess = didYouMean(id, provider.models);
    return `provider ${provider.name} offers ${shortList(provider.models)}.${guess} To use it, add it to \`models\` of that provider in config.toml.`;
  }
  const guess = nearRef(ref, known);
  return `no provider of that name is configured.${guess} \`reasonix models\` lists what there is.`;
}

/** Near misses of the whole ref, then of its last part alone: `deepseek-chat` for `deepseek/deepseek-chat`. */
function nearRef(ref: string, known: readonly string[]): string {
  const sameModel = known.find((candidate) => candidate.endsWith(`/${ref}`));
  return sameModel === undefined ? didYouMean(ref, known) : ` Did you mean "${sameModel}"?`;
}
