/** Tells subscribers what became of a point: fire and forget, never in the way of a call. */
import { DEADLINES, LIMITS, type PointName } from "@reasonix-ts/protocol";
import { writtenJson, writtenNotification, type RawJson, type WrittenNotification } from "@reasonix-ts/rpc";
import { formatBytes } from "@reasonix-ts/text";
import type { Seat } from "../generation/seat.ts";
import type { Dispatch } from "./dispatch.ts";
import { oversizeAt } from "./fallout.ts";
import type { Parcel } from "./payload.ts";

/** Sends the event to every live subscriber with the payload as it stands. */
export function observe(
  dispatch: Dispatch,
  point: PointName,
  seats: readonly Seat[],
  parcel: Parcel,
  meta: RawJson | undefined,
): void {
  let shared: WrittenNotification | undefined;
  for (const seat of seats) {
    const { sidecar } = seat;
    if (sidecar === null || sidecar.state.kind !== "ready") continue;
    const passage = parcel.passTo(sidecar.content);
    switch (passage.kind) {
      case "inline":
        shared ??= eventOf(point, passage.members, meta);
        // A session's start has to be there before the first intercept: it does not wait in the lane.
        if (point === "session.start") sidecar.peer.notifyWritten(shared);
        else if (!sidecar.peer.observeWritten(shared)) dispatch.stats?.dropped(seat.plugin, point);
        break;
      case "by_reference": {
        const sent = sidecar.peer.observeWritten(eventOf(point, passage.members, meta));
        if (!sent) dispatch.stats?.dropped(seat.plugin, point);
        sidecar.content.expire(passage.field.contentRef, sent ? DEADLINES.contentRefRetention : 0);
        break;
      }
      case "too_large":
        if (dispatch.standing.firstWarning(seat.plugin, oversizeAt(point))) {
          const text = `Plugin "${seat.plugin}" was not told of ${point}: its payload has ${passage.bytes} bytes, more than the ${formatBytes(LIMITS.contentRefObjectBytes)} that can travel.`;
          dispatch.ports.notice({ severity: "warn", code: "observation_dropped", plugin: seat.plugin, text });
        }
    }
  }
}

function eventOf(point: PointName, members: string, meta: RawJson | undefined): WrittenNotification {
  return writtenNotification("extension/event", writtenJson(`{"event":"${point}",${members}}`), meta);
}
