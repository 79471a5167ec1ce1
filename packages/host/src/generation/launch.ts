/** Starts many things, a few at a time, under one shared budget, so that a stalled one cannot starve a good one. */
import { createDeadline, type Clock, type Deadline } from "@reasonix-ts/rpc";

export interface LaunchOptions<J, S> {
  readonly atOnce: number;
  readonly budgetMillis: number;
  readonly clock: Clock;
  readonly start: (job: J, options: { readonly deadline: Deadline; readonly signal: AbortSignal }) => Promise<S>;
  /** Why a start has to make room for the others that wait. */
  readonly evicted: (job: J, millis: number) => Error;
  /** When this one fails nothing else needs to start. */
  readonly vital: (job: J) => boolean;
  /** Fires when nobody wants the result any more. */
  readonly signal: AbortSignal;
  /** Why a start is given up because a vital one failed, or nobody wants the result any more. */
  readonly abandoned: (job: J, cause: unknown) => Error;
}

export type Launched<S> = { readonly ok: true; readonly value: S } | { readonly ok: false; readonly error: unknown };

/** One result a job, in the order of the jobs. Never rejects. */
export async function launchAll<J, S>(
  jobs: readonly J[],
  options: LaunchOptions<J, S>,
): Promise<readonly Launched<S>[]> {
  const { atOnce, budgetMillis, clock } = options;
  const results: Launched<S>[] = [];
  const queue = jobs.map((job, index) => ({ job, index }));
  const deadline = createDeadline(budgetMillis, clock);
  const running = new Map<AbortController, J>();
  /** Evicted starts that have not ended yet: each is a place for one that waits. */
  let leaving = 0;
  let over: { readonly cause: unknown } | null = null;

  const startOne = async (job: J): Promise<Launched<S>> => {
    if (over !== null) return { ok: false, error: options.abandoned(job, over.cause) };
    const controller = new AbortController();
    const share = fairShare(deadline.remaining(), running.size + queue.length + 1, atOnce);
    let evicted = false;
    const cancel = clock.after(share, () => {
      if (queue.length <= leaving) return;
      evicted = true;
      leaving += 1;
      controller.abort(options.evicted(job, share));
    });
    running.set(controller, job);
    try {
      return { ok: true, value: await options.start(job, { deadline, signal: controller.signal }) };
    } catch (error) {
      return { ok: false, error };
    } finally {
      cancel();
      running.delete(controller);
      if (evicted) leaving -= 1;
    }
  };

  const giveUp = (cause: unknown): void => {
    if (over !== null) return;
    over = { cause };
    for (const [controller, job] of running) controller.abort(options.abandoned(job, cause));
  };

  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const result = await startOne(next.job);
      results[next.index] = result;
      if (!result.ok && options.vital(next.job)) giveUp(result.error);
    }
  };

  const unwanted = (): void => giveUp(options.signal.reason);
  if (options.signal.aborted) unwanted();
  options.signal.addEventListener("abort", unwanted, { once: true });
  await Promise.all(Array.from({ length: Math.min(atOnce, jobs.length) }, work));
  options.signal.removeEventListener("abort", unwanted);
  return results;
}

/** What one start may take while others wait: the time left, shared out over the waves that are still to come. */
export function fairShare(remainingMillis: number, unfinished: number, atOnce: number): number {
  return remainingMillis / Math.max(1, Math.ceil(unfinished / atOnce));
}
