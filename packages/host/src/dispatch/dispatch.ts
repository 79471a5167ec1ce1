/** What running a point needs of its generation. */
import type { HostClock } from "../clock.ts";
import type { Seat } from "../generation/seat.ts";
import type { HostPorts } from "../ports.ts";
import type { PrefixWatch } from "../prefix.ts";
import type { Stats } from "../stats.ts";
import type { Plan } from "./plan.ts";
import type { Standing } from "./standing.ts";

export interface Dispatch {
  readonly generation: number;
  readonly plan: Plan<Seat>;
  readonly standing: Standing;
  readonly ports: HostPorts;
  readonly clock: HostClock;
  readonly prefix: PrefixWatch;
  /** Null when nothing is counted. */
  readonly stats: Stats | null;
  readonly redact: (text: string) => string;
}
