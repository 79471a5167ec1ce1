/** Models that extensions serve: under their own ref, or in the place of a built-in one. */
import { parsePluginRef, type Message, type ProviderDescriptor } from "@reasonix-ts/protocol";
import { didYouMean } from "@reasonix-ts/text";
import { withoutNative } from "../native.ts";
import type { ExtensionLease, Model, StoredMessage } from "../ports.ts";
import { imageNote } from "./images.ts";
import { unavailableModel } from "./unavailable.ts";

/** The model of a `plugin/…` ref; unavailable where no running plugin offers it. */
export function extensionModel(ref: string, lease: ExtensionLease | null): Model {
  const descriptor = lease?.models.find((model) => model.ref === ref);
  if (lease === null || descriptor === undefined) return unavailableModel(ref, whyNoPlugin(ref, lease));
  return streamed(ref, descriptor, lease, ref);
}

/**
 * The model whose `provider:<ref>` slot an extension owns and streams for; null where none does. It keeps its ref, and
 * the prices and abilities that are configured for it; without any it has those of the extension.
 */
export function servedModel(ref: string, configured: Model | undefined, lease: ExtensionLease | null): Model | null {
  const served = lease?.providerFor(ref) ?? null;
  if (lease === null || served === null) return null;
  const own = lease.models.find((model) => model.ref === served);
  return streamed(ref, configured?.descriptor ?? { ...own, ref }, lease, served);
}

function streamed(ref: string, descriptor: ProviderDescriptor, lease: ExtensionLease, streamedAs: string): Model {
  return {
    ref,
    descriptor,
    stream(request, { effort = descriptor.defaultEffort, signal }) {
      const messages = withoutNative(request.messages);
      return lease.stream(
        streamedAs,
        { ...request, messages: descriptor.vision === true ? messages : messages.map(withoutImages) },
        { ...(effort === undefined ? {} : { effort }), ...(signal === undefined ? {} : { signal }) },
      );
    },
  };
}

/** What a model without vision reads is the same for built-in models and those of extensions. */
function withoutImages(message: StoredMessage): Message {
  const { images, content = "", ...rest } = message;
  return images === undefined ? message : { ...rest, content: content + imageNote(images) };
}

function whyNoPlugin(ref: string, lease: ExtensionLease | null): string {
  const parsed = parsePluginRef(ref);
  if (parsed === null) return "a model of an extension is named plugin/<plugin>/<provider>/<model>.";
  const refs = (lease?.models ?? []).map((model) => model.ref);
  const own = refs.filter((candidate) => candidate.startsWith(`plugin/${parsed.plugin}/`));
  const guess = didYouMean(ref, refs);
  if (own.length > 0) return `plugin ${parsed.plugin} offers ${shortList(own)}.${guess}`;
  return `no running plugin ${parsed.plugin} offers it.${guess} \`reasonix plugin list\` shows what is installed, \`reasonix doctor\` why one does not run.`;
}

/** At most five names, and how many more there are. */
export function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
