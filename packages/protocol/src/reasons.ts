/** THE table of error reasons: frozen, each with its JSON-RPC code, whether a sidecar may retry, and what to do. */

export interface ReasonRow {
  readonly code: -32000 | -32600 | -32601 | -32602 | -32603;
  readonly retryable: boolean;
  /** One sentence on what to do, sent as `data.action`. */
  readonly action: string;
}

export const REASONS = {
  activation_failed: domain("Read the cause, mend the component that failed to start, then reload."),
  browser_cancelled: domain("The call ended because its session or process did; ask again if it still matters."),
  browser_origin_mismatch: domain("Take a new snapshot and act only on the origin that you expect."),
  browser_permission_denied: domain("Ask the person to allow this action, or do it without the browser."),
  browser_stale_ref: domain("Take a new snapshot: the page has changed since the reference was made."),
  browser_tab_busy: retryable("Wait for the running call on this tab to end, then ask again."),
  browser_tab_not_found: domain("List the tabs and use the id of one that is open."),
  browser_timeout: retryable("Wait longer, or for another state of the page."),
  browser_unavailable: retryable("This host offers no browser now; go on without it or try later."),
  capability_not_declared: domain("Add the named item to the plugin's manifest, reinstall it, then reload."),
  cleanup_failed: retryable("Read the cause and end what was left over, then reload."),
  content_ref_expired: retryable("Read a reference while its call runs; ask for the operation again if needed."),
  dependency_cycle: domain("Remove one of the `requires` entries that form the cycle."),
  dependency_unsatisfied: domain("Install a plugin that provides what is required, in a version that fits."),
  frame_too_large: domain("Send less in one frame: page large content through a content reference."),
  intercept_timeout: retryable("Answer faster, or set a longer `runtime.timeoutMillis` in the manifest."),
  internal: standard(-32603, true, "This is a defect of the side that answered; report it with the text."),
  invalid_params: standard(-32602, false, "Send params of the shape that the contract's schema gives for this method."),
  protocol_error: standard(-32600, false, "Write one JSON-RPC 2.0 object a line to stdout, and logs to stderr."),
  provider_failed: retryable("Read the provider's message; the request itself was refused or failed."),
  provider_interrupted: retryable("The stream broke off before its end; ask the model again."),
  schema_mismatch: domain("Use the schema hash that the provider of this capability publishes."),
  shutdown_timeout: retryable("Answer extension/shutdown within its timeout and exit when stdin ends."),
  stale_generation: domain("Drop this message: its generation was replaced by a reload."),
  stream_cancelled: domain("Stop producing chunks for this stream."),
  stream_gap: retryable("Number chunks from 1 without holes, and send each one."),
  unknown_method: standard(-32601, false, "Use a method of the contract's index; this host knows no other."),
  unsupported_version: domain('Answer with protocolVersion "2", or use a host of the other version.'),
} as const satisfies { readonly [reason: string]: ReasonRow };

export type Reason = keyof typeof REASONS;

export const REASON_NAMES: readonly Reason[] = Object.keys(REASONS).filter(isReason);

export function isReason(value: unknown): value is Reason {
  return typeof value === "string" && Object.hasOwn(REASONS, value);
}

function domain(action: string): ReasonRow {
  return { code: -32000, retryable: false, action };
}

function retryable(action: string): ReasonRow {
  return { code: -32000, retryable: true, action };
}

function standard(code: -32600 | -32601 | -32602 | -32603, mayRetry: boolean, action: string): ReasonRow {
  return { code, retryable: mayRetry, action };
}
