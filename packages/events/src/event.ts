/** The union of events that the agent emits and every frontend, `stream-json` and frontend.event see. */
import type { SurfaceKind, SurfacePayloads, Usage } from "@reasonix-ts/protocol";

/** What every event may carry: `text` and `detail` are what an interceptor of frontend.event can change. */
export interface EventBase {
  readonly text?: string;
  readonly detail?: string;
  /** `main` when absent, else the sub-agent's name. */
  readonly agent?: string;
}

export type TurnOutcome = "done" | "failed" | "blocked" | "interrupted";

/** A structured surface, stamped by the host: frontends drop one whose generation is not the live one. */
export type Surface = {
  [K in SurfaceKind]: {
    readonly kind: K;
    readonly plugin: string;
    readonly surfaceId: string;
    readonly sessionId: string;
    readonly generation: number;
    readonly payload: SurfacePayloads[K];
  };
}[SurfaceKind];

export interface Question {
  readonly key: string;
  readonly kind: "confirm" | "input" | "select" | "multiselect";
  readonly label: string;
  readonly options?: readonly string[];
  readonly default?: unknown;
  readonly required?: boolean;
}

/** The fields of each kind beside those of `EventBase`. Times are milliseconds, costs are in the model's currency. */
export interface EventFields {
  /** The line that a status bar shows in `text`. */
  readonly turn_status: { readonly status: "idle" | "working" | "waiting" };
  readonly turn_started: { readonly turnId: string; readonly model: string };
  readonly turn_phase: { readonly phase: "input" | "context" | "model" | "tools" | "compaction" | "saving" };
  /** `text` is what was typed; `sent` what the model got, when an extension changed it. */
  readonly user_message: { readonly text: string; readonly sent?: string; readonly changedBy?: readonly string[] };
  readonly stream_attempt: { readonly attempt: number; readonly model: string };
  /** A piece of the model's reasoning. */
  readonly reasoning: { readonly text: string };
  /** A piece of the model's answer. */
  readonly text: { readonly text: string };
  /** A whole answer as stored; replaces the streamed pieces when `replaced` is true. */
  readonly message: { readonly text: string; readonly reasoning?: string; readonly replaced?: boolean };
  readonly usage: { readonly usage: Usage; readonly cost?: number; readonly currency?: string };
  /** The model asked for a tool call. */
  readonly tool_dispatch: { readonly callId: string; readonly name: string; readonly arguments: string };
  /** The call passed its gate and runs, with these arguments. */
  readonly tool_started: { readonly callId: string; readonly name: string; readonly arguments: string };
  readonly tool_progress: { readonly callId: string; readonly name: string; readonly text: string };
  /** `text` is what the model sees of the result. */
  readonly tool_result: {
    readonly callId: string;
    readonly name: string;
    readonly text: string;
    readonly isError: boolean;
    readonly elapsedMillis: number;
  };
  readonly notice: { readonly severity: "info" | "warn" | "error"; readonly text: string; readonly plugin?: string };
  readonly retrying: { readonly attempt: number; readonly delayMillis: number; readonly text: string };
  readonly ask_request: {
    readonly id: string;
    readonly source: "permission" | "tool" | "extension" | "host";
    readonly title?: string;
    readonly message?: string;
    readonly questions: readonly Question[];
  };
  readonly prompt_answered: { readonly id: string; readonly cancelled: boolean };
  readonly compaction_started: { readonly messages: number };
  readonly compaction_done: { readonly text: string; readonly folded: number; readonly skipped?: string };
  readonly context_maintenance: { readonly text: string };
  readonly extension_status: {
    readonly plugin: string;
    readonly state: "starting" | "ready" | "skipped" | "benched" | "failed" | "gone";
    readonly text: string;
  };
  readonly extension_surface: { readonly surface: Surface };
  readonly turn_done: {
    readonly outcome: TurnOutcome;
    readonly text: string;
    readonly steps: number;
    readonly elapsedMillis: number;
    readonly usage?: Usage;
    readonly cost?: number;
    readonly currency?: string;
  };
}

export type EventKind = keyof EventFields;

export type EventOf<K extends EventKind> = { readonly kind: K } & EventBase & EventFields[K];

export type AgentEvent = { [K in EventKind]: EventOf<K> }[EventKind];

/** Every kind that this version knows; frontends drop others. */
export const EVENT_KINDS = [
  "turn_status",
  "turn_started",
  "turn_phase",
  "user_message",
  "stream_attempt",
  "reasoning",
  "text",
  "message",
  "usage",
  "tool_dispatch",
  "tool_started",
  "tool_progress",
  "tool_result",
  "notice",
  "retrying",
  "ask_request",
  "prompt_answered",
  "compaction_started",
  "compaction_done",
  "context_maintenance",
  "extension_status",
  "extension_surface",
  "turn_done",
] as const satisfies readonly EventKind[];

/** Kinds that never pass frontend.event as intercepts: nobody hides a prompt or loops on its own notice. */
export const UNFILTERED_KINDS: ReadonlySet<EventKind> = new Set<EventKind>([
  "ask_request",
  "prompt_answered",
  "extension_surface",
  "extension_status",
  "notice",
]);

export function isEventKind(value: string): value is EventKind {
  return EVENT_KINDS.some((kind) => kind === value);
}
