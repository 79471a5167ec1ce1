/** Keeps stdout for the protocol: whatever else writes there goes to stderr, where it cannot break a frame. */
import { Writable } from "node:stream";

/** Where the real stream is kept; a registered symbol, for a process may hold two copies of this module. */
const REAL_STDOUT = Symbol.for("@reasonix-ts/sdk real stdout");

/** Whether this process is a sidecar, as far as anybody has said so. */
export function isStdoutGuarded(): boolean {
  return Reflect.get(process, REAL_STDOUT) instanceof Writable;
}

/**
 * Turns `process.stdout` and the console to stderr and gives back the real stdout; asked again, the same one.
 * Out of reach are code that took hold of `process.stdout` earlier, `fs.writeSync(1, …)`, and child processes that
 * inherit the descriptor: start those with stdout piped.
 */
export function guardStdout(): Writable {
  const kept: unknown = Reflect.get(process, REAL_STDOUT);
  if (kept instanceof Writable) return kept;
  const real = process.stdout;
  Object.defineProperty(process, REAL_STDOUT, { value: real });
  Object.defineProperty(process, "stdout", { configurable: true, enumerable: true, get: () => process.stderr });
  // The console may have taken hold of stdout by now. Its other methods end in these.
  const toStderr = (...items: unknown[]): void => console.error(...items);
  console.log = toStderr;
  console.info = toStderr;
  console.debug = toStderr;
  console.dir = (item: unknown) => console.error(item);
  return real;
}
