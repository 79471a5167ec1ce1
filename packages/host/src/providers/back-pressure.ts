/** Keeps a stream's queue small by not reading from a sidecar that produces faster than its chunks are used. */
import type { Clock, Peer } from "@reasonix-ts/rpc";

/** From here on nothing more is read while nothing else is awaited of the sidecar, in bytes. */
const HIGH_WATER = 1_048_576;
/** From here on nothing more is read at all: an answer that stands behind so much content is late by its own fault. */
const HARD_LIMIT = 8_388_608;

/** How soon a call that begins while nothing is read gets its answer read. */
const LOOK_AGAIN_MILLIS = 10;

/**
 * Whoever uses the chunks may wait for the very sidecar that sends them, for example at frontend.event. So above the
 * high-water mark reading stops only while no call to that sidecar is pending, and goes on soon after one begins.
 */
export class BackPressure {
  readonly #peer: Pick<Peer, "holdReading" | "pendingCalls">;
  readonly #clock: Clock;
  #queued = 0;
  #release: (() => void) | null = null;
  #cancelLook: (() => void) | null = null;

  constructor(peer: Pick<Peer, "holdReading" | "pendingCalls">, clock: Clock) {
    this.#peer = peer;
    this.#clock = clock;
  }

  /** Whether the sidecar is not read now, so that its silence means nothing. */
  get holds(): boolean {
    return this.#release !== null;
  }

  added(bytes: number): void {
    this.#queued += bytes;
    if (this.#queued >= HIGH_WATER && this.#release === null) this.#judge();
  }

  /** The queue is empty again, or nobody wants it any more. */
  emptied(): void {
    this.#queued = 0;
    this.#letGo();
  }

  #judge(): void {
    this.#cancelLook?.();
    this.#cancelLook = null;
    if (this.#queued >= HARD_LIMIT) {
      this.#release ??= this.#peer.holdReading();
      return;
    }
    if (this.#peer.pendingCalls > 0) this.#letGo();
    else {
      this.#release ??= this.#peer.holdReading();
      this.#cancelLook = this.#clock.after(LOOK_AGAIN_MILLIS, () => this.#judge());
    }
  }

  #letGo(): void {
    this.#cancelLook?.();
    this.#cancelLook = null;
    this.#release?.();
    this.#release = null;
  }
}
