/** Watches how full a conversation is during a turn, and makes room in time. */
import type { CompactionSettings } from "../settings.ts";
import type { AgentRun } from "../run.ts";
import { compact, type CompactionResult } from "./how.ts";
import { foldRange, isFull, requestTokens, type WindowFacts } from "./when.ts";

export class RoomKeeper {
  readonly #settings: CompactionSettings;
  /** What the provider counted for the last request and its answer, else our estimate; and how many messages that were. */
  #last: { readonly tokens: number; readonly messages: number } | null = null;
  /** A compaction that was skipped is not tried again in the same turn: each try costs a request. */
  #gaveUp = false;

  constructor(settings: CompactionSettings) {
    this.#settings = settings;
  }

  /** A new turn may try again. */
  begin(): void {
    this.#gaveUp = false;
  }

  /** `messages` counts those of the request and the answer to it. */
  counted(tokens: number, messages: number): void {
    this.#last = { tokens, messages };
  }

  /** Null where there is room, or nothing to be done about it. */
  makeRoom(run: AgentRun): Promise<void> | null {
    if (this.#gaveUp) return null;
    const facts = this.#facts(run);
    const fixed = Math.ceil(run.system.length / 4) + 100 * run.tools.names.length;
    const { messages } = run.conversation;
    const tokens = requestTokens(messages, this.#last, fixed);
    if (!isFull(tokens, facts)) {
      // A provider that counts nothing must not make each request look through the whole conversation.
      this.#last = { tokens, messages: messages.length };
      return null;
    }
    // What the provider counts can be far more than the estimate, for Chinese by several times: the estimates that decide
    // what is kept are stretched by as much.
    const stretch = Math.max(1, tokens / requestTokens(messages, null, fixed));
    const range = foldRange(messages, { ...facts, keepRatio: facts.keepRatio / stretch });
    if (range === null) return null;
    return compact(run, range, "").then((result) => {
      this.#done(result);
    });
  }

  /** On demand, however much room there is. */
  async compactNow(run: AgentRun, guidance: string): Promise<CompactionResult> {
    const range = foldRange(run.conversation.messages, { ...this.#facts(run), keepRatio: 0 });
    if (range === null) return { kind: "skipped", why: "There is too little to fold." };
    const result = await compact(run, range, guidance);
    this.#done(result);
    return result;
  }

  #done(result: CompactionResult): void {
    this.#last = null;
    this.#gaveUp = result.kind === "skipped";
  }

  #facts(run: AgentRun): WindowFacts {
    const { contextWindow } = run.model.descriptor;
    const { ratio, keepRatio, assumedWindow } = this.#settings;
    const window = contextWindow === undefined || contextWindow === 0 ? assumedWindow : contextWindow;
    return { window, ratio, keepRatio };
  }
}
