/** One generation of extensions: what was built, unchangeable, and what is still counted on it. */
import type { Dispatch } from "../dispatch/dispatch.ts";
import type { Offers } from "../offers.ts";
import type { Catalogue } from "../providers/catalogue.ts";
import type { Seat } from "./seat.ts";

export interface Snapshot {
  readonly number: number;
  readonly seats: readonly Seat[];
  readonly dispatch: Dispatch;
  readonly offers: Offers;
  /** What each plugin with models answered; by its name. */
  readonly catalogues: ReadonlyMap<string, Catalogue>;
}

/** Counts the leases on a snapshot and stops its sidecars once it is retired and nobody holds it. */
export class Generation {
  readonly snapshot: Snapshot;
  /** Settles when its sidecars are stopped. */
  readonly stopped: Promise<void>;
  #leases = 0;
  #retired = false;
  #stopping = false;
  #announceStopped: () => void = () => {};

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
    this.stopped = new Promise((resolve) => {
      this.#announceStopped = resolve;
    });
  }

  get leases(): number {
    return this.#leases;
  }

  /** Pins the generation until the function that comes back is called. */
  pin(): () => void {
    this.#leases += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#leases -= 1;
      this.#stopIfFree();
    };
  }

  /** Its sidecars stop with its last lease. */
  retire(): void {
    this.#retired = true;
    this.#stopIfFree();
  }

  /** Stops its sidecars now, whoever holds it. */
  stop(): Promise<void> {
    if (!this.#stopping) {
      this.#stopping = true;
      void stopAll(this.snapshot.seats).then(() => this.#announceStopped());
    }
    return this.stopped;
  }

  #stopIfFree(): void {
    if (this.#retired && this.#leases === 0) void this.stop();
  }
}

/** Stops all of them side by side, so that the ladder's time is paid once. */
export async function stopAll(seats: readonly Seat[]): Promise<void> {
  await Promise.all(seats.flatMap(({ sidecar }) => (sidecar === null ? [] : [sidecar.stop()])));
}
