/** Why a session does not do what it was asked for. */

export type SessionErrorReason = "busy" | "closed" | "in_use" | "not_found" | "refused";

export class SessionError extends Error {
  override readonly name = "SessionError";
  readonly reason: SessionErrorReason;

  constructor(reason: SessionErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
