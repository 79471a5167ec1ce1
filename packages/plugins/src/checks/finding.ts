/** One thing that doctor found, in a form that programs can rely on. */

/** Stable names. What a check of the command finds keeps the name that the start of a process gives it. */
export type FindingCode =
  | "list_broken"
  | "list_entry_unreadable"
  | "leftovers"
  | "disabled"
  | "link_source_missing"
  | "copy_missing"
  | "copy_changed"
  | "copy_unknown"
  | "manifest_missing"
  | "manifest_invalid"
  | "partly_usable"
  | "foreign_path"
  | "command_refused"
  | "command_missing"
  | "command_is_directory"
  | "not_executable"
  | "empty_file"
  | "no_shebang"
  | "crlf_shebang"
  | "missing_interpreter"
  | "missing_loader"
  | "wrong_cpu"
  | "wrong_system"
  | "relies_on_path"
  | "timeout_clamped"
  | "guard_not_required"
  | "capability_implied"
  | "slot_collision"
  | "slot_target_unknown"
  | "dependency_unsatisfied"
  | "dependency_cycle"
  | "duplicate_provider"
  | "contribution_unusable"
  | "contribution_doubtful"
  | "hook_reach"
  | "hook_command_missing"
  | "server_command_missing"
  | "name_clash"
  | "variables_readable"
  | "variables_unreadable"
  | "handshake_failed"
  | "handshake_passed";

export interface Finding {
  readonly code: FindingCode;
  /** Errors stop something from working; warnings may; notes are worth knowing. */
  readonly severity: "error" | "warning" | "note";
  /** Null for what concerns no single plugin. */
  readonly plugin: string | null;
  /** The file or entry it is about; null where there is none. */
  readonly path: string | null;
  readonly cause: string;
  /** What to do, a command where one helps; empty for a note that asks for nothing. */
  readonly next: string;
}
