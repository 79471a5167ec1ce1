/** Ctrl-C: the first stops the turn cleanly, the second leaves at once, the third does not even wait for that. */
import { leaveNow } from "./leave.ts";
import { EXIT } from "./world.ts";

export interface Interrupt {
  readonly signal: AbortSignal;
  /** Gives the signals back to Node. */
  end(): void;
}

export function onInterrupt(): Interrupt {
  const stop = new AbortController();
  let leaving = false;
  const onSignal = (): void => {
    if (leaving) process.exit(EXIT.interrupted);
    if (stop.signal.aborted) {
      leaving = true;
      void leaveNow();
      return;
    }
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
