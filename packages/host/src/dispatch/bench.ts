/** Lets observers sit out that keep failing at a point, so that their budget is not paid at every call. */
import { BOUNDS, DEADLINES, type PointName } from "@reasonix-ts/protocol";
import type { Clock } from "@reasonix-ts/rpc";

/** Points where an extension that rules is waited for every time. */
const NEVER_BENCHED: ReadonlySet<PointName> = new Set<PointName>([
  "input.receive",
  "tool.before",
  "tool.after",
  "permission.decision",
]);

export interface BenchCandidate {
  readonly required: boolean;
  readonly ownsSlot: boolean;
  readonly hasRuled: boolean;
}

/** Whether failures in a row may bench this extension at this point (pure). */
export function mayBench({ required, ownsSlot, hasRuled }: BenchCandidate, point: PointName): boolean {
  if (required || ownsSlot) return false;
  return !(hasRuled && NEVER_BENCHED.has(point));
}

export interface BenchedSeat {
  readonly plugin: string;
  readonly point: PointName;
  readonly failures: number;
  /** Milliseconds until it is asked again. */
  readonly remainingMillis: number;
}

interface Row {
  readonly plugin: string;
  readonly point: PointName;
  failures: number;
  /** On the clock's scale. */
  until: number;
}

export class Bench {
  readonly #clock: Clock;
  readonly #rows = new Map<string, Row>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the extension sits out now. Costs nothing while nobody has failed. */
  has(plugin: string, point: PointName): boolean {
    if (this.#rows.size === 0) return false;
    const row = this.#rows.get(keyOf(plugin, point));
    return row !== undefined && row.until > this.#clock.now();
  }

  /** Notes one failure more; true when the extension now sits out. After that one failure sends it back. */
  failed(plugin: string, point: PointName, benchable: boolean): boolean {
    const key = keyOf(plugin, point);
    const row = this.#rows.get(key) ?? { plugin, point, failures: 0, until: 0 };
    this.#rows.set(key, row);
    row.failures += 1;
    if (!benchable || row.failures < BOUNDS.failuresBeforeBench) return false;
    row.until = this.#clock.now() + DEADLINES.bench;
    return true;
  }

  answered(plugin: string, point: PointName): void {
    if (this.#rows.size > 0) this.#rows.delete(keyOf(plugin, point));
  }

  /** Who sits out now. */
  list(): readonly BenchedSeat[] {
    const now = this.#clock.now();
    return [...this.#rows.values()]
      .filter((row) => row.until > now)
      .map(({ plugin, point, failures, until }) => ({ plugin, point, failures, remainingMillis: until - now }));
  }
}

function keyOf(plugin: string, point: PointName): string {
  return `${plugin} ${point}`;
}
