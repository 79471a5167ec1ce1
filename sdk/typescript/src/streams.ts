/** Serves the provider methods: catalogue, open, cancel. */
import {
  integer,
  nonEmpty,
  object,
  optional,
  ProviderRequest,
  StreamCancelParams,
  string,
} from "@reasonix-ts/protocol";
import type { Catalogue } from "./catalogue.ts";
import { failure } from "./failure.ts";
import type { Link } from "./link.ts";
import { Outflow } from "./outflow.ts";
import { StreamRun } from "./stream-run.ts";
import { readParams } from "./wire.ts";

const OPEN = "extension/provider/stream/open";
const CANCEL = "extension/provider/stream/cancel";

const OpenFrame = object({
  streamId: nonEmpty,
  providerRef: nonEmpty,
  model: optional(string),
  effort: optional(string),
  seqBase: integer({ min: 0 }),
  request: ProviderRequest,
});

export function serveStreams(link: Link, catalogue: Catalogue): void {
  const running = new Map<string, StreamRun>();
  const outflow = new Outflow(link.peer);

  link.peer.onRequest("extension/provider/catalog", () => ({ providers: catalogue.descriptors }));

  link.peer.onRequest(OPEN, async (raw) => {
    const params = readParams(OPEN, OpenFrame, raw);
    const { streamId, providerRef } = params;
    const provider = catalogue.find(providerRef);
    if (provider === undefined) {
      const offered = catalogue.refs.join(", ");
      throw failure("provider_failed", `no model ${providerRef} here; this extension offers ${offered || "none"}`);
    }
    if (running.has(streamId)) throw failure("invalid_params", `a stream ${streamId} is open already`);
    await link.starting;
    const stream = new StreamRun(link, outflow, params, () => running.delete(streamId));
    running.set(streamId, stream);
    // The answer goes out before the first chunk.
    setImmediate(() => void stream.produce(provider, params));
    return { accepted: true };
  });

  link.peer.onRequest(CANCEL, (raw) => {
    const { streamId } = readParams(CANCEL, StreamCancelParams, raw);
    const stream = running.get(streamId);
    // A stream that has ended meanwhile is answered too: there was nothing left to cancel.
    if (stream === undefined) return { cancelled: false };
    stream.cancel();
    return { cancelled: true };
  });
}
