/** The built-in model `offline/scripted`: no key, no network, the same answer to the same request every time. */
import type { Message, ProviderDescriptor, Usage } from "@reasonix-ts/protocol";
import type { Model, ModelChunk, ModelRequest } from "../ports.ts";
import { cancelledFailure } from "./failure.ts";
import { inPieces, nextStep, type OfflineStep } from "./offline-script.ts";

export const OFFLINE_REF = "offline/scripted";

/** What a frontend shows beside an answer of this model; it is never part of the answer. */
export const OFFLINE_HINT = "This is the offline model: it repeats you. For a real one: reasonix setup";

export function offlineModel(ref: string = OFFLINE_REF): Model {
  return {
    ref,
    descriptor: offlineDescriptor(ref),
    stream: (request, options) => answer(ref, request, options.signal),
  };
}

export function offlineDescriptor(ref: string = OFFLINE_REF): ProviderDescriptor {
  return {
    ref,
    displayName: "Offline (scripted, no network)",
    model: "scripted",
    contextWindow: 128_000,
    inputPerMillion: 0,
    outputPerMillion: 0,
    cacheHitPerMillion: 0,
    vision: false,
    tools: true,
    reasoning: true,
  };
}

/** After this many pieces the event loop gets a turn, so that a long answer can be cancelled. */
const PIECES_A_TURN = 64;

async function* answer(
  ref: string,
  request: ModelRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly ModelChunk[]> {
  const step = nextStep(request.messages, request.tools.length > 0);
  let size = 0;
  let pieces = 0;
  for (const chunk of chunksOf(step)) {
    if (signal?.aborted === true) throw cancelledFailure(ref, signal.reason);
    size += chunk.text?.length ?? 0;
    yield [chunk];
    if (++pieces % PIECES_A_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  if (signal?.aborted === true) throw cancelledFailure(ref, signal.reason);
  yield [{ type: "usage", usage: usageOf(request, step, size) }, { type: "done" }];
}

type OfflineChunk = Extract<ModelChunk, { readonly text?: string }>;

function* chunksOf(step: OfflineStep): Generator<OfflineChunk> {
  for (const text of inPieces(step.reasoning)) yield { type: "reasoning", text };
  if (step.kind === "answer") {
    for (const text of step.pieces) yield { type: "text", text };
    return;
  }
  const { call } = step;
  const started = { ...call, arguments: "" };
  yield { type: "tool_call_start", toolCall: started };
  yield { type: "tool_call_args_delta", toolCall: started, argChars: call.arguments.length };
  yield { type: "tool_call", toolCall: call };
}

/** Four characters count as one token; what an earlier request already sent counts as a cache hit. */
function usageOf(request: ModelRequest, step: OfflineStep, streamed: number): Usage {
  const lastAnswer = request.messages.findLastIndex((message) => message.role === "assistant");
  const fixed = JSON.stringify(request.tools).length;
  const seen = lastAnswer < 0 ? 0 : fixed + charactersOf(request.messages.slice(0, lastAnswer));
  const promptTokens = tokens(fixed + charactersOf(request.messages));
  const cacheHitTokens = tokens(seen);
  const written = streamed + (step.kind === "call" ? step.call.name.length + step.call.arguments.length : 0);
  const completionTokens = tokens(written);
  return {
    promptTokens,
    completionTokens,
    totalTokens: promptTokens + completionTokens,
    cacheHitTokens,
    cacheMissTokens: promptTokens - cacheHitTokens,
    reasoningTokens: tokens(step.reasoning.length),
    finishReason: step.kind === "call" ? "tool_calls" : "stop",
  };
}

function charactersOf(messages: readonly Message[]): number {
  let count = 0;
  for (const { content = "", tool_calls: calls = [] } of messages) {
    count += content.length;
    for (const call of calls) count += call.name.length + call.arguments.length;
  }
  return count;
}

function tokens(characters: number): number {
  return Math.ceil(characters / 4);
}
