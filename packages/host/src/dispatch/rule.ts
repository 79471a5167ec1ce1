/** One point from end to end: runs it, records an override before it takes effect, and gives the ruling. */
import type { Payloads, PointName } from "@reasonix-ts/protocol";
import type { Course } from "./course.ts";
import type { Dispatch } from "./dispatch.ts";
import type { PermissionRuling, Ruling, Scope, Stopped } from "./ruling.ts";
import { runPoint } from "./run.ts";

/** Never rejects but with the caller's abort. */
export async function rule<P extends PointName>(
  dispatch: Dispatch,
  point: P,
  payload: Payloads[P],
  scope: Scope,
): Promise<Ruling<P>> {
  if (!dispatch.plan.wanted.has(point)) return { kind: "proceed", payload, changedBy: [] };
  const { course, stopped } = await runPoint(dispatch, point, payload, scope);
  if (stopped !== null) return stopped;
  const { permission, changes } = course;
  if (permission?.overruled === true) {
    const unrecorded = await audit(dispatch, course, permission);
    if (unrecorded !== null) return unrecorded;
  }
  dispatch.prefix.notePoint(dispatch.generation, course);
  const changedBy = changes.length === 0 ? [] : [...new Set(changes.map(({ plugin }) => plugin))];
  return {
    kind: "proceed",
    // The payload is the host's own or was decoded by this point's schema.
    payload: course.parcel.value as Payloads[P],
    changedBy,
    ...(permission === null ? {} : { permission }),
  };
}

/** An override that cannot be recorded does not happen. */
async function audit(dispatch: Dispatch, course: Course, permission: PermissionRuling): Promise<Stopped | null> {
  const { plan, ports, clock, redact, generation } = dispatch;
  const { plugin, reason } = permission;
  // By permission.decision's schema.
  const { name, arguments: args } = course.parcel.value as Payloads["permission.decision"];
  const { callId, verdict = "deny" } = course.scope;
  const seat = plan.chains["permission.decision"].find((one) => one.plugin === plugin) ?? plan.owners.get("permission");
  try {
    await ports.audit({
      time: new Date(clock.wall()).toISOString(),
      plugin,
      version: seat?.version ?? "",
      generation,
      tool: name,
      arguments: redact(args),
      verdict,
      reason,
      ...(callId === undefined ? {} : { callId }),
    });
    return null;
  } catch (error) {
    const cause = redact(error instanceof Error ? error.message : String(error));
    const message = `Plugin "${plugin}" allowed ${name} over the host's verdict (${verdict}), but that could not be written to the audit log: ${cause}. The call was refused.`;
    return { kind: "failed", plugin, reason: "internal", message };
  }
}
