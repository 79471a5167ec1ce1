/** The models that an extension offers: its catalogue is asked once a generation, and judged entry by entry. */
import {
  decode,
  DEADLINES,
  parsePluginRef,
  problemsText,
  problemText,
  ProviderCatalogEnvelope,
  ProviderDescriptor,
} from "@reasonix-ts/protocol";
import { CallAborted, CallTimeout, ConnectionClosed, RpcError } from "@reasonix-ts/rpc";
import { formatMillis, oneLine } from "@reasonix-ts/text";
import type { Sidecar } from "../sidecar.ts";

export interface CatalogueProblem {
  /** JSON pointer into the answer, `/providers/3/apiKey`; empty when the answer as a whole is meant. */
  readonly path: string;
  readonly text: string;
}

export interface Catalogue {
  readonly models: readonly ProviderDescriptor[];
  readonly problems: readonly CatalogueProblem[];
}

const ATTEMPTS = 2;

/**
 * Asks after `initialized`, when the handshake named models; at most 10 s, and once more when that fails. Without an
 * answer the models of the handshake stand. Never rejects.
 */
export async function askCatalogue(sidecar: Sidecar, { signal }: { readonly signal: AbortSignal }): Promise<Catalogue> {
  const { plugin } = sidecar.spec;
  const named = judgeCatalogue(plugin, { providers: [...sidecar.grant.providers] });
  if (sidecar.grant.providers.length === 0) return named;
  let why = "";
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      const timeoutMillis = DEADLINES.catalog;
      const answer = await sidecar.peer.request("extension/provider/catalog", {}, { timeoutMillis, signal });
      return judgeCatalogue(plugin, answer);
    } catch (error) {
      why = whyNot(error);
      if (error instanceof ConnectionClosed || error instanceof CallAborted) break;
    }
  }
  const text = `extension/provider/catalog was not answered: ${why}; the models of the handshake are used`;
  return { models: named.models, problems: [{ path: "", text }, ...named.problems] };
}

/** Keeps the good entries (pure). A field that is not in the contract, such as a credential, drops its entry. */
export function judgeCatalogue(plugin: string, answer: unknown): Catalogue {
  const envelope = decode(ProviderCatalogEnvelope, answer);
  if (!envelope.ok) {
    return { models: [], problems: [{ path: "", text: problemsText("ProviderCatalogResult", envelope.problems) }] };
  }
  const models: ProviderDescriptor[] = [];
  const problems: CatalogueProblem[] = [];
  const refs = new Set<string>();
  for (const [index, entry] of envelope.value.providers.entries()) {
    const path = `/providers/${index}`;
    const decoded = decode(ProviderDescriptor, entry);
    if (!decoded.ok) {
      for (const problem of decoded.problems) {
        const at = { ...problem, path: path + problem.path };
        problems.push({ path: at.path, text: problemText(at) });
      }
      continue;
    }
    const { ref } = decoded.value;
    const wrong = refs.has(ref) ? "came twice" : refProblem(plugin, ref);
    if (wrong === null) {
      refs.add(ref);
      models.push(decoded.value);
    } else problems.push({ path: `${path}/ref`, text: `${shown(ref)} at ${path}/ref ${wrong}` });
  }
  return { models, problems };
}

/** White space, control and format characters, lone surrogates: what cannot be typed or told apart in a list. */
const UNSEEN = /[\s\p{C}]/u;

function refProblem(plugin: string, ref: string): string | null {
  const parsed = parsePluginRef(ref);
  if (parsed === null || parsed.plugin !== plugin) return `is not of the form plugin/${plugin}/<provider>/<model>`;
  if (UNSEEN.test(parsed.rest)) return "holds white space or characters that cannot be seen";
  if (parsed.rest.split("/").some((segment) => segment === "." || segment === ".."))
    return 'holds a segment "." or ".."';
  return null;
}

function shown(ref: string): string {
  return JSON.stringify(ref.length > 80 ? `${ref.slice(0, 80)}…` : ref);
}

function whyNot(error: unknown): string {
  if (error instanceof RpcError) return `error ${error.code}, ${oneLine(error.message)}`;
  if (error instanceof CallTimeout) return `no answer within ${formatMillis(error.timeoutMillis)}, twice`;
  return error instanceof Error ? error.message : String(error);
}
