/** What a sidecar may ask of the host: content pages, browser tabs; surfaces and streams have files of their own. */
import {
  ContentReadParams,
  decode,
  METHOD_NAMES,
  METHODS,
  problemsText,
  wireError,
  type ContentReadResult,
  type Reason,
  type Schema,
} from "@reasonix-ts/protocol";
import {
  writtenJson,
  RpcError,
  type ErrorObject,
  type InboundCall,
  type Problem,
  type RawJson,
} from "@reasonix-ts/rpc";
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
    return pageText(page);
  });
};

/** Base64 holds nothing that JSON escapes: a quarter of a megabyte need not be searched for it. */
function pageText({ dataBase64, ...rest }: ContentReadResult): RawJson {
  return writtenJson(`${JSON.stringify(rest).slice(0, -1)},"dataBase64":"${dataBase64}"}`);
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
