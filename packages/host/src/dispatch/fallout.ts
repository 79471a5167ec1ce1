/** Carries out what the failure table decided about one fault. */
import type { Payloads, PointName, SlotName } from "@reasonix-ts/protocol";
import { oneLine } from "@reasonix-ts/text";
import type { Seat } from "../generation/seat.ts";
import { mayBench } from "./bench.ts";
import type { Course } from "./course.ts";
import { faultText, reasonOfFault, type Consequence, type Fault } from "./fault.ts";
import type { Stopped } from "./ruling.ts";
import type { Dispatch } from "./dispatch.ts";

type Failure = Extract<Stopped, { readonly kind: "failed" }>;

/** Null when the chain goes on. Rejects only when the scope's signal fires. */
export async function settleFault(
  dispatch: Dispatch,
  course: Course,
  seat: Seat,
  slot: SlotName | null,
  fault: Fault,
  consequence: Consequence,
): Promise<Failure | null> {
  const { point } = course;
  const text = dispatch.redact(faultText(seat.plugin, point, fault));
  const time = new Date(dispatch.clock.wall()).toISOString();
  dispatch.stats?.failed(seat.plugin, { time, point, text });
  const stopped: Failure = { kind: "failed", plugin: seat.plugin, reason: reasonOfFault(fault), message: text };
  // The dead answer at once: there is no budget to save.
  if (fault.kind !== "death") noteFailure(dispatch, course, seat, text);
  switch (consequence) {
    case "fail": {
      const standing = slot === null ? "is required" : `owns the slot "${slot}"`;
      return { ...stopped, message: `${text} The operation failed because this plugin ${standing}.` };
    }
    case "refuse":
      return { ...stopped, message: `${text} An answer that is not understood never means yes: the call was refused.` };
    case "ask_person":
      return askPerson(dispatch, course, seat, text, stopped);
    case "listen_only":
      dispatch.standing.listenOnly(seat.plugin, point);
      return null;
    case "skip":
      // A death is told where it happens, once; everything else here, once for each point.
      if (fault.kind !== "death") warn(dispatch, seat, fault.kind === "oversize" ? oversizeAt(point) : point, text);
      return null;
  }
}

function noteFailure(dispatch: Dispatch, { point }: Course, seat: Seat, text: string): void {
  const { plugin, required } = seat;
  const { standing } = dispatch;
  const candidate = { required, ownsSlot: seat.owns.size > 0, hasRuled: standing.hasRuled(plugin) };
  if (!standing.bench.failed(plugin, point, mayBench(candidate, point))) return;
  if (!standing.firstWarning(plugin, `${point} bench`)) return;
  const notice = `${text} It failed three times in a row and is left out at ${point} for 60 s.`;
  dispatch.ports.notice({ severity: "warn", code: "interceptor_benched", plugin, text: notice });
}

async function askPerson(
  dispatch: Dispatch,
  course: Course,
  seat: Seat,
  cause: string,
  stopped: Failure,
): Promise<Failure | null> {
  const { askPerson: present } = dispatch.ports;
  const guard = `This plugin has ruled before, and nothing was heard from it at ${course.point}`;
  if (present === null)
    return { ...stopped, message: `${cause} ${guard}; nobody was there to be asked, so the call was refused.` };
  const { tool, args } = toolOf(course, dispatch.redact);
  const question = { plugin: seat.plugin, point: course.point, tool, arguments: args, cause };
  const { signal } = course.scope;
  let answer: string;
  try {
    if (await present(question, signal === undefined ? {} : { signal })) return null;
    answer = "the person asked refused the call";
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    answer = `a person could not be asked (${error instanceof Error ? error.message : String(error)}), so the call was refused`;
  }
  return { ...stopped, message: `${cause} ${guard}; ${answer}.` };
}

function toolOf(course: Course, redact: (text: string) => string): { readonly tool: string; readonly args: string } {
  // Guard points are about tool calls: their payloads have a name and arguments by their schemas.
  const { name, arguments: args } = course.parcel.value as Payloads["tool.before"];
  return { tool: name, args: oneLine(redact(args)) };
}

/** One payload that is too large is told once, whether a call or an event was to carry it. */
export function oversizeAt(point: PointName): string {
  return `${point} too large`;
}

function warn(dispatch: Dispatch, seat: Seat, about: string, text: string): void {
  if (!dispatch.standing.firstWarning(seat.plugin, about)) return;
  const notice = `${text} The plugin is optional: it was skipped, and later failures of this kind are not repeated here.`;
  dispatch.ports.notice({ severity: "warn", code: "interceptor_skipped", plugin: seat.plugin, text: notice });
}
