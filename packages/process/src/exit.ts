/** How a process ended. */

export interface Exit {
  /** Exit code, or null when a signal ended the process. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** From the start of the process to its end. */
  readonly elapsedMillis: number;
}

/** `exit code 3`, `signal SIGKILL`. */
export function describeExit(exit: Pick<Exit, "code" | "signal">): string {
  return exit.signal === null ? `exit code ${exit.code ?? "unknown"}` : `signal ${exit.signal}`;
}
