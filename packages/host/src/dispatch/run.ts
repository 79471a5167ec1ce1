/** Runs a point: the chain one call after another, then the owners, then the event to every subscriber. */
import { POINTS, type PointName, type SlotName } from "@reasonix-ts/protocol";
import { writtenJson, type RawJson } from "@reasonix-ts/rpc";
import type { Seat } from "../generation/seat.ts";
import { ask, type Reply } from "./ask.ts";
import { Course } from "./course.ts";
import type { Dispatch } from "./dispatch.ts";
import { settleFault } from "./fallout.ts";
import { consequenceOf, type Fault } from "./fault.ts";
import { fold } from "./fold.ts";
import { observe } from "./observe.ts";
import { nextSlot } from "./plan.ts";
import { receiptOf } from "./receipt.ts";
import type { Scope, Stopped } from "./ruling.ts";

/** Where the point stands when it is over. `stopped` is null when the operation may go on. */
export interface Outcome {
  readonly course: Course;
  readonly stopped: Stopped | null;
}

/** `next`: ask the next one. `owners`: the chain is over. Else the point is over. */
type Step = "next" | "owners" | Stopped;

/** Rejects only when the scope's signal fires, with its reason. */
export async function runPoint(dispatch: Dispatch, point: PointName, payload: object, scope: Scope): Promise<Outcome> {
  const { plan, standing } = dispatch;
  const chain = plan.chains[point];
  const course = new Course(point, payload, scope);
  const meta = metaOf(scope);
  let stopped: Stopped | null = null;
  for (const seat of chain) {
    if (standing.listensOnly(seat.plugin, point) || standing.bench.has(seat.plugin, point)) continue;
    const step = await callSeat(dispatch, course, seat, null, meta);
    if (step === "next") continue;
    if (step !== "owners") stopped = step;
    break;
  }
  if (stopped === null && plan.owners.size > 0) {
    const asked = new Set<SlotName>();
    const kinds = POINTS[point].slots.length;
    for (;;) {
      const slot = nextSlot(point, course.subjects(), plan.owners, asked);
      const owner = slot === null ? undefined : plan.owners.get(slot);
      if (slot === null || owner === undefined) break;
      asked.add(slot);
      const step = await callSeat(dispatch, course, owner, slot, meta);
      if (step === "next" || step === "owners") {
        // Another owner can be due by another kind of slot, or because the subject was changed.
        if (kinds === 1 && course.changes.length === 0) break;
        continue;
      }
      // An owner's failure failed the point: there is nothing to observe.
      if (step.kind === "failed") return { course, stopped: step };
      stopped = step;
      break;
    }
  }
  if (chain.length > 0) observe(dispatch, point, chain, course.parcel, meta);
  return { course, stopped };
}

async function callSeat(
  dispatch: Dispatch,
  course: Course,
  seat: Seat,
  slot: SlotName | null,
  meta: RawJson | undefined,
): Promise<Step> {
  const { point } = course;
  const before = course.parcel;
  const { stats, ports } = dispatch;
  const timed = stats !== null || ports.receipt !== undefined;
  const startedAt = timed ? dispatch.clock.now() : 0;
  const reply = seat.sidecar === null ? deathOf(seat) : await ask(seat.sidecar, course, meta);
  const millis = timed ? dispatch.clock.now() - startedAt : 0;
  const folded = reply.kind === "answer" ? fold(point, before.value, reply.answer, reply.brought) : null;
  const fault = faultIn(reply, folded);
  stats?.called(seat.plugin, point, millis, fault?.kind ?? null);
  let step: Step = "next";
  if (fault === null && folded !== null && folded.kind !== "illegal") {
    dispatch.standing.bench.answered(seat.plugin, point);
    if (folded.kind !== "continue") dispatch.standing.rules(seat.plugin);
    step = course.apply(folded, seat, slot, dispatch.redact);
  } else if (fault !== null) {
    const hasRuled = dispatch.standing.hasRuled(seat.plugin);
    const consequence = consequenceOf(fault, { point, asOwner: slot !== null, required: seat.required, hasRuled });
    step = (await settleFault(dispatch, course, seat, slot, fault, consequence)) ?? "next";
  }
  const outcome = fault?.kind ?? folded?.kind ?? "continue";
  ports.receipt?.(receiptOf(dispatch, course, seat, slot, { before, outcome, millis }));
  return step;
}

function deathOf({ failure }: Seat): Reply {
  return {
    kind: "death",
    reason: failure?.reason ?? "activation_failed",
    message: failure?.message ?? "it is not running",
  };
}

function faultIn(reply: Reply, folded: ReturnType<typeof fold> | null): Fault | null {
  if (reply.kind !== "answer") return reply;
  return folded?.kind === "illegal" ? { kind: "illegal", problem: folded.problem } : null;
}

/** Serialised once for all frames of the point. */
function metaOf({ callId, agent, sessionId }: Scope): RawJson | undefined {
  if (callId === undefined && agent === undefined && sessionId === undefined) return undefined;
  return writtenJson(JSON.stringify({ callId, agent, sessionId }));
}
