/** THE table of methods: who calls whom, request or notification, params, result, and whether it may come early. */
import {
  BrowserTabActParams,
  BrowserTabActResult,
  BrowserTabListParams,
  BrowserTabListResult,
  BrowserTabOpenParams,
  BrowserTabOpenResult,
  BrowserTabSnapshotParams,
  BrowserTabSnapshotResult,
  BrowserTabWaitParams,
  BrowserTabWaitResult,
} from "./browser.ts";
import { ContentReadParams, ContentReadResult } from "./content.ts";
import {
  InitializedParams,
  InitializeParams,
  InitializeResult,
  ResourcesChangedParams,
  ShutdownParams,
  ShutdownResult,
} from "./handshake.ts";
import { EventParams, InterceptParams, InterceptResult } from "./intercept.ts";
import {
  ProviderCatalogParams,
  ProviderCatalogResult,
  StreamCancelParams,
  StreamCancelResult,
  StreamChunkParams,
  StreamEndParams,
  StreamOpenParams,
  StreamOpenResult,
} from "./provider.ts";
import type { Infer, Schema } from "./schema.ts";
import { ToolCallParams, ToolCallResult } from "./tools.ts";
import {
  UIActionParams,
  UIActionResult,
  UIPublishParams,
  UIPublishResult,
  UIRequestParams,
  UIRequestResult,
  UISubmitParams,
  UISubmitResult,
} from "./ui.ts";

export type Direction = "host_to_extension" | "extension_to_host";

export interface MethodRow {
  readonly direction: Direction;
  readonly params: Schema<object>;
  /** Null for a notification. */
  readonly result: Schema<object> | null;
  /** Whether it may travel before `extension/initialized` has opened the barrier. */
  readonly beforeBarrier: boolean;
  /** An addition of newer hosts: a peer may lack it. */
  readonly addition: boolean;
}

const toExtension = { direction: "host_to_extension", beforeBarrier: false, addition: false } as const;
const toHost = { direction: "extension_to_host", beforeBarrier: false, addition: false } as const;

export const METHODS = {
  "extension/initialize": {
    ...toExtension,
    params: InitializeParams,
    result: InitializeResult,
    beforeBarrier: true,
  },
  "extension/initialized": { ...toExtension, params: InitializedParams, result: null, beforeBarrier: true },
  "extension/intercept": { ...toExtension, params: InterceptParams, result: InterceptResult },
  "extension/event": { ...toExtension, params: EventParams, result: null },
  "extension/resources/changed": { ...toExtension, params: ResourcesChangedParams, result: null },
  "extension/provider/catalog": { ...toExtension, params: ProviderCatalogParams, result: ProviderCatalogResult },
  "extension/provider/stream/open": { ...toExtension, params: StreamOpenParams, result: StreamOpenResult },
  "extension/provider/stream/cancel": { ...toExtension, params: StreamCancelParams, result: StreamCancelResult },
  "extension/ui/action": { ...toExtension, params: UIActionParams, result: UIActionResult },
  "extension/ui/submit": { ...toExtension, params: UISubmitParams, result: UISubmitResult },
  "extension/tool/call": { ...toExtension, params: ToolCallParams, result: ToolCallResult, addition: true },
  "extension/shutdown": { ...toExtension, params: ShutdownParams, result: ShutdownResult, beforeBarrier: true },
  "extension/provider/stream/chunk": { ...toHost, params: StreamChunkParams, result: null },
  "extension/provider/stream/end": { ...toHost, params: StreamEndParams, result: null },
  "host/content/read": { ...toHost, params: ContentReadParams, result: ContentReadResult },
  "host/ui/publish": { ...toHost, params: UIPublishParams, result: UIPublishResult },
  "host/ui/request": { ...toHost, params: UIRequestParams, result: UIRequestResult },
  "host/browser/tab/list": { ...toHost, params: BrowserTabListParams, result: BrowserTabListResult },
  "host/browser/tab/open": { ...toHost, params: BrowserTabOpenParams, result: BrowserTabOpenResult },
  "host/browser/tab/snapshot": { ...toHost, params: BrowserTabSnapshotParams, result: BrowserTabSnapshotResult },
  "host/browser/tab/wait": { ...toHost, params: BrowserTabWaitParams, result: BrowserTabWaitResult },
  "host/browser/tab/act": { ...toHost, params: BrowserTabActParams, result: BrowserTabActResult },
} as const satisfies { readonly [method: string]: MethodRow };

export type MethodName = keyof typeof METHODS;
export type MethodParams<M extends MethodName> = Infer<(typeof METHODS)[M]["params"]>;
export type MethodResult<M extends MethodName> = (typeof METHODS)[M]["result"] extends null
  ? void
  : Infer<(typeof METHODS)[M]["result"]>;

export const METHOD_NAMES: readonly MethodName[] = Object.keys(METHODS).filter(isMethodName);

export function isMethodName(value: unknown): value is MethodName {
  return typeof value === "string" && Object.hasOwn(METHODS, value);
}
