/** What a session is, from its records; pure, so that every cut of a file can be tried. */
import type { StoredMessage } from "../ports.ts";
import { summaryMessage } from "../compaction/summary.ts";
import type { Prefix } from "../prompt/prefix.ts";
import type { SessionHead, SessionRecord } from "./records.ts";

/** What people see of a conversation, in order; folded messages stay visible. */
export type TranscriptEntry =
  | { readonly kind: "message"; readonly message: StoredMessage; readonly typed?: string; readonly partial?: true }
  /** Such as an extension that overruled a deny. */
  | { readonly kind: "note"; readonly text: string };

/** A session's state, grown record by record. */
export interface Replay {
  head: SessionHead | null;
  /** What the model gets. */
  messages: StoredMessage[];
  /** What people see. */
  entries: TranscriptEntry[];
  goal: string | null;
  model: { readonly ref: string; readonly effort: string | null } | null;
  /** The turn that began and did not end. */
  openTurn: string | null;
  turns: number;
  prefix: Prefix | null;
  spent: Pick<Extract<SessionRecord, { type: "message" }>, "usage" | "cost" | "currency">[];
}

export function emptyReplay(): Replay {
  return {
    head: null,
    messages: [],
    entries: [],
    goal: null,
    model: null,
    openTurn: null,
    turns: 0,
    prefix: null,
    spent: [],
  };
}

export function apply(replay: Replay, record: SessionRecord): void {
  switch (record.type) {
    case "session":
      replay.head = record;
      return;
    case "message": {
      const { message, typed, partial, usage } = record;
      replay.messages.push(message);
      replay.entries.push({
        kind: "message",
        message,
        ...(typed === undefined ? {} : { typed }),
        ...(partial === undefined ? {} : { partial }),
      });
      if (usage !== undefined) replay.spent.push(record);
      return;
    }
    case "turn":
      if (record.state === "started") {
        replay.openTurn = record.turnId;
        replay.turns++;
      } else if (replay.openTurn === record.turnId) {
        replay.openTurn = null;
      }
      return;
    case "compaction":
      replay.messages.splice(record.from, record.to - record.from, summaryMessage(record.summary));
      return;
    case "goal":
      replay.goal = record.goal;
      return;
    case "model":
      replay.model = { ref: record.model, effort: record.effort ?? null };
      return;
    case "prefix":
      replay.prefix = record;
      return;
    case "note":
      replay.entries.push({ kind: "note", text: record.text });
      return;
  }
}

/** Whether nothing was ever said in it: such a session need not be kept. */
export function isEmpty({ entries, goal, turns }: Readonly<Replay>): boolean {
  return entries.length === 0 && goal === null && turns === 0;
}

/** Results for calls that never got one, in call order: a provider refuses a call without its result. */
export function openCallResults(messages: readonly StoredMessage[]): readonly StoredMessage[] {
  const last = messages.findLastIndex((message) => message.role === "assistant");
  const calls = messages[last]?.tool_calls ?? [];
  const answered = new Set(messages.slice(last + 1).map((message) => message.tool_call_id));
  return calls
    .filter((call) => !answered.has(call.id))
    .map((call) => ({
      role: "tool",
      tool_call_id: call.id,
      name: call.name,
      content:
        "The turn was interrupted before this call was finished. Whether it took effect is not known: look before you repeat it.",
    }));
}
