/** What the host asks of the program around it. Texts are redacted before they come here. */
import type { Decision, PointName, QuestionKind, SlotName } from "@reasonix-ts/protocol";
import type { Surface } from "./surfaces/surface.ts";

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
    | "prefix_changed"
    | "catalogue_problem"
    | "surface_problem"
    | "dependency_unmet";
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

/** One member of a payload that a replacement changed. */
export interface MemberChange {
  /** JSON pointer. */
  readonly member: string;
  /** JSON text, at most 4,096 characters; null where the member was or is absent. Content, so not redacted. */
  readonly before: string | null;
  readonly after: string | null;
  /** Whether one of the two texts is longer than what is kept of it. */
  readonly cut: boolean;
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
  /** The same with what they were and are; there after a replacement. */
  readonly changes?: readonly MemberChange[];
  /** From the call to its answer. */
  readonly millis: number;
  readonly callId?: string;
  readonly agent?: string;
}

/** What an extension asks a person; every field has a label, and every select its options. */
export interface SurfaceQuestion {
  readonly plugin: string;
  readonly surfaceId: string;
  readonly title?: string;
  readonly message?: string;
  readonly questions: readonly {
    readonly key: string;
    readonly kind: QuestionKind;
    readonly label: string;
    readonly options?: readonly string[];
    readonly default?: unknown;
    readonly required?: boolean;
  }[];
}

export type SurfaceAnswer =
  /** By the keys of the questions: a text, true or false, an option, a list of options. */
  { readonly kind: "answered"; readonly values: { readonly [key: string]: unknown } } | { readonly kind: "cancelled" };

/** The frontend, seen from extensions. What comes here is judged, stamped, stripped, redacted and throttled. */
export interface UiPort {
  /** Shows a surface, or the next state of the one with the same plugin and id. Must not throw. */
  show(surface: Surface): void;
  /** Settles with `cancelled` at once when nobody can answer. `signal` fires when the sidecar is gone. */
  ask(question: SurfaceQuestion, options: { readonly signal: AbortSignal }): Promise<SurfaceAnswer>;
}

/** Judges a tool's arguments by its JSON Schema: null when they fit, else a sentence on what is wrong. */
export type ArgumentsJudge = (
  schema: object,
  args: { readonly [key: string]: unknown },
) => string | null | Promise<string | null>;

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
  /** Judges the arguments of extension tools; absent where whoever calls them has done so. */
  readonly judgeArguments?: ArgumentsJudge;
  /** Hears of every call of a chain; costs nothing when absent. */
  readonly receipt?: (receipt: Receipt) => void;
}
