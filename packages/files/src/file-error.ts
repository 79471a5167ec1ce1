/** The one error of this package: a reason to act on, the file it is about, and a sentence for people. */

export type FileErrorReason =
  | "write_failed"
  | "read_failed"
  | "lock_timeout"
  | "lock_lost"
  | "closed"
  | "empty"
  | "utf16"
  | "two_byte_order_marks"
  | "not_utf8"
  | "not_json"
  | "link_leaves_tree"
  | "unsupported_entry"
  | "too_large"
  | "already_exists";

/** `message` names the file, what was found and what to do. */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly reason: FileErrorReason;
  readonly file: string;

  constructor(reason: FileErrorReason, file: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.file = file;
  }
}

/** The system's error code of a thrown value, or undefined when it has none. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** The sentence part that says what the system answered: `the disk is full (ENOSPC)`. */
export function explainErrno(error: unknown): string {
  const errno = errnoOf(error);
  if (errno === undefined) return error instanceof Error ? error.message : String(error);
  return `${ERRNO_WORDS[errno] ?? "the system refused it"} (${errno})`;
}

const ERRNO_WORDS: Readonly<Record<string, string>> = {
  EACCES: "permission is missing",
  EPERM: "the system does not permit it",
  ENOENT: "it does not exist",
  ENOTDIR: "a part of its path is no directory",
  EISDIR: "it is a directory",
  EEXIST: "it exists already",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "it would exceed the largest file size allowed",
  EROFS: "the file system is read-only",
  EMFILE: "too many files are open",
  ELOOP: "its links go round in a circle",
  EBUSY: "another program holds it",
  EXDEV: "it is on another file system",
};
