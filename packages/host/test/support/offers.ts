/** Specs of the raw sidecar that offers models, tools and surfaces, and what tests read from a stream. */
import { fileURLToPath } from "node:url";
import type { Chunk, ProviderRequest } from "@reasonix-ts/protocol";
import type { Host, Lease, SidecarSpec } from "../../src/index.ts";
import type { Script, Stage } from "./stage.ts";

const FIXTURE = fileURLToPath(new URL("../fixtures/offers.mjs", import.meta.url));

export const hello: ProviderRequest = { messages: [{ role: "user", content: "hello" }], tools: [], maxTokens: 0 };

export function offering(stage: Stage, plugin: string, overrides: Partial<SidecarSpec>, script: Script): SidecarSpec {
  return stage.spec(plugin, { args: [FIXTURE], ...overrides }, script);
}

/** A plugin with one model, `plugin/<plugin>/acme/m1`, which plays these steps when it is asked. */
export function provider(
  stage: Stage,
  plugin: string,
  steps: readonly Script[],
  script: Script = {},
  overrides: Partial<SidecarSpec> = {},
): SidecarSpec {
  const ref = refOf(plugin);
  const init = { providers: [{ ref, model: "m1" }] };
  return offering(
    stage,
    plugin,
    { capabilities: ["providers"], ...overrides },
    { init, streams: { [ref]: steps }, ...script },
  );
}

export function refOf(plugin: string): string {
  return `plugin/${plugin}/acme/m1`;
}

/** What a stream gave and how it ended. */
export interface Heard {
  readonly chunks: readonly Chunk[];
  readonly error: unknown;
}

export async function listen(
  source: Host | Lease,
  ref: string,
  options: { readonly effort?: string; readonly signal?: AbortSignal } = {},
): Promise<Heard> {
  const lease = "lease" in source ? source.lease() : source;
  const chunks: Chunk[] = [];
  try {
    for await (const batch of lease.stream(ref, hello, options)) chunks.push(...batch);
    return { chunks, error: null };
  } catch (error) {
    return { chunks, error };
  } finally {
    if ("lease" in source) lease.release();
  }
}

export function textOf({ chunks }: Heard): string {
  return chunks.map((chunk) => (chunk.type === "text" ? (chunk.text ?? "") : "")).join("");
}

export const text = (seq: number, content: string) => ({ chunk: { seq, type: "text", text: content } });
export const done = (seq: number) => ({ chunk: { seq, type: "done" } });
export const end = (lastSeq: number, more: object = {}) => ({ end: { lastSeq, ...more } });
