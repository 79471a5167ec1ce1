/** `REASONIX_TRACE=<file>`: every frame between host and sidecars, redacted, one JSON line each. */
import { openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { CommandError, type World } from "./world.ts";

/** Opens the file for appending, 0600; null where no trace is asked for. Each line is in the file before the next is made. */
export function openTrace({ env, cwd }: Pick<World, "env" | "cwd">): ((line: string) => void) | null {
  const asked = env["REASONIX_TRACE"];
  if (asked === undefined || asked === "") return null;
  const file = resolve(cwd, asked);
  const handle = opened(file);
  return (line) => {
    writeSync(handle, `${line}\n`);
  };
}

function opened(file: string): number {
  try {
    return openSync(file, "a", 0o600);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`REASONIX_TRACE names ${file}, which cannot be written: ${why}. Name another file.`, 1, {
      cause: error,
    });
  }
}
