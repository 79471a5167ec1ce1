/** The course of one point: the payload as it stands, who changed it, what was ruled so far. */
import type { PointName, SlotName } from "@reasonix-ts/protocol";
import { isDeepStrictEqual } from "node:util";
import { oneLine } from "@reasonix-ts/text";
import type { Seat } from "../generation/seat.ts";
import type { Folded } from "./fold.ts";
import { Parcel } from "./payload.ts";
import type { Subject } from "./plan.ts";
import type { PermissionRuling, Scope, Stopped } from "./ruling.ts";

/** A change of the payload, with the slot of the owner that made it. */
export interface Change {
  readonly plugin: string;
  readonly slot: SlotName | null;
}

const NO_REASON = "no reason given";

export class Course {
  readonly point: PointName;
  readonly scope: Scope;
  /** The payload as the point began. */
  readonly original: object;
  readonly #changes: Change[] = [];
  #parcel: Parcel;
  #permission: PermissionRuling | null = null;

  constructor(point: PointName, payload: object, scope: Scope) {
    this.point = point;
    this.scope = scope;
    this.original = payload;
    this.#parcel = new Parcel(payload);
  }

  get parcel(): Parcel {
    return this.#parcel;
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  get permission(): PermissionRuling | null {
    return this.#permission;
  }

  /** What the point is about: as it began, and as it stands now. */
  subjects(): readonly Subject[] {
    const { modelRef } = this.scope;
    const first = memberOf(this.original, "name");
    const now = memberOf(this.#parcel.value, "name");
    const subject = { tool: first, modelRef };
    return now === first ? [subject] : [subject, { tool: now, modelRef }];
  }

  /** Lets an understood answer take effect, and says how the point goes on. */
  apply(
    folded: Exclude<Folded, { readonly kind: "illegal" }>,
    seat: Seat,
    slot: SlotName | null,
    redact: (text: string) => string,
  ): "next" | "owners" | Stopped {
    const { plugin } = seat;
    switch (folded.kind) {
      case "continue":
        return "next";
      case "replace":
        this.#replace(folded.payload, { plugin, slot });
        return "next";
      case "block":
        return { kind: "blocked", plugin, reason: shown(folded.reason, redact) };
      case "allow":
      case "deny": {
        const overruled = folded.kind === "allow" && memberOf(this.original, "hostDecision") === "deny";
        this.#permission = { decision: folded.kind, plugin, reason: shown(folded.reason, redact), overruled };
        this.#parcel = new Parcel({ ...this.#parcel.value, hostDecision: folded.kind });
        return folded.kind === "deny" ? "owners" : "next";
      }
    }
  }

  #replace(payload: object, change: Change): void {
    if (payload === this.#parcel.value) return;
    const text = JSON.stringify(payload);
    if (text === this.#parcel.text || isDeepStrictEqual(payload, this.#parcel.value)) return;
    this.#parcel = new Parcel(payload, text);
    this.#changes.push(change);
  }
}

function shown(reason: string, redact: (text: string) => string): string {
  const text = oneLine(redact(reason));
  return text === "" ? NO_REASON : text;
}

/** Payloads are judged by their point's schema; here one string member is read whatever the point is. */
function memberOf(payload: object, member: "name" | "hostDecision"): string | undefined {
  const value = (payload as { readonly [name: string]: unknown })[member];
  return typeof value === "string" ? value : undefined;
}
