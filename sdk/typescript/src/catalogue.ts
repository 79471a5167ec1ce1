/** The models of an extension by their full reference. */
import type { ProviderDescriptor } from "@reasonix-ts/protocol";
import type { Session } from "./context.ts";
import { qualify } from "./declaration.ts";
import type { Link } from "./link.ts";
import type { Provider } from "./provider.ts";

export class Catalogue {
  readonly #providers = new Map<string, Provider>();
  #descriptors: readonly ProviderDescriptor[] = [];

  get descriptors(): readonly ProviderDescriptor[] {
    return this.#descriptors;
  }

  get refs(): readonly string[] {
    return [...this.#providers.keys()];
  }

  find(ref: string): Provider | undefined {
    return this.#providers.get(ref);
  }

  /** Null when the models are known at once; otherwise rejects with what the author's function throws. */
  load({ extension, pluginName }: Link, session: Session): Promise<void> | null {
    const { providers = [] } = extension;
    const found = typeof providers === "function" ? providers(session) : providers;
    if (found instanceof Promise) return found.then((arrived) => this.#take(arrived, pluginName));
    this.#take(found, pluginName);
    return null;
  }

  #take(found: readonly Provider[], pluginName: string): void {
    for (const provider of found) {
      const { ref } = qualify(provider.descriptor, pluginName);
      if (this.#providers.has(ref)) throw new TypeError(`two models have the reference ${ref}`);
      this.#providers.set(ref, provider);
    }
    this.#descriptors = found.map(({ descriptor }) => qualify(descriptor, pluginName));
  }
}
