/**
 * Ctrl-C: the first stops the turn cleanly, the second leaves at once, the third does not even wait for that. SIGTERM
 * comes from a program, which asks once: what does not stop cleanly in time is left.
 */
import { leaveNow } from "./leave.ts";
import { EXIT } from "./world.ts";

export interface Interrupt {
  readonly signal: AbortSignal;
  /** Gives the signals back to Node. */
  end(): void;
}

/** A tool that is interrupted has ten seconds; what takes longer hangs. */
const CLEAN_STOP_MILLIS = 15_000;

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
  let overdue: NodeJS.Timeout | undefined;
  const onTerminate = (): void => {
    onSignal();
    overdue ??= setTimeout(onSignal, CLEAN_STOP_MILLIS);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onTerminate);
  return {
    signal: stop.signal,
    end() {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onTerminate);
      clearTimeout(overdue);
    },
  };
}
