/** Chat completions, seen from the server. */
import type { Message, ToolCall } from "@reasonix-ts/protocol";
import { listIn, objectIn, textIn, type Foreign } from "../../src/models/foreign.ts";
import { cutText, DEFAULT_USAGE, finishOf, type ScriptedUsage, type Step, type StreamReply } from "./script.ts";
import type { Act, Wire } from "./wire.ts";

export const openaiWire: Wire = {
  path: "/chat/completions",
  read(value) {
    const body = objectIn(value) ?? {};
    return {
      model: textIn(body["model"]),
      stream: body["stream"] === true,
      messages: listIn(body["messages"]).map((message) => messageOf(objectIn(message) ?? {})),
      toolsOffered: listIn(body["tools"]).length > 0,
    };
  },
  *stream(model, reply) {
    const event = (delta: object, finish: string | null = null): Act => chunk(model, [choice(delta, finish)], null);
    yield event({ role: "assistant", content: "" });
    let calls = 0;
    for (const step of reply.steps) {
      switch (step.kind) {
        case "text":
          for (const content of cutText(step.text, 8)) yield event({ content });
          break;
        case "reasoning":
          for (const text of cutText(step.text, 8)) yield event({ content: null, reasoning_content: text });
          break;
        case "call":
          for (const piece of callPieces(step, calls++)) yield event({ tool_calls: [piece] });
          break;
        case "comment":
          yield { kind: "write", text: `: ${step.text}\n\n` };
          break;
        case "raw":
          yield { kind: "write", text: step.text };
          break;
        case "error":
          yield data({ error: { message: step.message, type: step.type, code: step.type } });
          return yield { kind: "end" };
        case "redacted":
          break;
        case "pause":
          yield step;
          break;
        case "cut":
        case "end":
        case "stall":
          return yield step;
      }
    }
    yield event({}, finishOf(reply));
    const usage = reply.usage === undefined ? DEFAULT_USAGE : reply.usage;
    if (usage !== null) yield chunk(model, [], usageOf(usage));
    yield { kind: "write", text: "data: [DONE]\n\n" };
  },
  whole(model, reply) {
    const calls = reply.steps.flatMap((step, index) => (step.kind === "call" ? [wholeCall(step, index)] : []));
    const message = {
      role: "assistant",
      content: joined(reply, "text"),
      reasoning_content: joined(reply, "reasoning"),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    };
    const choices = [{ index: 0, message, finish_reason: finishOf(reply) }];
    return {
      id: "scripted",
      object: "chat.completion",
      created: 0,
      model,
      choices,
      usage: usageOf(reply.usage ?? DEFAULT_USAGE),
    };
  },
};

function data(value: object): Act {
  return { kind: "write", text: `data: ${JSON.stringify(value)}\n\n` };
}

function chunk(model: string, choices: readonly object[], usage: object | null): Act {
  return data({ id: "scripted", object: "chat.completion.chunk", created: 0, model, choices, usage });
}

function choice(delta: object, finish: string | null): object {
  return { index: 0, delta, logprobs: null, finish_reason: finish };
}

type CallStep = Extract<Step, { readonly kind: "call" }>;

function* callPieces(step: CallStep, index: number): Generator<object> {
  yield { index, id: step.id, type: "function", function: { name: step.name, arguments: "" } };
  for (const part of cutText(step.arguments, 6)) yield { index, function: { arguments: part } };
}

function wholeCall(step: CallStep, index: number): object {
  return { index, id: step.id, type: "function", function: { name: step.name, arguments: step.arguments } };
}

function joined(reply: StreamReply, kind: "text" | "reasoning"): string {
  return reply.steps.map((step) => (step.kind === kind ? step.text : "")).join("");
}

function usageOf(usage: ScriptedUsage): object {
  const { prompt, completion, cacheHit = 0, reasoning = 0 } = usage;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cacheHit },
    completion_tokens_details: { reasoning_tokens: reasoning },
    prompt_cache_hit_tokens: cacheHit,
    prompt_cache_miss_tokens: prompt - cacheHit,
  };
}

function messageOf(message: Foreign): Message {
  const role = message["role"];
  const content = contentOf(message["content"]);
  if (role === "tool") return { role, content, tool_call_id: textIn(message["tool_call_id"]) };
  if (role !== "assistant") return { role: role === "user" ? "user" : "system", content };
  const calls = listIn(message["tool_calls"]).map((call) => callOf(objectIn(call) ?? {}));
  return { role, content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}

/** Text, or the text parts of a list, a line each. */
function contentOf(content: unknown): string {
  if (!Array.isArray(content)) return textIn(content);
  return content.flatMap((part) => textIn(objectIn(part)?.["text"]) || []).join("\n");
}

function callOf(call: Foreign): ToolCall {
  const fn = objectIn(call["function"]) ?? {};
  return { id: textIn(call["id"]), name: textIn(fn["name"]), arguments: textIn(fn["arguments"]) };
}
