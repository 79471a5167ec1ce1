/** The error object of a reply: a reason of the table with its data. */
import { isReason, REASON_NAMES, REASONS, type Reason } from "./reasons.ts";
import { object } from "./object-schema.ts";
import { boolean, decodeTolerant, named, nonEmpty, oneOf, string, type Infer } from "./schema.ts";

export const ErrorData = named(
  "ErrorData",
  object({ reason: oneOf(REASON_NAMES), retryable: boolean, action: string }),
);
export type ErrorData = Infer<typeof ErrorData>;

/** Of a foreign error's data, no more than its reason is looked at. */
const Reasoned = object({ reason: nonEmpty });

export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data: ErrorData;
}

/** Builds the error object for a reason; `message` says what happened, the table says the rest. */
export function wireError(reason: Reason, message: string): WireError {
  const row = REASONS[reason];
  return { code: row.code, message, data: { reason, retryable: row.retryable, action: row.action } };
}

/** The reason that a received error object carries in its data, or null: foreign errors have none. */
export function reasonOf(data: unknown): Reason | null {
  const decoded = decodeTolerant(Reasoned, data);
  return decoded.ok && isReason(decoded.value.reason) ? decoded.value.reason : null;
}
