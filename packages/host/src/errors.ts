/** What can go wrong with an extension, as facts; recognised by reason, worded where it happens. */
import type { Reason } from "@reasonix-ts/protocol";

/** A failure with its reason of the contract's table and the plugin it is about. */
export class HostError extends Error {
  override readonly name = "HostError";
  readonly reason: Reason;
  /** The plugin's name; empty when the failure is about no single plugin. */
  readonly plugin: string;

  constructor(reason: Reason, plugin: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    this.plugin = plugin;
  }
}

/** Any thrown value as a HostError: foreign ones become `internal`, with their message. */
export function asHostError(error: unknown, plugin: string): HostError {
  if (error instanceof HostError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new HostError("internal", plugin, message, { cause: error });
}
