/** Why a stream of an extension gave no whole answer: the one error that iterating over it throws. */
import type { Reason } from "@reasonix-ts/protocol";
import { HostError } from "../errors.ts";

/**
 * - `failed`: the provider answered, and refused, failed or broke the contract.
 * - `interrupted`: the answer broke off, or its chunks did not come whole.
 * - `unavailable`: there is nothing to ask: no such model, or its sidecar is not running.
 * - `cancelled`: the caller's signal ended it.
 */
export type StreamFailureKind = "failed" | "interrupted" | "unavailable" | "cancelled";

/** `message` names the plugin and is redacted; agents recognise the error by `kind` and `providerRef`. */
export class StreamFailure extends HostError {
  readonly kind: StreamFailureKind;
  /** The model's ref. */
  readonly providerRef: string;
  /** Whether asking again can help. */
  readonly retryable: boolean;

  constructor(
    facts: {
      readonly kind: StreamFailureKind;
      readonly reason: Reason;
      readonly plugin: string;
      readonly providerRef: string;
      readonly message: string;
      readonly retryable?: boolean;
    },
    options?: ErrorOptions,
  ) {
    super(facts.reason, facts.plugin, facts.message, options);
    this.kind = facts.kind;
    this.providerRef = facts.providerRef;
    this.retryable = facts.retryable ?? facts.kind === "interrupted";
  }
}
