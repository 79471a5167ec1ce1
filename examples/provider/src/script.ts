/** What the scripted model says: it thinks, lists the folder, then tells what it saw. */
import type { Message, ProviderChunk, ProviderRequest, StreamPart, Usage } from "@reasonix-ts/sdk";

/** Opaque to everybody but its maker; a real provider refuses reasoning whose signature is not its own. */
export const SIGNATURE = "signed-by-scripted-small";

export function* answer(request: ProviderRequest): Generator<StreamPart> {
  const { messages } = request;
  const result = resultSinceTheTask(messages);
  if (result === null && request.tools.some((tool) => tool.name === "list_dir")) yield* firstStep();
  else yield* lastStep(result, messages);
  yield { type: "usage", usage: usageOf(messages, result === null ? "tool_calls" : "stop") };
}

function* firstStep(): Generator<ProviderChunk> {
  yield { type: "reasoning", text: "I cannot answer before I have looked. " };
  yield { type: "reasoning", text: "I list the folder.", signature: SIGNATURE };
  const toolCall = { id: "call-1", name: "list_dir", arguments: '{"path":"."}' };
  // The start lets a frontend show the call while its arguments are still written; only the whole call runs.
  yield { type: "tool_call_start", toolCall: { ...toolCall, arguments: "" } };
  yield { type: "tool_call_args_delta", argChars: toolCall.arguments.length };
  yield { type: "tool_call", toolCall };
}

function* lastStep(result: string | null, messages: readonly Message[]): Generator<StreamPart> {
  yield result === null ? "I have no tool to look with." : `The folder holds: ${result.split("\n").join(", ")}.`;
  if (messages.some((message) => message.reasoning_signature === SIGNATURE)) yield " My reasoning came back signed.";
}

function resultSinceTheTask(messages: readonly Message[]): string | null {
  const task = messages.findLastIndex((message) => message.role === "user");
  return messages.slice(task + 1).findLast((message) => message.role === "tool")?.content ?? null;
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
