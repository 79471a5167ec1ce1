/** Any request that a host answers, typed by the table of methods: the browser's tabs, and what has no helper of its own. */
import type { MethodName, MethodParams, MethodResult, METHODS } from "@reasonix-ts/protocol";

/** Requests that go from an extension to its host, such as `host/browser/tab/list`. */
export type HostMethod = {
  [M in MethodName]: (typeof METHODS)[M] extends { readonly direction: "extension_to_host"; readonly result: object }
    ? M
    : never;
}[MethodName];

export interface HostCallOptions {
  /** 60,000 by default. */
  readonly timeoutMillis?: number;
  readonly signal?: AbortSignal;
}

/**
 * Rejects with an RpcError when the host refuses; its `data.reason` says why, for example `browser_unavailable`.
 * Before the connection is open a call waits for it.
 */
export type HostCall = <M extends HostMethod>(
  method: M,
  params: MethodParams<M>,
  options?: HostCallOptions,
) => Promise<MethodResult<M>>;
