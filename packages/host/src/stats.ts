/** Counts what each plugin's calls cost and how they went wrong, point by point; kept a generation long. */
import type { PointName } from "@reasonix-ts/protocol";
import type { Fault } from "./dispatch/fault.ts";

export type FaultKind = Fault["kind"];

export interface PointStats {
  readonly point: PointName;
  readonly calls: number;
  /** Milliseconds from the call to its answer, over the last 512 calls; 0 without a call. */
  readonly p50: number;
  readonly p95: number;
  /** Over all calls. */
  readonly max: number;
  readonly timeouts: number;
  /** How many calls went wrong, by how; timeouts too. */
  readonly faults: { readonly [K in FaultKind]?: number };
  /** Events of this point that the sidecar was too slow for. */
  readonly dropped: number;
}

export interface LastFailure {
  /** ISO 8601. */
  readonly time: string;
  readonly point: PointName;
  /** Redacted. */
  readonly text: string;
}

/** Calls whose time is remembered. */
const REMEMBERED = 512;

export class Stats {
  readonly #rows = new Map<string, Map<PointName, Row>>();
  readonly #failures = new Map<string, LastFailure>();

  /** One call that was answered, well or not. */
  called(plugin: string, point: PointName, millis: number, fault: FaultKind | null): void {
    const row = this.#row(plugin, point);
    row.times[row.calls % REMEMBERED] = millis;
    row.calls += 1;
    if (millis > row.max) row.max = millis;
    if (fault !== null) row.faults[fault] = (row.faults[fault] ?? 0) + 1;
  }

  dropped(plugin: string, point: PointName): void {
    this.#row(plugin, point).dropped += 1;
  }

  failed(plugin: string, failure: LastFailure): void {
    this.#failures.set(plugin, failure);
  }

  /** The points at which the plugin was called or missed an event, in the order of their first time. */
  of(plugin: string): readonly PointStats[] {
    return [...(this.#rows.get(plugin) ?? [])].map(([point, { times, calls, max, faults, dropped }]) => {
      const known = times.slice(0, Math.min(calls, REMEMBERED)).toSorted();
      const timeouts = faults.timeout ?? 0;
      const [p50, p95] = [quantile(known, 0.5), quantile(known, 0.95)];
      return { point, calls, p50, p95, max, timeouts, faults: { ...faults }, dropped };
    });
  }

  lastFailure(plugin: string): LastFailure | null {
    return this.#failures.get(plugin) ?? null;
  }

  #row(plugin: string, point: PointName): Row {
    let points = this.#rows.get(plugin);
    if (points === undefined) this.#rows.set(plugin, (points = new Map()));
    let row = points.get(point);
    if (row === undefined) {
      row = { times: new Float64Array(REMEMBERED), calls: 0, max: 0, faults: {}, dropped: 0 };
      points.set(point, row);
    }
    return row;
  }
}

interface Row {
  /** A ring; numbers in a typed array sort as numbers. */
  readonly times: Float64Array;
  calls: number;
  max: number;
  readonly faults: { [K in FaultKind]?: number };
  dropped: number;
}

/** The smallest of sorted values that so many of them do not exceed. */
function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
