/** An author's mistake as an error which a sidecar tells in one line: a stack through this package helps nobody. */
import { isStdoutGuarded } from "./stdout-guard.ts";

/** To be thrown. Uncaught in a sidecar it ends the process with exit code 1 and `[name] message` on stderr. */
export function mistake(name: string, message: string): TypeError {
  const error = new TypeError(message);
  // Elsewhere, as in a unit test, errors stay what they are.
  if (!isStdoutGuarded()) return error;
  process.once("uncaughtException", (thrown) => {
    const text = thrown === error ? `[${name}] ${message}` : (thrown.stack ?? String(thrown));
    process.stderr.write(`${text}\n`, () => process.exit(1));
  });
  return error;
}
