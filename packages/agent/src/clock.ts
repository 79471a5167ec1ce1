/** The real clock behind the `Clock` port. */
import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "./ports.ts";

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (millis, { signal }) => wait(millis, undefined, signal === undefined ? {} : { signal }),
};
