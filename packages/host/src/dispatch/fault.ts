/** How an intercept can go wrong, and what then happens to the operation: the failure table (pure). */
import { POINTS, type PointName, type Reason } from "@reasonix-ts/protocol";
import { formatBytes, formatMillis, oneLine } from "@reasonix-ts/text";

export type Fault =
  | { readonly kind: "error_reply"; readonly reason: Reason | null; readonly code: number; readonly message: string }
  | { readonly kind: "timeout"; readonly budgetMillis: number; readonly elapsedMillis: number }
  | { readonly kind: "death"; readonly reason: Reason; readonly message: string }
  | { readonly kind: "illegal"; readonly problem: string }
  | { readonly kind: "oversize"; readonly bytes: number; readonly limit: number };

export interface Position {
  readonly point: PointName;
  /** Whether the call was made to the owner of a slot. */
  readonly asOwner: boolean;
  readonly required: boolean;
  /** Whether this extension has answered anything but `continue` before. */
  readonly hasRuled: boolean;
}

/** `listen_only`: counts as `continue`, and from then on it gets this point's events alone. */
export type Consequence = "fail" | "refuse" | "ask_person" | "listen_only" | "skip";

export function consequenceOf(fault: Fault, { point, asOwner, required, hasRuled }: Position): Consequence {
  const { guard, eventByHabit } = POINTS[point];
  if (eventByHabit && !asOwner && fault.kind === "error_reply") return "listen_only";
  if (asOwner || required) return "fail";
  if (!guard) return "skip";
  if (fault.kind === "illegal") return "refuse";
  return hasRuled && (fault.kind === "timeout" || fault.kind === "death") ? "ask_person" : "skip";
}

export function reasonOfFault(fault: Fault): Reason {
  switch (fault.kind) {
    case "error_reply":
      return fault.reason ?? "internal";
    case "timeout":
      return "intercept_timeout";
    case "death":
      return fault.reason;
    case "illegal":
      return "protocol_error";
    case "oversize":
      return "frame_too_large";
  }
}

/** One sentence or more: plugin, point, what happened; not yet redacted. */
export function faultText(plugin: string, point: PointName, fault: Fault): string {
  const at = `Plugin "${plugin}" at ${point}`;
  switch (fault.kind) {
    case "error_reply":
      return `${at}: it answered with an error (code ${fault.code}): ${ended(oneLine(fault.message))}`;
    case "timeout":
      return `${at}: no answer within its ${formatMillis(fault.budgetMillis)} (intercept_timeout, waited ${formatMillis(fault.elapsedMillis)}). Make it answer faster or raise runtime.timeoutMillis in its manifest.`;
    case "death":
      return ended(`At ${point}: ${fault.message}`);
    case "illegal":
      return `${at}: its answer was not understood: ${fault.problem}.`;
    case "oversize":
      return `${at}: the payload has ${fault.bytes} bytes (${formatBytes(fault.bytes)}), more than the ${fault.limit} (${formatBytes(fault.limit)}) that can travel.`;
  }
}

/** With a stop behind words of others, so that what follows does not read as theirs. */
function ended(text: string): string {
  return /[.!?…]["')\]]?$/.test(text) ? text : `${text}.`;
}
