/** What a sidecar may ask of the host: content pages, surfaces, questions, browser tabs. Registered from one table. */
import {
  ContentReadParams,
  decode,
  METHOD_NAMES,
  METHODS,
  problemsText,
  UIPublishParams,
  UIRequestParams,
  wireError,
  type Reason,
  type Schema,
} from "@reasonix-ts/protocol";
import { RpcError, type ErrorObject, type InboundCall, type Problem } from "@reasonix-ts/rpc";
import type { HostSession } from "./handshake.ts";
import type { UiPort } from "./ports.ts";
import type { Sidecar } from "./sidecar.ts";

/** Puts its handlers on a sidecar's peer, before the first frame is read. */
export type InboundTable = (sidecar: Sidecar) => void;

/** Pages of the references that this very sidecar was given. */
export const contentReads: InboundTable = (sidecar) => {
  serve(sidecar, "host/content/read", ContentReadParams, ({ contentRef, offset }) => {
    const page = sidecar.content.read(contentRef, offset);
    if (page === null)
      throw refusal(
        "content_ref_expired",
        `there is no page at offset ${offset} of ${contentRef}: it is unknown here, expired, or shorter`,
      );
    return page;
  });
};

/** Surfaces and questions; the sidecar's intercepts have all their time left while a person thinks. */
export function surfaces(session: HostSession, ui: UiPort | null): InboundTable {
  return (sidecar) => {
    const from = { plugin: sidecar.spec.plugin, generation: sidecar.generation };
    const stale = (stamp: { readonly sessionId: string; readonly generation: number }): boolean =>
      stamp.sessionId !== session.sessionId || stamp.generation !== sidecar.generation;
    serve(sidecar, "host/ui/publish", UIPublishParams, (surface) => {
      wantsUi(sidecar);
      return stale(surface) || ui === null ? { accepted: false } : ui.publish(from, surface);
    });
    serve(sidecar, "host/ui/request", UIRequestParams, async (question, call) => {
      wantsUi(sidecar);
      if (stale(question) || ui === null) return { cancelled: true };
      const release = sidecar.interceptClock.hold();
      try {
        return await ui.request(from, question, { signal: call.signal });
      } finally {
        release();
      }
    });
  };
}

/** Hosts without a browser say so, once the params are known to be right. */
export const noBrowser: InboundTable = (sidecar) => {
  for (const method of METHOD_NAMES) {
    if (!method.startsWith("host/browser/")) continue;
    serve(sidecar, method, METHODS[method].params, () => {
      throw refusal("browser_unavailable", "this host has no browser");
    });
  }
};

/** A handler behind strict decoding: params of another shape are answered `invalid_params` with every problem. */
export function serve<T>(
  sidecar: Sidecar,
  method: string,
  schema: Schema<T>,
  handler: (params: T, call: InboundCall) => unknown,
): void {
  sidecar.peer.onRequest(method, (params, call) => {
    const decoded = decode(schema, params);
    if (!decoded.ok) throw refusal("invalid_params", problemsText(`${method} params`, decoded.problems));
    return handler(decoded.value, call);
  });
}

/** The error reply for a reason of the contract's table. */
export function refusal(reason: Reason, message: string): RpcError {
  return new RpcError(wireError(reason, message));
}

/** Words what the peer refuses by itself. */
export function describeProblem(problem: Problem): ErrorObject {
  switch (problem.kind) {
    case "unknown_method":
      return wireError("unknown_method", `this host knows no method "${problem.method.slice(0, 80)}"`);
    case "invalid_params":
      return wireError("invalid_params", `the params of ${problem.method} must be an object; ${problem.got} came`);
    case "handler_failed":
      return wireError("internal", `the host failed to answer ${problem.method}`);
    case "reply_too_large":
      return wireError(
        "frame_too_large",
        `the reply to ${problem.method} has ${problem.bytes} bytes, over the limit of ${problem.limit}`,
      );
  }
}

function wantsUi(sidecar: Sidecar): void {
  if (sidecar.grant.capabilities.has("ui")) return;
  throw refusal("capability_not_declared", 'surfaces need the capability "ui" in runtime.capabilities of the manifest');
}
