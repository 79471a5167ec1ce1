/** Makes chunks of the events of a streamed completion. */
import { ProviderInterrupted, type StreamPart, type ToolCall, type Usage } from "@reasonix-ts/sdk";
import { countIn, listIn, objectIn, textIn, type Foreign } from "./foreign.ts";

interface Collected {
  id: string;
  name: string;
  arguments: string;
}

/** Throws a ProviderInterrupted when the stream stops before the model was finished. */
export async function* partsOf(events: AsyncIterable<string>): AsyncGenerator<StreamPart> {
  const calls = new Map<number, Collected>();
  let finish = "";
  let usage: Foreign | null = null;
  for await (const event of events) {
    if (event === "[DONE]") break;
    const body = objectIn(parsed(event));
    const failure = objectIn(body["error"]);
    if (Object.keys(failure).length > 0) throw new Error(textIn(failure["message"]) || event.slice(0, 500));
    if (body["usage"] !== undefined && body["usage"] !== null) usage = objectIn(body["usage"]);
    const choice = objectIn(listIn(body["choices"])[0]);
    finish = textIn(choice["finish_reason"]) || finish;
    yield* partsOfDelta(objectIn(choice["delta"]), calls);
  }
  if (finish === "") throw new ProviderInterrupted("the stream broke off before the model was finished");
  for (const call of calls.values()) yield { type: "tool_call", toolCall: whole(call) };
  if (usage !== null) yield { type: "usage", usage: usageOf(usage, finish) };
}

function* partsOfDelta(delta: Foreign, calls: Map<number, Collected>): Generator<StreamPart> {
  const reasoning = textIn(delta["reasoning_content"]);
  if (reasoning !== "") yield { type: "reasoning", text: reasoning };
  const text = textIn(delta["content"]);
  if (text !== "") yield text;
  for (const piece of listIn(delta["tool_calls"]).map(objectIn)) {
    const index = countIn(piece["index"]);
    const details = objectIn(piece["function"]);
    const known = calls.get(index);
    const call = known ?? { id: textIn(piece["id"]) || `call-${index + 1}`, name: "", arguments: "" };
    calls.set(index, call);
    call.name += textIn(details["name"]);
    call.arguments += textIn(details["arguments"]);
    if (known === undefined) yield { type: "tool_call_start", toolCall: whole(call) };
    else yield { type: "tool_call_args_delta", toolCall: whole(call), argChars: call.arguments.length };
  }
}

function whole({ id, name, arguments: args }: Collected): ToolCall {
  return { id, name, arguments: args };
}

function usageOf(body: Foreign, finishReason: string): Usage {
  const promptTokens = countIn(body["prompt_tokens"]);
  const completionTokens = countIn(body["completion_tokens"]);
  const cacheHitTokens = countIn(objectIn(body["prompt_tokens_details"])["cached_tokens"]);
  return {
    promptTokens,
    completionTokens,
    totalTokens: promptTokens + completionTokens,
    cacheHitTokens,
    cacheMissTokens: promptTokens - cacheHitTokens,
    reasoningTokens: countIn(objectIn(body["completion_tokens_details"])["reasoning_tokens"]),
    finishReason,
  };
}

function parsed(event: string): unknown {
  try {
    return JSON.parse(event);
  } catch {
    throw new Error(`the server sent an event that is no JSON: ${event.slice(0, 200)}`);
  }
}
