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
  /** Why a start is given up because a vital one failed. */
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
  const running = new Set<AbortController>();
  let broken: { readonly cause: unknown } | null = null;

  const startOne = async (job: J): Promise<Launched<S>> => {
    if (broken !== null) return { ok: false, error: options.abandoned(job, broken.cause) };
    const controller = new AbortController();
    const share = fairShare(deadline.remaining(), running.size + queue.length + 1, atOnce);
    const cancel = clock.after(share, () => {
      if (queue.length > 0) controller.abort(options.evicted(job, share));
    });
    running.add(controller);
    try {
      return { ok: true, value: await options.start(job, { deadline, signal: controller.signal }) };
    } catch (error) {
      return { ok: false, error };
    } finally {
      cancel();
      running.delete(controller);
    }
  };

  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { job, index } = next;
      const result = await startOne(job);
      results[index] = result;
      if (result.ok || broken !== null || !options.vital(job)) continue;
      broken = { cause: result.error };
      for (const controller of running) controller.abort(options.abandoned(job, result.error));
    }
  };

  await Promise.all(Array.from({ length: Math.min(atOnce, jobs.length) }, work));
  return results;
}

/** What one start may take while others wait: the time left, shared out over the waves that are still to come. */
export function fairShare(remainingMillis: number, unfinished: number, atOnce: number): number {
  return remainingMillis / Math.max(1, Math.ceil(unfinished / atOnce));
}
