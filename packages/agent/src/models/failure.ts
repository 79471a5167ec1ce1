/** Why a model gave no whole answer: the one error that a model's stream throws. */

/**
 * - `failed`: the provider answered, and refused or failed.
 * - `interrupted`: the answer broke off, or the way to the provider did.
 * - `unavailable`: there is nothing to ask: no such model, no key, nobody listens at the address.
 * - `cancelled`: the caller's signal ended it.
 */
export const FAILURE_KINDS = ["cancelled", "failed", "interrupted", "unavailable"] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** What a failure says to a program. */
export interface FailureFacts {
  readonly kind: FailureKind;
  /** The model's ref, `<provider>/<model>`. */
  readonly providerRef: string;
  /** The HTTP status, or the one that an error inside a stream amounts to. */
  readonly status?: number;
  /** How long the provider asked to wait. */
  readonly retryAfterMillis?: number;
  /** Whether asking again can help; when absent, `isRetryable` decides by kind and status. */
  readonly retryable?: boolean;
}

/** An error with the facts of a failure; one that comes from another package has the shape and not the class. */
export type FailureShape = Error & FailureFacts;

/** `message` is for people: redacted, one line, with the next step. */
export class ModelFailure extends Error implements FailureFacts {
  override readonly name = "ModelFailure";
  readonly kind: FailureKind;
  readonly providerRef: string;
  declare readonly status?: number;
  declare readonly retryAfterMillis?: number;
  declare readonly retryable?: boolean;

  constructor(message: string, facts: FailureFacts, options?: ErrorOptions) {
    super(message, options);
    this.kind = facts.kind;
    this.providerRef = facts.providerRef;
    if (facts.status !== undefined) this.status = facts.status;
    if (facts.retryAfterMillis !== undefined) this.retryAfterMillis = facts.retryAfterMillis;
    if (facts.retryable !== undefined) this.retryable = facts.retryable;
  }
}

/** Recognises a failure by its facts, whichever package made it. */
export function isModelFailure(error: unknown): error is FailureShape {
  return (
    error instanceof Error &&
    "kind" in error &&
    FAILURE_KINDS.some((kind) => kind === error.kind) &&
    "providerRef" in error &&
    typeof error.providerRef === "string"
  );
}

/** The failure of a caller who no longer wants the answer. */
export function cancelledFailure(providerRef: string, cause?: unknown): ModelFailure {
  return new ModelFailure(
    `The request to ${providerRef} was cancelled.`,
    { kind: "cancelled", providerRef },
    { cause },
  );
}
