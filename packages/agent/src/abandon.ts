/** Waits for work that was asked to stop, but not for ever. */

/** Settles as `work` does; rejects with the signal's reason when it has not settled `millis` after the abort. */
export async function orAbandoned<T>(work: Promise<T>, signal: AbortSignal, millis: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  const abandoned = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(signal.reason), millis);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, abandoned]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
