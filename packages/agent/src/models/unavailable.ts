/** A model that cannot be asked: resolving it is fine, and the turn that uses it fails and names it. */
import type { Model } from "../ports.ts";
import { ModelFailure } from "./failure.ts";

/** `why` is a whole sentence or more, for people. */
export function unavailableModel(ref: string, why: string): Model {
  return {
    ref,
    descriptor: { ref },
    stream: () => failing(ref, why),
  };
}

// oxlint-disable-next-line require-yield -- it ends before the first chunk
async function* failing(ref: string, why: string): AsyncGenerator<never> {
  throw new ModelFailure(`The model ${JSON.stringify(ref)} is not available: ${why}`, {
    kind: "unavailable",
    providerRef: ref,
  });
}
