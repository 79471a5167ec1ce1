/** Turns what the disk refused into this package's error, so that callers have one kind to expect. */
import { FileError, type FileErrorReason } from "@reasonix-ts/files";
import { PluginError, type PluginErrorReason } from "../error.ts";

/** Runs `work`; a FileError becomes a PluginError with the same sentence, and everything else passes. */
export async function translated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileError) throw new PluginError(REASONS[error.reason], error.message, error);
    throw error;
  }
}

const REASONS: { readonly [reason in FileErrorReason]: PluginErrorReason } = {
  write_failed: "write_failed",
  read_failed: "state_unusable",
  lock_timeout: "state_unusable",
  lock_lost: "state_unusable",
  closed: "write_failed",
  empty: "state_unusable",
  utf16: "state_unusable",
  two_byte_order_marks: "state_unusable",
  not_utf8: "state_unusable",
  not_json: "state_unusable",
  link_leaves_tree: "package_invalid",
  unsupported_entry: "package_invalid",
  too_large: "too_large",
  already_exists: "write_failed",
};
