/** What a turn holds of one generation, from its first point to its last. */
import type { Payloads, PointName } from "@reasonix-ts/protocol";
import { rule } from "../dispatch/rule.ts";
import type { Ruling, Scope } from "../dispatch/ruling.ts";
import type { Offers } from "../offers.ts";
import type { Generation } from "./snapshot.ts";

export interface Lease extends Offers {
  readonly generation: number;
  /** Whether anybody intercepts, owns or observes a point. */
  wants(point: PointName): boolean;
  /** Runs a point: chain, owner, then the event to every subscriber. Never rejects but with the caller's abort. */
  rule<P extends PointName>(point: P, payload: Payloads[P], scope: Scope): Promise<Ruling<P>>;
  /** Unpins the generation; an old one stops its sidecars with its last lease. Harmless when called twice. */
  release(): void;
}

export function leaseOn(generation: Generation): Lease {
  const { number, dispatch, offers } = generation.snapshot;
  const { wanted } = dispatch.plan;
  return {
    generation: number,
    wants: (point) => wanted.has(point),
    rule: (point, payload, scope) => rule(dispatch, point, payload, scope),
    tools: offers.tools,
    callTool: offers.callTool,
    models: offers.models,
    stream: offers.stream,
    providerFor: offers.providerFor,
    release: generation.pin(),
  };
}
