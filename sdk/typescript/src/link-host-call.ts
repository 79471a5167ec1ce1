/** Typed requests to the host over a connection. */
import { METHODS, type MethodParams, type MethodResult, type Schema } from "@reasonix-ts/protocol";
import type { HostCall, HostCallOptions, HostMethod } from "./host-call.ts";
import type { Link } from "./link.ts";
import { readResult } from "./wire.ts";

const DEFAULT_TIMEOUT = 60_000;

export function createHostCall(link: Link): HostCall {
  return async <M extends HostMethod>(method: M, params: MethodParams<M>, options: HostCallOptions = {}) => {
    const result = await link.request(method, params, { timeoutMillis: DEFAULT_TIMEOUT, ...options });
    // The compiler cannot follow a result through its method's name; the method's own schema checks it.
    const schema: Schema<unknown> = METHODS[method].result;
    return readResult(method, schema, result) as MethodResult<M>;
  };
}
