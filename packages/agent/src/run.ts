/** What one agent works with during one turn: the main one, or a sub-agent. */
import type { FoldRange } from "./compaction/when.ts";
import type { Events } from "./events.ts";
import type { Limits } from "./limits.ts";
import type { Meter } from "./meter.ts";
import type { Permissions } from "./permissions/permissions.ts";
import type { PrefixWatch } from "./prompt/prefix-watch.ts";
import type { Clock, ExtensionLease, Model, Person, Scope, StoredMessage } from "./ports.ts";
import type { ToolServices } from "./tools/services.ts";
import type { ToolSet } from "./tools/tool-set.ts";
import type { Usage } from "@reasonix-ts/protocol";

/** Where an agent's messages live: the main one's on disk, a sub-agent's in memory. */
export interface Conversation {
  readonly messages: readonly StoredMessage[];
  append(message: StoredMessage, about?: MessageFacts): Promise<void>;
  /** Puts a summary in the place of a range of messages. */
  fold(range: FoldRange, summary: string): Promise<void>;
}

export interface MessageFacts {
  /** What the person typed, where the model got something else. */
  readonly typed?: string;
  /** The answer broke off. */
  readonly partial?: true;
  readonly usage?: Usage;
  readonly cost?: number;
  readonly currency?: string;
}

export interface AgentRun {
  /** `main` or the sub-agent's name. */
  readonly agent: string;
  readonly sessionId: string;
  readonly lease: ExtensionLease | null;
  readonly model: Model;
  readonly effort: string | null;
  readonly system: string;
  readonly tools: ToolSet;
  readonly conversation: Conversation;
  /** Text that changes from request to request, sent last and never stored; null where there is none. */
  readonly tail: () => string | null;
  readonly limits: Limits;
  readonly meter: Meter;
  readonly events: Events;
  readonly permissions: Permissions;
  readonly person: Person;
  readonly clock: Clock;
  readonly services: ToolServices;
  /** Keeps a note in the transcript, for people. */
  readonly note: (text: string) => Promise<void>;
  /** Tells when extensions keep the provider's cache from working; null where nobody watches. */
  readonly prefixWatch: PrefixWatch | null;
  /** Makes room in the conversation where it is near the model's window; called before each request; null where there is room. */
  readonly makeRoom: () => Promise<void> | null;
  /** Told what the provider counted for a request with its answer, once the answer is in the conversation. */
  readonly counted: (tokens: number) => void;
  readonly signal: AbortSignal;
}

/** Who asks at a point; `more` adds the call or the verdict. */
export function scopeOf(run: AgentRun, more: Omit<Scope, "agent" | "sessionId" | "signal"> = {}): Scope {
  return { agent: run.agent, sessionId: run.sessionId, signal: run.signal, ...more };
}

/** Members that an event carries when a sub-agent speaks. */
export function speaker(run: AgentRun): { readonly agent?: string } {
  return run.agent === "main" ? {} : { agent: run.agent };
}
