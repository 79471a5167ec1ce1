/** THE table of hook points: payload, what a replacement must hold, what stays the host's, family, slots. */
import { Message, ProviderRequest, ToolCall, Usage } from "./provider.ts";
import { object, optional, type ObjectSchema } from "./object-schema.ts";
import { boolean, integer, list, named, nonEmpty, oneOf, string, type Infer } from "./schema.ts";
import type { SlotKind } from "./slots.ts";

/** `fast` points have 5 s by default, `slow` ones 30 s. */
export type Family = "fast" | "slow";

export interface PointRow {
  readonly family: Family;
  /** Slots whose owner has the last word, in the order in which they are asked. */
  readonly slots: readonly SlotKind[];
  readonly payload: ObjectSchema<object>;
  /** JSON pointers that a replacement must hold; elsewhere an absent member is its zero value. */
  readonly required: readonly string[];
  /** Members that keep the host's value whatever a replacement says. */
  readonly fixed: readonly string[];
  /** Whether an answer that is not understood refuses the operation. */
  readonly guard: boolean;
  /** Whether a replacement's payload takes effect at all. */
  readonly replaceable: boolean;
  /** Whether an error reply from a non-owner counts as `continue` (existing sidecars know these as events). */
  readonly eventByHabit: boolean;
}

type Phase = "start" | "load" | "save" | "rotate" | "end";

const sessionPath = { required: nonEmpty, optional: optional(string) };

function sessionPayload<const P extends Phase>(name: string, phase: P) {
  return named(name, object({ phase: oneOf([phase]), sessionPath: sessionPath.required }));
}

function openPayload<const P extends Phase>(name: string, phase: P) {
  return named(name, object({ phase: oneOf([phase]), sessionPath: sessionPath.optional }));
}

const session = {
  family: "slow",
  slots: ["session_policy"],
  required: [],
  fixed: ["phase", "sessionPath"],
  guard: false,
  replaceable: false,
  eventByHabit: true,
} as const;

const slow = { family: "slow", fixed: [], guard: false, replaceable: true, eventByHabit: false } as const;
const fast = { family: "fast", fixed: [], guard: false, replaceable: true, eventByHabit: false } as const;

export const POINTS = {
  "session.start": { ...session, payload: openPayload("SessionStartPayload", "start") },
  "session.load": { ...session, payload: sessionPayload("SessionLoadPayload", "load") },
  "session.save": { ...session, payload: sessionPayload("SessionSavePayload", "save") },
  "session.rotate": { ...session, payload: sessionPayload("SessionRotatePayload", "rotate") },
  "session.end": { ...session, payload: openPayload("SessionEndPayload", "end") },
  "system_prompt.build": {
    ...slow,
    slots: ["system_prompt"],
    payload: named("SystemPromptBuildPayload", object({ prompt: string, workspaceRoot: nonEmpty })),
    required: ["/prompt"],
    fixed: ["workspaceRoot"],
    eventByHabit: true,
  },
  "input.receive": {
    ...fast,
    slots: [],
    payload: named("InputReceivePayload", object({ text: string })),
    required: ["/text"],
  },
  "agent.before_start": {
    ...slow,
    slots: [],
    payload: named(
      "AgentBeforeStartPayload",
      object({ sessionId: nonEmpty, model: optional(string), toolCount: optional(integer({ min: 0 })) }),
    ),
    required: ["/sessionId"],
    replaceable: false,
  },
  "context.prepare": {
    ...slow,
    slots: ["context"],
    payload: named("ContextPreparePayload", object({ messages: list(Message) })),
    required: ["/messages"],
  },
  "provider.request": {
    ...slow,
    slots: ["provider_request", "provider"],
    payload: named("ProviderRequestPayload", object({ request: ProviderRequest })),
    required: ["/request", "/request/messages", "/request/tools"],
  },
  "provider.response": {
    ...slow,
    slots: ["provider_response", "provider"],
    payload: named(
      "ProviderResponsePayload",
      object({
        text: optional(string),
        reasoning: optional(string),
        calls: optional(list(ToolCall)),
        usage: optional(Usage),
      }),
    ),
    required: [],
  },
  "tool.before": {
    ...fast,
    slots: ["tool"],
    payload: named("ToolBeforePayload", object({ name: nonEmpty, arguments: string })),
    required: ["/name", "/arguments"],
    guard: true,
  },
  "permission.decision": {
    ...fast,
    slots: ["permission"],
    payload: named(
      "PermissionDecisionPayload",
      object({
        name: nonEmpty,
        arguments: string,
        readOnly: optional(boolean),
        hostDecision: oneOf(["allow", "deny"]),
      }),
    ),
    required: ["/name", "/hostDecision"],
    fixed: ["name", "arguments", "readOnly"],
    guard: true,
    replaceable: false,
  },
  "tool.after": {
    ...fast,
    slots: ["tool"],
    payload: named(
      "ToolAfterPayload",
      object({ name: nonEmpty, arguments: string, result: optional(string), isError: optional(boolean) }),
    ),
    required: ["/name"],
  },
  "compaction.prepare": {
    ...slow,
    slots: ["compaction"],
    payload: named("CompactionPreparePayload", object({ messages: list(Message), guidance: optional(string) })),
    required: ["/messages"],
  },
  "compaction.complete": {
    ...slow,
    slots: ["compaction"],
    payload: named("CompactionCompletePayload", object({ summary: string })),
    required: ["/summary"],
  },
  "frontend.event": {
    ...fast,
    slots: ["frontend_events"],
    payload: named(
      "FrontendEventPayload",
      object({ kind: nonEmpty, text: optional(string), detail: optional(string) }),
    ),
    required: ["/kind"],
    fixed: ["kind"],
    eventByHabit: true,
  },
} as const satisfies { readonly [point: string]: PointRow };

export type PointName = keyof typeof POINTS;

/** The payload that travels at each point. */
export type Payloads = { readonly [P in PointName]: Infer<(typeof POINTS)[P]["payload"]> };

export const POINT_NAMES: readonly PointName[] = Object.keys(POINTS).filter(isPointName);

export function isPointName(value: unknown): value is PointName {
  return typeof value === "string" && Object.hasOwn(POINTS, value);
}
