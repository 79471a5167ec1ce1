/** Time as a value that tests can replace. */

export interface Clock {
  /** Milliseconds on a scale that never goes back. */
  now(): number;
  /** Runs `run` once after `millis`; the function that comes back cancels it and may be called at any time. */
  after(millis: number, run: () => void): () => void;
}

/** Longer waits make `setTimeout` fire at once. */
const longestTimer = 2_147_483_647;

export const systemClock: Clock = {
  now: () => performance.now(),
  after: (millis, run) => {
    const timer = setTimeout(run, millis > longestTimer ? longestTimer : millis);
    return () => {
      clearTimeout(timer);
    };
  },
};
