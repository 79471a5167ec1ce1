/** A moment that work must not outlive, on a clock that can stand still while a person answers. */
import { systemClock, type Clock } from "./clock.ts";

export interface Deadline {
  /** The span it was made with. */
  readonly timeoutMillis: number;
  /** When it was made, in milliseconds on its clock. */
  readonly startedAt: number;
  readonly expired: boolean;
  /** Milliseconds left; 0 once expired; stands still while held. */
  remaining(): number;
  /** Stops the clock until the function that comes back is called. Holds add up: time runs when the last is released. */
  hold(): () => void;
  /**
   * Calls `listener` once on expiry, at once if it has expired; the function that comes back unsubscribes.
   * A timer runs only while somebody listens and nobody holds.
   */
  onExpired(listener: () => void): () => void;
}

/** A deadline that starts to run now. One deadline may bound many calls, for example a shared start budget. */
export function createDeadline(timeoutMillis: number, clock: Clock = systemClock): Deadline {
  return new HoldableDeadline(timeoutMillis, clock);
}

class HoldableDeadline implements Deadline {
  readonly timeoutMillis: number;
  readonly startedAt: number;
  readonly #clock: Clock;
  readonly #listeners = new Map<() => void, () => void>();
  #left: number;
  #since: number;
  #holds = 0;
  #expired = false;
  #cancelTimer: (() => void) | undefined;

  constructor(timeoutMillis: number, clock: Clock) {
    this.timeoutMillis = timeoutMillis;
    this.#clock = clock;
    this.#left = timeoutMillis;
    this.startedAt = clock.now();
    this.#since = this.startedAt;
  }

  get expired(): boolean {
    return this.remaining() === 0;
  }

  remaining(): number {
    if (this.#expired) return 0;
    if (this.#holds > 0) return this.#left;
    return Math.max(0, this.#left - (this.#clock.now() - this.#since));
  }

  hold(): () => void {
    if (this.#holds === 0) {
      this.#left = this.remaining();
      this.#stopTimer();
    }
    this.#holds += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds -= 1;
      if (this.#holds > 0) return;
      this.#since = this.#clock.now();
      this.#startTimer();
    };
  }

  onExpired(listener: () => void): () => void {
    const left = this.remaining();
    if (this.#holds === 0 && left === 0) {
      this.#expired = true;
      listener();
      return () => {};
    }
    const unsubscribe = (): void => {
      this.#listeners.delete(unsubscribe);
      if (this.#listeners.size === 0) this.#stopTimer();
    };
    // By the function that is given back, so that one listener subscribed twice is two subscriptions.
    this.#listeners.set(unsubscribe, listener);
    this.#startTimer(left);
    return unsubscribe;
  }

  #startTimer(left = this.remaining()): void {
    if (this.#cancelTimer !== undefined || this.#holds > 0 || this.#listeners.size === 0) return;
    if (left === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = this.#clock.after(left, () => {
      this.#cancelTimer = undefined;
      // A timer may be early by a fraction of a millisecond, or clamped: ask the clock.
      if (this.remaining() > 0.999) this.#startTimer();
      else this.#expire();
    });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #expire(): void {
    this.#expired = true;
    const listeners = [...this.#listeners.values()];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}
