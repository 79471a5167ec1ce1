/** Lines that came, for whoever waits for the next one. */
export class LineQueue {
  readonly #lines: string[] = [];
  #waiting: ((line: string | null) => void) | null = null;
  #ended = false;

  get ended(): boolean {
    return this.#ended;
  }

  push(line: string): void {
    if (this.#ended) return;
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting === null) this.#lines.push(line);
    else waiting(line);
  }

  /** Lines that came before are still given out. */
  end(): void {
    this.#ended = true;
    this.#waiting?.(null);
    this.#waiting = null;
  }

  /** Forgets what was not asked for yet. */
  clear(): void {
    this.#lines.length = 0;
  }

  /** One waits at a time; `signal` gives the wait up with null, and the line that comes then goes to the next. */
  next(signal?: AbortSignal): Promise<string | null> {
    const line = this.#lines.shift();
    if (line !== undefined) return Promise.resolve(line);
    if (this.#ended || signal?.aborted === true) return Promise.resolve(null);
    return new Promise((resolve) => {
      const settle = (value: string | null): void => {
        signal?.removeEventListener("abort", give);
        resolve(value);
      };
      const give = (): void => {
        if (this.#waiting === settle) this.#waiting = null;
        settle(null);
      };
      this.#waiting = settle;
      signal?.addEventListener("abort", give, { once: true });
    });
  }
}
