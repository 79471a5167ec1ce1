/** Takes provider-native blocks off messages before extensions see them, and puts them back on what came back unchanged. */
import type { Message } from "@reasonix-ts/protocol";
import type { NativeBlocks, StoredMessage } from "./ports.ts";

export function withoutNative(messages: readonly StoredMessage[]): readonly Message[] {
  return messages.map((message) => (message.native === undefined ? message : plain(message)));
}

/**
 * A message that equals one that was sent out gets its blocks back, in order; a changed one goes on without them, since
 * blocks in the provider's own form would contradict the new text.
 */
export function restoreNative(
  messages: readonly Message[],
  originals: readonly StoredMessage[],
): readonly StoredMessage[] {
  const waiting = new Map<string, NativeBlocks[]>();
  for (const original of originals) {
    if (original.native === undefined) continue;
    const key = keyOf(plain(original));
    const blocks = waiting.get(key);
    if (blocks === undefined) waiting.set(key, [original.native]);
    else blocks.push(original.native);
  }
  if (waiting.size === 0) return messages;
  return messages.map((message) => {
    const native = waiting.get(keyOf(message))?.shift();
    return native === undefined ? message : { ...message, native };
  });
}

function plain(message: StoredMessage): Message {
  const { native: _native, ...rest } = message;
  return rest;
}

/** Members in a fixed order: an extension may write them in another. */
function keyOf(message: Message): string {
  return JSON.stringify([
    message.role,
    message.content ?? "",
    message.reasoning_content ?? "",
    message.reasoning_signature ?? "",
    message.tool_calls?.map((call) => [call.id, call.name, call.arguments, call.thought_signature ?? ""]) ?? [],
    message.tool_call_id ?? "",
    message.name ?? "",
    message.images ?? [],
  ]);
}
