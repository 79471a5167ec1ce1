/** One intercept to one sidecar: the frame, its time, its answer or what came instead. */
import { DEADLINES, LIMITS, reasonOf, type ExternalizedField } from "@reasonix-ts/protocol";
import { CallTimeout, ConnectionClosed, FrameTooLarge, RpcError, writtenJson, type RawJson } from "@reasonix-ts/rpc";
import { interceptBudget } from "../spec.ts";
import type { Sidecar } from "../sidecar.ts";
import type { Course } from "./course.ts";
import type { Fault } from "./fault.ts";

export type Reply =
  | { readonly kind: "answer"; readonly answer: unknown; readonly brought: ExternalizedField | null }
  | Fault;

/** Rejects only when the caller's signal fires, with its reason. */
export async function ask(sidecar: Sidecar, course: Course, meta: RawJson | undefined): Promise<Reply> {
  const { point, scope } = course;
  const { interceptClock } = sidecar;
  const budget = interceptBudget(sidecar.spec, point);
  const passage = course.parcel.passTo(sidecar.content);
  if (passage.kind === "too_large")
    return { kind: "oversize", bytes: passage.bytes, limit: LIMITS.contentRefObjectBytes };
  const brought = passage.kind === "inline" ? null : passage.field;
  const params = writtenJson(
    `{"event":"${point}","seq":${sidecar.nextSeq()},${passage.members},"timeoutMillis":${budget}}`,
  );
  const deadline = interceptClock.start(budget);
  try {
    const answer = await sidecar.peer.request("extension/intercept", params, {
      meta,
      signal: scope.signal,
      deadline,
    });
    return { kind: "answer", answer, brought };
  } catch (error) {
    const fault = await faultOf(sidecar, error, budget, interceptClock.now() - deadline.startedAt);
    if (fault !== null) return fault;
    // The caller gave up: it is told so in its own words.
    throw scope.signal?.aborted === true ? scope.signal.reason : error;
  } finally {
    interceptClock.finish(deadline);
    if (brought !== null) sidecar.content.expire(brought.contentRef, DEADLINES.contentRefRetention);
  }
}

/** Null for what is no fault of the sidecar. */
async function faultOf(
  sidecar: Sidecar,
  error: unknown,
  budgetMillis: number,
  elapsedMillis: number,
): Promise<Fault | null> {
  if (error instanceof RpcError) {
    return { kind: "error_reply", reason: reasonOf(error.data), code: error.code, message: error.message };
  }
  if (error instanceof CallTimeout) return { kind: "timeout", budgetMillis, elapsedMillis };
  if (error instanceof ConnectionClosed) {
    const { reason, message } = await sidecar.gone;
    return { kind: "death", reason, message };
  }
  if (error instanceof FrameTooLarge) return { kind: "oversize", bytes: error.bytes, limit: error.limit };
  return null;
}
