/** What goes into a point and what comes out of it. The agent's extensions port has these very shapes. */
import type { Payloads, PointName, Reason } from "@reasonix-ts/protocol";

/** Who asks at a point, and about what; goes into the frame's `_meta` and picks `tool:` and `provider:` owners. */
export interface Scope {
  /** The tool call's id, the same at tool.before, permission.decision and tool.after. */
  readonly callId?: string;
  /** `main` or the sub-agent's name. */
  readonly agent?: string;
  /** The stored session's id. */
  readonly sessionId?: string;
  /** The model's ref at provider points. */
  readonly modelRef?: string;
  /** At permission.decision, the host's verdict in words (`ask`, `deny by rule bash(rm*)`), for the audit log. */
  readonly verdict?: string;
  readonly signal?: AbortSignal;
}

/** The extensions' word on a permission. */
export interface PermissionRuling {
  readonly decision: "allow" | "deny";
  readonly plugin: string;
  /** Redacted, without control characters. */
  readonly reason: string;
  /** An `allow` over a deny or an ask; it is in the audit log. */
  readonly overruled: boolean;
}

/** What came of a point: the chain first, then the slot's owner. */
export type Ruling<P extends PointName> =
  | {
      readonly kind: "proceed";
      readonly payload: Payloads[P];
      /** Plugins that changed the payload, in order. */
      readonly changedBy: readonly string[];
      /** At permission.decision: the last word of the extensions, absent when none ruled. */
      readonly permission?: PermissionRuling;
    }
  | Stopped;

export type Stopped =
  /** An extension said no; `reason` is redacted and free of control characters. */
  | { readonly kind: "blocked"; readonly plugin: string; readonly reason: string }
  /** An owner or a required extension failed, or a guard's answer was not understood: the operation fails. */
  | { readonly kind: "failed"; readonly plugin: string; readonly reason: Reason; readonly message: string };
