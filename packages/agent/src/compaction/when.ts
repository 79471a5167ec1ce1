/** Decides when a conversation is folded, and which part of it; pure. */
import type { StoredMessage } from "../ports.ts";

export interface WindowFacts {
  /** The model's context window, in tokens. */
  readonly window: number;
  /** Share of the window above which the conversation is folded. */
  readonly ratio: number;
  /** Share of the window that recent messages keep. */
  readonly keepRatio: number;
}

/** Messages `from` up to, not including, `to`. */
export interface FoldRange {
  readonly from: number;
  readonly to: number;
}

/** Rough for every language, and never zero for a message: providers add a few tokens of their own. */
function estimateTokens(message: StoredMessage): number {
  let characters = (message.content?.length ?? 0) + (message.reasoning_content?.length ?? 0);
  for (const call of message.tool_calls ?? []) characters += call.name.length + call.arguments.length;
  return 4 + Math.ceil(characters / 4) + 1_000 * (message.images?.length ?? 0);
}

/** Tokens that the next request has: what the provider counted for the last one, and an estimate of what came since. */
export function requestTokens(
  messages: readonly StoredMessage[],
  last: { readonly tokens: number; readonly messages: number } | null,
  fixedTokens: number,
): number {
  const known = last !== null && last.messages <= messages.length ? last : { tokens: fixedTokens, messages: 0 };
  let tokens = known.tokens;
  for (let index = known.messages; index < messages.length; index++) {
    const message = messages[index];
    if (message !== undefined) tokens += estimateTokens(message);
  }
  return tokens;
}

export function isFull(tokens: number, { window, ratio }: WindowFacts): boolean {
  return tokens >= window * ratio;
}

/**
 * The part to fold: the first message (the task) stays, and as many of the last ones as `keepRatio` of the window holds.
 * A call is never parted from its results. Null where there is too little to fold.
 */
export function foldRange(messages: readonly StoredMessage[], { window, keepRatio }: WindowFacts): FoldRange | null {
  const from = messages[0]?.role === "user" ? 1 : 0;
  let to = messages.length;
  let kept = 0;
  // The last exchange stays in any case: what is being worked on cannot be in a summary.
  const lastStart = startOfUnit(messages, messages.length - 1);
  while (to > from) {
    const start = startOfUnit(messages, to - 1);
    const size = sizeOf(messages, start, to);
    if (start < lastStart && kept + size > window * keepRatio) break;
    kept += size;
    to = Math.max(start, from);
  }
  return to - from < 2 ? null : { from, to };
}

/** A unit is one message, or an answer with the results of its calls. */
function startOfUnit(messages: readonly StoredMessage[], index: number): number {
  let start = index;
  while (start > 0 && messages[start]?.role === "tool") start--;
  return start;
}

function sizeOf(messages: readonly StoredMessage[], from: number, to: number): number {
  let size = 0;
  for (const message of messages.slice(from, to)) size += estimateTokens(message);
  return size;
}
