/** The records of a session file: one JSON object a line, only ever appended. */
import {
  decodeTolerant,
  integer,
  json,
  list,
  Message,
  nonEmpty,
  number,
  object,
  oneOf,
  optional,
  string,
  Usage,
} from "@reasonix-ts/protocol";
import type { NativeBlocks, StoredMessage } from "../ports.ts";

/** Grows only when a reader of the old version would misread a new file. */
export const SESSION_VERSION = 1;

export interface SessionHead {
  readonly type: "session";
  readonly version: number;
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly workspaceRoot: string;
  readonly forkedFrom?: string;
}

export type SessionRecord =
  | SessionHead
  | {
      readonly type: "message";
      readonly message: StoredMessage;
      /** What the person typed, where the model got something else. */
      readonly typed?: string;
      readonly partial?: true;
      readonly usage?: Usage;
      readonly cost?: number;
      readonly currency?: string;
    }
  | {
      readonly type: "turn";
      readonly turnId: string;
      readonly state: TurnState;
      readonly at: number;
      readonly text?: string;
    }
  /** Messages `from` up to, not including, `to` of the list as it stood are replaced by one with the summary. */
  | { readonly type: "compaction"; readonly from: number; readonly to: number; readonly summary: string }
  | { readonly type: "goal"; readonly goal: string | null }
  | { readonly type: "model"; readonly model: string; readonly effort?: string }
  | { readonly type: "note"; readonly text: string }
  | {
      readonly type: "prefix";
      readonly system: string;
      readonly tools: string;
      readonly generation: number;
      readonly builtBy?: readonly string[];
    };

const TURN_STATES = ["started", "done", "failed", "blocked", "interrupted"] as const;
export type TurnState = (typeof TURN_STATES)[number];

const Head = object({
  type: oneOf(["session"]),
  version: integer({ min: 1 }),
  id: nonEmpty,
  createdAt: nonEmpty,
  workspaceRoot: nonEmpty,
  forkedFrom: optional(string),
});
const MessageRecord = object({
  type: oneOf(["message"]),
  message: Message,
  typed: optional(string),
  partial: optional(json),
  usage: optional(Usage),
  cost: optional(number()),
  currency: optional(string),
});
const TurnRecord = object({
  type: oneOf(["turn"]),
  turnId: nonEmpty,
  state: oneOf(TURN_STATES),
  at: number(),
  text: optional(string),
});
const CompactionRecord = object({
  type: oneOf(["compaction"]),
  from: integer({ min: 0 }),
  to: integer({ min: 0 }),
  summary: string,
});
const GoalRecord = object({ type: oneOf(["goal"]), goal: optional(string) });
const ModelRecord = object({ type: oneOf(["model"]), model: nonEmpty, effort: optional(string) });
const NoteRecord = object({ type: oneOf(["note"]), text: string });
const PrefixRecord = object({
  type: oneOf(["prefix"]),
  system: nonEmpty,
  tools: nonEmpty,
  generation: integer(),
  builtBy: optional(list(string)),
});
const Native = object({ provider: nonEmpty, blocks: list(json) });

/** Null for a record that this version does not know or understand: it is passed over, and reported by the reader. */
export function decodeRecord(value: unknown): SessionRecord | null {
  switch (typeOf(value)) {
    case "session":
      return valueOf(decodeTolerant(Head, value));
    case "message":
      return messageRecord(value);
    case "turn":
      return valueOf(decodeTolerant(TurnRecord, value));
    case "compaction":
      return valueOf(decodeTolerant(CompactionRecord, value));
    case "goal": {
      const record = valueOf(decodeTolerant(GoalRecord, value));
      return record === null ? null : { type: "goal", goal: record.goal ?? null };
    }
    case "model":
      return valueOf(decodeTolerant(ModelRecord, value));
    case "note":
      return valueOf(decodeTolerant(NoteRecord, value));
    case "prefix":
      return valueOf(decodeTolerant(PrefixRecord, value));
    default:
      return null;
  }
}

function messageRecord(value: unknown): SessionRecord | null {
  const record = valueOf(decodeTolerant(MessageRecord, value));
  if (record === null) return null;
  const { partial, message, ...rest } = record;
  // Members that the message's schema does not know are kept by a tolerant decode; native blocks are such a one.
  const native = nativeOf(message);
  return {
    ...rest,
    message: native === null ? message : { ...message, native },
    ...(partial === true ? { partial } : {}),
  };
}

function nativeOf(message: object): NativeBlocks | null {
  return "native" in message ? valueOf(decodeTolerant(Native, message.native)) : null;
}

function typeOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
}

function valueOf<T>(decoded: { readonly ok: true; readonly value: T } | { readonly ok: false }): T | null {
  return decoded.ok ? decoded.value : null;
}
