/** The running intercepts of one sidecar and their clock, which stands still while the sidecar waits for a person. */
import { createDeadline, type Clock, type Deadline } from "@reasonix-ts/rpc";

export class InterceptClock {
  readonly #clock: Clock;
  readonly #running = new Map<Deadline, (() => void) | null>();
  #holds = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Intercepts that wait for their answer. */
  get running(): number {
    return this.#running.size;
  }

  /** Milliseconds on the clock's scale. */
  now(): number {
    return this.#clock.now();
  }

  /** Starts an intercept's time; `finish` must follow. */
  start(budgetMillis: number): Deadline {
    const deadline = createDeadline(budgetMillis, this.#clock);
    this.#running.set(deadline, this.#holds > 0 ? deadline.hold() : null);
    return deadline;
  }

  finish(deadline: Deadline): void {
    this.#running.get(deadline)?.();
    this.#running.delete(deadline);
  }

  /** Stops the time of all running and coming intercepts until the function that comes back is called. */
  hold(): () => void {
    this.#holds += 1;
    if (this.#holds === 1) for (const deadline of this.#running.keys()) this.#running.set(deadline, deadline.hold());
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds -= 1;
      if (this.#holds > 0) return;
      for (const [deadline, release] of this.#running) {
        release?.();
        this.#running.set(deadline, null);
      }
    };
  }
}
