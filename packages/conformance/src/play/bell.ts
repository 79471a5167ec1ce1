/** Wakes whoever waits for something to happen. */
export class Bell {
  readonly #waiting = new Set<() => void>();

  ring(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Settles at the next ring, or when `millis` are over. */
  async heard(millis: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let wake = (): void => {};
    await new Promise<void>((resolve) => {
      wake = resolve;
      this.#waiting.add(wake);
      timer = setTimeout(resolve, millis);
    });
    clearTimeout(timer);
    this.#waiting.delete(wake);
  }
}
