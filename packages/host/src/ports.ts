/** What the host asks of the program around it. Texts are redacted before they come here. */
import type {
  Decision,
  Infer,
  PointName,
  SlotName,
  UIPublishParams,
  UIRequestParams,
  UIRequestResult,
} from "@reasonix-ts/protocol";

/** Something that a person or a log should hear of once. */
export interface Notice {
  readonly severity: "info" | "warn" | "error";
  /** Stable, for programs. */
  readonly code:
    | "start_failed"
    | "sidecar_died"
    | "interceptor_skipped"
    | "interceptor_benched"
    | "observation_dropped"
    | "shutdown_timeout"
    | "cleanup_failed"
    | "prefix_changed";
  readonly plugin: string;
  readonly text: string;
}

/** An `allow` of an extension over a deny or an ask of the host. */
export interface AuditEntry {
  /** ISO 8601. */
  readonly time: string;
  readonly plugin: string;
  readonly version: string;
  readonly generation: number;
  readonly tool: string;
  /** Redacted. */
  readonly arguments: string;
  /** What was overruled: `ask`, `deny by rule bash(rm*)`. */
  readonly verdict: string;
  readonly reason: string;
  readonly callId?: string;
}

/** A guard fell silent at a tool call: may the call go on without its word? */
export interface GuardQuestion {
  readonly plugin: string;
  readonly point: PointName;
  readonly tool: string;
  /** Redacted, without control characters. */
  readonly arguments: string;
  readonly cause: string;
}

/** Who asked what at which point, and what came of it. */
export interface Receipt {
  readonly generation: number;
  readonly point: PointName;
  readonly plugin: string;
  /** The slot when the call was made to its owner, else null. */
  readonly slot: SlotName | null;
  /** What was answered, or what failed. */
  readonly outcome: Decision | "error_reply" | "timeout" | "death" | "illegal" | "oversize";
  /** JSON pointers of the payload's members that changed. */
  readonly changed: readonly string[];
  /** From the call to its answer. */
  readonly millis: number;
  readonly callId?: string;
  readonly agent?: string;
}

/** Who sent something to the surfaces. */
export interface SurfaceSender {
  readonly plugin: string;
  readonly generation: number;
}

/** Where surfaces and questions go once their sender's right to send them is checked. */
export interface UiPort {
  publish(from: SurfaceSender, surface: Infer<typeof UIPublishParams>): { readonly accepted: boolean };
  /** Settles with `{cancelled: true}` when nobody can answer. `signal` fires when the sidecar is gone. */
  request(
    from: SurfaceSender,
    question: Infer<typeof UIRequestParams>,
    options: { readonly signal: AbortSignal },
  ): Promise<UIRequestResult>;
}

export interface HostPorts {
  notice(notice: Notice): void;
  /** Must settle once the entry is safe: an override that cannot be recorded does not happen. */
  audit(entry: AuditEntry): void | Promise<void>;
  /** Null when nobody is present. */
  readonly askPerson:
    | ((question: GuardQuestion, options: { readonly signal?: AbortSignal }) => Promise<boolean>)
    | null;
  /** Null without a frontend: questions are then answered `{cancelled: true}` at once. */
  readonly ui: UiPort | null;
  /** Hears of every call of a chain; costs nothing when absent. */
  readonly receipt?: (receipt: Receipt) => void;
}
