/** Asks a model again after a failure, only while nothing of an answer was passed on, and only the same model. */
import type { Clock, Model, ModelChunk, ModelRequest } from "../ports.ts";
import { cancelledFailure, isModelFailure, type FailureFacts, type FailureShape } from "./failure.ts";
import { isTransientStatus } from "./trouble.ts";

export interface RetryPolicy {
  /** Requests in all, the first one included. */
  readonly attempts: number;
  /** The wait after the first failure; each further one doubles it. */
  readonly firstDelayMillis: number;
  readonly longestDelayMillis: number;
  /** A provider that asks for a longer wait than this is not waited for. */
  readonly longestAskedMillis: number;
}

const RETRY_POLICY: RetryPolicy = {
  attempts: 4,
  firstDelayMillis: 1_000,
  longestDelayMillis: 8_000,
  longestAskedMillis: 60_000,
};

/** An interrupted stream may be asked again; a failure only when the provider's status says that it passes. */
export function isRetryable(failure: FailureFacts): boolean {
  if (failure.kind === "cancelled") return false;
  if (failure.retryable !== undefined) return failure.retryable;
  if (failure.kind === "interrupted") return true;
  return failure.kind === "failed" && failure.status !== undefined && isTransientStatus(failure.status);
}

/** Milliseconds to wait before the attempt after number `attempt` (1 is the first), or null to give up. */
export function retryDelay(failure: FailureFacts, attempt: number, policy: RetryPolicy = RETRY_POLICY): number | null {
  if (attempt >= policy.attempts || !isRetryable(failure)) return null;
  const asked = failure.retryAfterMillis;
  if (asked !== undefined) return asked <= policy.longestAskedMillis ? asked : null;
  return Math.min(policy.firstDelayMillis * 2 ** (attempt - 1), policy.longestDelayMillis);
}

export interface RetryOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly policy?: RetryPolicy;
  /** Called before each wait; `attempt` is the one that failed. */
  readonly onRetry?: (retry: {
    readonly attempt: number;
    readonly delayMillis: number;
    readonly failure: FailureShape;
  }) => void;
  /** Called before each request. */
  readonly onAttempt?: (attempt: number) => void;
  readonly effort?: string;
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
}

/** The model's stream, with failed attempts before its first chunk left out. Throws the last failure. */
export async function* streamWithRetry(
  model: Model,
  request: ModelRequest,
  options: RetryOptions,
): AsyncGenerator<readonly ModelChunk[]> {
  const { clock, policy, onRetry, onAttempt, ...ask } = options;
  for (let attempt = 1; ; attempt++) {
    let shown = false;
    try {
      onAttempt?.(attempt);
      for await (const batch of model.stream(request, ask)) {
        shown ||= batch.length > 0;
        yield batch;
      }
      return;
    } catch (error) {
      if (shown || !isModelFailure(error)) throw error;
      const delayMillis = retryDelay(error, attempt, policy);
      if (delayMillis === null) throw error;
      onRetry?.({ attempt, delayMillis, failure: error });
      await pause(clock, delayMillis, model.ref, ask.signal);
    }
  }
}

async function pause(
  clock: Pick<Clock, "sleep">,
  millis: number,
  ref: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await clock.sleep(millis, signal === undefined ? {} : { signal });
  } catch (error) {
    throw signal?.aborted === true ? cancelledFailure(ref, signal.reason) : error;
  }
}
