/** What the process gives a command: nothing below `main.ts` reads argv, the environment or the standard streams itself. */
import type { Readable, Writable } from "node:stream";

export interface Environment {
  readonly [name: string]: string | undefined;
}

/** A standard stream as commands see it; `isTTY` is true where a person looks at it. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };
export type Input = Readable & { readonly isTTY?: boolean };

export interface World {
  readonly env: Environment;
  readonly cwd: string;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** The version that `--version`, handshakes and reports tell. */
  readonly version: string;
}

/** Exit codes of the command: done, failed or blocked, wrong usage, interrupted by a signal. */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** A failure whose text is for people as it stands, with the exit code that it means. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed, options?: ErrorOptions) {
    super(message, options);
    this.name = "CommandError";
    this.exitCode = exitCode;
  }
}
