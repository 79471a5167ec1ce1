/** What the scripted model says: it thinks, reads the file that the task names, then tells how that begins. */
import type { Message, ProviderChunk, ProviderRequest, StreamPart, Usage } from "@reasonix-ts/sdk";

/** Opaque to everybody but its maker; a real provider refuses reasoning whose signature is not its own. */
export const SIGNATURE = "signed-by-scripted-small";

const READ = "read_file";

export function* answer(request: ProviderRequest): Generator<StreamPart> {
  const { messages, tools } = request;
  const start = messages.findLastIndex((message) => message.role === "user");
  const result = messages.slice(start + 1).findLast((message) => message.role === "tool")?.content ?? null;
  const wantsTool = result === null && tools.some((tool) => tool.name === READ);
  if (wantsTool) yield* readFile(messages[start]?.content ?? "");
  else yield* tell(result, messages);
  yield { type: "usage", usage: usageOf(messages, wantsTool ? "tool_calls" : "stop") };
}

function* readFile(task: string): Generator<ProviderChunk> {
  yield { type: "reasoning", text: "I cannot answer before I have looked. " };
  yield { type: "reasoning", text: "I read the file.", signature: SIGNATURE };
  const path = /[\w./-]+\.\w+/.exec(task)?.[0] ?? "README.md";
  const toolCall = { id: "call-1", name: READ, arguments: JSON.stringify({ path }) };
  // The start lets a frontend show the call while its arguments are still written; only the whole call runs.
  yield { type: "tool_call_start", toolCall: { ...toolCall, arguments: "" } };
  yield { type: "tool_call_args_delta", argChars: toolCall.arguments.length };
  yield { type: "tool_call", toolCall };
}

function* tell(result: string | null, messages: readonly Message[]): Generator<StreamPart> {
  yield { type: "reasoning", text: "Now I can answer.", signature: SIGNATURE };
  yield result === null ? "I have no tool to look with." : `It begins: ${result.split("\n")[0]}.`;
  if (messages.some((message) => message.reasoning_signature === SIGNATURE)) yield " My reasoning came back signed.";
}

/** Counts as a provider would: what an earlier request already sent is a cache hit. */
function usageOf(messages: readonly Message[], finishReason: string): Usage {
  const earlier = messages.slice(0, messages.findLastIndex((message) => message.role === "assistant") + 1);
  const promptTokens = tokensIn(messages);
  const cacheHitTokens = tokensIn(earlier);
  const completionTokens = 20;
  return {
    promptTokens,
    completionTokens,
    totalTokens: promptTokens + completionTokens,
    cacheHitTokens,
    cacheMissTokens: promptTokens - cacheHitTokens,
    reasoningTokens: 10,
    finishReason,
  };
}

function tokensIn(messages: readonly Message[]): number {
  return messages.reduce((sum, { content = "" }) => sum + Math.ceil(content.length / 4), 0);
}
