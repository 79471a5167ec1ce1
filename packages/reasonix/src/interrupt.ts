/** Ctrl-C: the first stops the turn cleanly, the second ends the process. */
import { EXIT } from "./world.ts";

export interface Interrupt {
  readonly signal: AbortSignal;
  /** Gives the signals back to Node. */
  end(): void;
}

export function onInterrupt(): Interrupt {
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(EXIT.interrupted);
    stop.abort(new Error("interrupted"));
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: stop.signal,
    end() {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}
