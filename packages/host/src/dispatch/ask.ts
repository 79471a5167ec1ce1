/** One intercept to one sidecar: the frame, its time, its answer or what came instead. */
import { DEADLINES, LIMITS, reasonOf, type ExternalizedField, type PointName } from "@reasonix-ts/protocol";
import { CallTimeout, ConnectionClosed, FrameTooLarge, rawJson, RpcError, type RawJson } from "@reasonix-ts/rpc";
import { interceptBudget } from "../spec.ts";
import type { Sidecar } from "../sidecar.ts";
import type { Fault } from "./fault.ts";
import type { Parcel } from "./payload.ts";

export type Reply =
  | { readonly kind: "answer"; readonly answer: unknown; readonly brought: ExternalizedField | null }
  | Fault;

export interface AskOptions {
  readonly meta?: RawJson;
  readonly signal?: AbortSignal;
}

/** Rejects only when the caller's signal fires. */
export async function ask(sidecar: Sidecar, point: PointName, parcel: Parcel, options: AskOptions): Promise<Reply> {
  const budget = interceptBudget(sidecar.spec, point);
  const passage = parcel.passTo(sidecar.content);
  if (passage.kind === "too_large")
    return { kind: "oversize", bytes: passage.bytes, limit: LIMITS.contentRefObjectBytes };
  const brought = passage.kind === "inline" ? null : passage.field;
  const params = rawJson(
    `{"event":"${point}","seq":${sidecar.nextSeq()},${passage.members},"timeoutMillis":${budget}}`,
  );
  const deadline = sidecar.interceptClock.start(budget);
  const startedAt = sidecar.interceptClock.now();
  try {
    const answer = await sidecar.peer.request("extension/intercept", params, { ...options, deadline });
    return { kind: "answer", answer, brought };
  } catch (error) {
    return await faultOf(sidecar, error, budget, startedAt);
  } finally {
    sidecar.interceptClock.finish(deadline);
    if (brought !== null) sidecar.content.expire(brought.contentRef, DEADLINES.contentRefRetention);
  }
}

async function faultOf(sidecar: Sidecar, error: unknown, budgetMillis: number, startedAt: number): Promise<Fault> {
  if (error instanceof RpcError) {
    return { kind: "error_reply", reason: reasonOf(error.data), code: error.code, message: error.message };
  }
  if (error instanceof CallTimeout)
    return { kind: "timeout", budgetMillis, elapsedMillis: sidecar.interceptClock.now() - startedAt };
  if (error instanceof ConnectionClosed) {
    const { reason, message } = await sidecar.gone;
    return { kind: "death", reason, message };
  }
  if (error instanceof FrameTooLarge) return { kind: "oversize", bytes: error.bytes, limit: error.limit };
  throw error;
}
