/** Time as the host uses it: spans on a scale that never goes back, and the wall's time for records. */
import { systemClock, type Clock } from "@reasonix-ts/rpc";

export interface HostClock extends Clock {
  /** Milliseconds since the epoch. */
  wall(): number;
}

export const systemHostClock: HostClock = { ...systemClock, wall: () => Date.now() };
