/** Lets each thing through at once and then at most every so often, its last value always. */
import type { Clock } from "@reasonix-ts/rpc";

interface Window<T> {
  waiting: { readonly value: T } | null;
  readonly cancel: () => void;
}

export class Throttle<T> {
  readonly #windows = new Map<string, Window<T>>();
  readonly #spanMillis: number;
  readonly #clock: Clock;
  readonly #show: (value: T) => void;

  constructor(spanMillis: number, clock: Clock, show: (value: T) => void) {
    this.#spanMillis = spanMillis;
    this.#clock = clock;
    this.#show = show;
  }

  /** Shows the value now, or at the end of the span that the key's last one began, unless a newer one comes. */
  push(key: string, value: T): void {
    const window = this.#windows.get(key);
    if (window !== undefined) window.waiting = { value };
    else this.#open(key, value);
  }

  /** Shows at once what waits. */
  flush(): void {
    const waiting = [...this.#windows.values()].flatMap((window) => (window.waiting === null ? [] : [window.waiting]));
    this.clear();
    for (const { value } of waiting) this.#show(value);
  }

  /** Drops what waits. */
  clear(): void {
    for (const { cancel } of this.#windows.values()) cancel();
    this.#windows.clear();
  }

  #open(key: string, value: T): void {
    const cancel = this.#clock.after(this.#spanMillis, () => this.#close(key));
    this.#windows.set(key, { waiting: null, cancel });
    this.#show(value);
  }

  #close(key: string): void {
    const waiting = this.#windows.get(key)?.waiting;
    this.#windows.delete(key);
    if (waiting !== undefined && waiting !== null) this.#open(key, waiting.value);
  }
}
