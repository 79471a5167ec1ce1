/** One listener a signal, however many wait for it: Node warns of a leak at the eleventh. */

interface Watched {
  readonly waiting: Set<() => void>;
  readonly listener: () => void;
}

export class SignalWatch {
  readonly #watched = new Map<AbortSignal, Watched>();

  /** Calls `run` once when `signal` fires; the function that comes back forgets it. */
  watch(signal: AbortSignal, run: () => void): () => void {
    const { waiting } = this.#watched.get(signal) ?? this.#listen(signal);
    waiting.add(run);
    return () => {
      if (!waiting.delete(run) || waiting.size > 0) return;
      this.#forget(signal);
    };
  }

  #listen(signal: AbortSignal): Watched {
    const waiting = new Set<() => void>();
    const listener = (): void => {
      this.#forget(signal);
      const all = [...waiting];
      waiting.clear();
      for (const run of all) run();
    };
    const watched = { waiting, listener };
    this.#watched.set(signal, watched);
    signal.addEventListener("abort", listener);
    return watched;
  }

  #forget(signal: AbortSignal): void {
    const watched = this.#watched.get(signal);
    if (watched === undefined) return;
    this.#watched.delete(signal);
    signal.removeEventListener("abort", watched.listener);
  }
}
