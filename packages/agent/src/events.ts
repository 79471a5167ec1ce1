/** The one way of events to the frontend: through frontend.event where somebody wants it, straight on where nobody does. */
import { UNFILTERED_KINDS, type AgentEvent } from "@reasonix-ts/events";
import * as points from "./points.ts";
import type { Clock, Emit, ExtensionLease, Scope } from "./ports.ts";

/** How long pieces of text are gathered before they pass frontend.event as one. */
const JOIN_MILLIS = 50;

export class Events {
  readonly #emit: Emit;
  readonly #clock: Clock;
  readonly #sessionId: () => string;
  #lease: ExtensionLease | null = null;
  readonly #queue: AgentEvent[] = [];
  #pumping: Promise<void> | null = null;
  #hurry: AbortController | null = null;
  /** Somebody waits for the queue: nothing more is gathered. */
  #draining = 0;
  readonly #failed = new Set<string>();

  constructor(options: { readonly emit: Emit; readonly clock: Clock; readonly sessionId: () => string }) {
    this.#emit = options.emit;
    this.#clock = options.clock;
    this.#sessionId = options.sessionId;
  }

  /** Binds the generation that the running turn pinned; null between turns. */
  bind(lease: ExtensionLease | null): void {
    this.#lease = lease?.wants("frontend.event") === true ? lease : null;
    this.#failed.clear();
  }

  emit(event: AgentEvent): void {
    const passes = this.#lease !== null && !UNFILTERED_KINDS.has(event.kind);
    // Something that nobody may hide still comes after what was said before it.
    if (!passes && this.#pumping === null) {
      this.#emit(event);
      return;
    }
    const last = this.#queue.at(-1);
    const joined = last === undefined ? null : join(last, event);
    if (joined !== null) this.#queue[this.#queue.length - 1] = joined;
    else this.#queue.push(event);
    if (!isPiece(event)) this.#hurry?.abort();
    this.#pumping ??= this.#pump();
  }

  /** Settles when every event so far is with the frontend. */
  async drain(): Promise<void> {
    this.#draining++;
    try {
      while (this.#pumping !== null) {
        this.#hurry?.abort();
        await this.#pumping;
      }
    } finally {
      this.#draining--;
    }
  }

  async #pump(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        if (this.#draining === 0 && this.#queue.length === 1 && isPiece(this.#queue[0])) await this.#gather();
        const event = this.#queue.shift();
        if (event !== undefined) await this.#pass(event);
      }
    } finally {
      this.#pumping = null;
    }
  }

  /** Waits for more pieces of text; cut short when anything else comes. */
  async #gather(): Promise<void> {
    this.#hurry = new AbortController();
    try {
      await this.#clock.sleep(JOIN_MILLIS, { signal: this.#hurry.signal });
    } catch (error) {
      if (!this.#hurry.signal.aborted) throw error;
    } finally {
      this.#hurry = null;
    }
  }

  async #pass(event: AgentEvent): Promise<void> {
    if (this.#lease === null || UNFILTERED_KINDS.has(event.kind)) {
      this.#emit(event);
      return;
    }
    const { kind, text, detail, agent } = event;
    const payload = { kind, ...(text === undefined ? {} : { text }), ...(detail === undefined ? {} : { detail }) };
    const scope: Scope = { agent: agent ?? "main", sessionId: this.#sessionId() };
    const ruled = await points.frontendEvent(this.#lease, payload, scope);
    switch (ruled.kind) {
      case "proceed":
        this.#emit(ruled.changedBy.length === 0 ? event : changed(event, ruled.value.text, ruled.value.detail));
        return;
      case "blocked":
        return;
      case "failed":
        // The operation is this one event; its failure is told once a turn and plugin.
        if (this.#failed.has(ruled.plugin)) return;
        this.#failed.add(ruled.plugin);
        this.#emit({ kind: "notice", severity: "error", text: ruled.text, plugin: ruled.plugin });
    }
  }
}

function isPiece(event: AgentEvent | undefined): boolean {
  return event?.kind === "text" || event?.kind === "reasoning";
}

/** Pieces of one thing that wait behind each other go on as one. */
function join(last: AgentEvent, next: AgentEvent): AgentEvent | null {
  if (last.kind === "tool_progress" && next.kind === "tool_progress") {
    return last.callId === next.callId ? { ...last, text: last.text + next.text } : null;
  }
  if (last.kind !== "text" && last.kind !== "reasoning") return null;
  if (last.kind !== next.kind || last.agent !== next.agent) return null;
  return { ...last, text: last.text + next.text };
}

/** A replacement changes text and detail alone; an absent text is an empty one. */
function changed(event: AgentEvent, text: string | undefined, detail: string | undefined): AgentEvent {
  const { detail: _detail, ...rest } = event;
  const hadText = event.text !== undefined;
  return {
    ...rest,
    ...(hadText || text !== undefined ? { text: text ?? "" } : {}),
    ...(detail === undefined ? {} : { detail }),
  };
}
