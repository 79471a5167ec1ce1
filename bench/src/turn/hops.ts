/** What the chain's sidecars noted in one turn, as the time that the host took between two of them. Pure. */

/** One sidecar's log, in nanoseconds of a clock that all processes of a machine share and that started at its boot. */
export interface SidecarLog {
  readonly events: number;
  readonly hops: readonly { readonly event: string; readonly received: number; readonly replied: number }[];
}

export interface TurnHops {
  /** Microseconds from a sidecar's reply to the next one's receipt of the same call, call by call. */
  readonly micros: readonly number[];
  readonly intercepts: number;
  readonly events: number;
}

/**
 * Logs in the order of the chain. Throws unless every sidecar was asked exactly `calls` times, in order:
 * a sidecar that did not start would leave a fast and empty turn.
 */
export function hopsOf(logs: readonly SidecarLog[], calls: number): TurnHops {
  const micros: number[] = [];
  for (const [place, { hops }] of logs.entries()) {
    if (hops.length !== calls) throw new Error(`sidecar ${place + 1} was asked ${hops.length} times, not ${calls}`);
    const before = logs[place - 1]?.hops;
    if (before === undefined) continue;
    for (const [call, { received }] of hops.entries()) {
      const nanos = received - (before[call]?.replied ?? received);
      if (nanos <= 0) throw new Error(`sidecar ${place + 1} was asked before the one in front of it had answered`);
      micros.push(nanos / 1_000);
    }
  }
  return {
    micros,
    intercepts: logs.length * calls,
    events: logs.reduce((sum, { events }) => sum + events, 0),
  };
}
