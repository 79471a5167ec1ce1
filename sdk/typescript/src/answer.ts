/** Turns what a handler answered into the result of an intercept, and refuses what is no answer. */
import { DECISIONS, PERMISSION_DECISIONS, type InterceptResult, type PointName } from "@reasonix-ts/protocol";
import { rawJson, type RawJson } from "@reasonix-ts/rpc";
import { failure } from "./failure.ts";
import type { FetchedPayload } from "./payload.ts";

/** Serialised once: most answers are this one. */
export const CONTINUE_RESULT: RawJson = rawJson('{"decision":"continue"}');

/**
 * Handlers in plain JavaScript may answer anything. What is no ruling is an error of the extension and is told to the
 * host as one: silence must never pass for consent.
 */
export function interceptResult(
  point: PointName,
  ruling: unknown,
  fetched: FetchedPayload | null,
): InterceptResult | RawJson {
  if (!isRuling(ruling)) throw failure("internal", notARuling(point, ruling));
  const { decision } = ruling;
  if (decision === "continue") return CONTINUE_RESULT;
  if (decision === "replace") return replacement(point, ruling.replacement, fetched);
  if (isPermissionOnly(decision) && point !== "permission.decision")
    throw failure("internal", `the handler of ${point} answered ${decision}, legal at permission.decision only`);
  if (decision !== "block" && !isPermissionOnly(decision)) throw failure("internal", notARuling(point, ruling));
  return typeof ruling.reason === "string" ? { decision, reason: ruling.reason } : { decision };
}

/** A payload that came by reference and goes back unchanged goes back by the same reference. */
function replacement(point: PointName, payload: unknown, fetched: FetchedPayload | null): InterceptResult | RawJson {
  if (typeof payload !== "object" || payload === null || Array.isArray(payload))
    throw failure("internal", `the handler of ${point} answered replace with no object; give the whole payload`);
  if (fetched === null) return { decision: "replace", replacement: payload };
  const text = JSON.stringify(payload);
  if (text !== fetched.text) return rawJson(`{"decision":"replace","replacement":${text}}`);
  const { contentRef, totalBytes, sha256 } = fetched.field;
  const externalized = [{ jsonPointer: "/replacement", contentRef, totalBytes, sha256 }];
  return { decision: "replace", replacement: null, externalized };
}

interface LooseRuling {
  readonly decision: (typeof DECISIONS)[number];
  readonly reason?: unknown;
  readonly replacement?: unknown;
}

function isRuling(value: unknown): value is LooseRuling {
  if (typeof value !== "object" || value === null || !("decision" in value)) return false;
  const decisions: readonly unknown[] = DECISIONS;
  return decisions.includes(value.decision);
}

function isPermissionOnly(decision: (typeof DECISIONS)[number]): boolean {
  return PERMISSION_DECISIONS.includes(decision);
}

function notARuling(point: PointName, value: unknown): string {
  const got = value === undefined ? "nothing" : JSON.stringify(value)?.slice(0, 80);
  return `the handler of ${point} answered ${got}; return next(), block(reason) or replace(payload)`;
}
