/** The error of a process that the operating system refused to start. */

/** Says what the system said; `diagnoseStart` finds out why. */
export class StartError extends Error {
  override readonly name = "StartError";
  /** The system's name for the fault: ENOENT, EACCES, ENOEXEC, E2BIG, EMFILE. */
  readonly errno: string;
  readonly command: string;

  constructor(command: string, cause: unknown) {
    const errno = errnoOf(cause);
    super(`${JSON.stringify(command)} did not start: the system answered ${errno}.`, { cause });
    this.errno = errno;
    this.command = command;
  }
}

/** The system's error code of a thrown value, or UNKNOWN. */
function errnoOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN";
}
