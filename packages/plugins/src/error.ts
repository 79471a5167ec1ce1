/** The one error of this package: a reason to act on, and a sentence for people. */

export type PluginErrorReason =
  /** The request itself makes no sense; the command line ends with 2. */
  | "usage"
  | "not_installed"
  | "state_unusable"
  | "source_unreachable"
  | "source_invalid"
  | "package_invalid"
  | "too_large"
  | "write_failed";

/** `message` names the plugin, file or source, what was found, and what to do; it holds no credentials. */
export class PluginError extends Error {
  override readonly name = "PluginError";
  readonly reason: PluginErrorReason;

  constructor(reason: PluginErrorReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
