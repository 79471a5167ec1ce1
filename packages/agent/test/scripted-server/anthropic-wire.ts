/** The messages API, seen from the server. */
import type { Message } from "@reasonix-ts/protocol";
import { argumentsObject, listIn, objectIn, textIn, type Foreign } from "../../src/models/foreign.ts";
import { cutText, DEFAULT_USAGE, finishOf, type ScriptedUsage, type Step } from "./script.ts";
import type { Act, Wire } from "./wire.ts";

export const anthropicWire: Wire = {
  path: "/messages",
  read(value) {
    const body = objectIn(value) ?? {};
    return {
      model: textIn(body["model"]),
      stream: body["stream"] === true,
      messages: listIn(body["messages"]).flatMap((turn) => messagesOf(objectIn(turn) ?? {})),
      toolsOffered: listIn(body["tools"]).length > 0,
    };
  },
  *stream(model, reply) {
    const usage = reply.usage === undefined ? DEFAULT_USAGE : reply.usage;
    const start = { id: "scripted", type: "message", role: "assistant", model, content: [], stop_reason: null };
    yield event("message_start", { message: { ...start, ...(usage === null ? {} : { usage: inputUsage(usage) }) } });
    yield event("ping", {});
    let index = 0;
    for (const step of reply.steps) {
      switch (step.kind) {
        case "text":
        case "reasoning":
        case "redacted":
        case "call":
          yield* blockEvents(index++, step);
          break;
        case "comment":
          yield { kind: "write", text: `: ${step.text}\n\n` };
          break;
        case "raw":
          yield { kind: "write", text: step.text };
          break;
        case "error":
          yield event("error", { error: { type: step.type, message: step.message } });
          return yield { kind: "end" };
        case "pause":
          yield step;
          break;
        case "cut":
        case "end":
        case "stall":
          return yield step;
      }
    }
    const delta = { stop_reason: stopReason(finishOf(reply)), stop_sequence: null };
    yield event("message_delta", { delta, ...(usage === null ? {} : { usage: { output_tokens: usage.completion } }) });
    yield event("message_stop", {});
  },
  whole(model, reply) {
    const usage = reply.usage ?? DEFAULT_USAGE;
    return {
      id: "scripted",
      type: "message",
      role: "assistant",
      model,
      content: reply.steps.flatMap(wholeBlock),
      stop_reason: stopReason(finishOf(reply)),
      stop_sequence: null,
      usage: { ...inputUsage(usage), output_tokens: usage.completion },
    };
  },
};

type BlockStep = Extract<Step, { readonly kind: "text" | "reasoning" | "redacted" | "call" }>;

function event(type: string, fields: object): Act {
  return { kind: "write", text: `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n` };
}

function* blockEvents(index: number, step: BlockStep): Generator<Act> {
  const delta = (type: string, fields: object): Act =>
    event("content_block_delta", { index, delta: { type, ...fields } });
  yield event("content_block_start", { index, content_block: emptyBlock(step) });
  switch (step.kind) {
    case "text":
      for (const text of cutText(step.text, 8)) yield delta("text_delta", { text });
      break;
    case "reasoning":
      for (const thinking of cutText(step.text, 8)) yield delta("thinking_delta", { thinking });
      yield delta("signature_delta", { signature: step.signature ?? "sealed" });
      break;
    case "call":
      yield delta("input_json_delta", { partial_json: "" });
      for (const json of cutText(step.arguments, 6)) yield delta("input_json_delta", { partial_json: json });
      break;
    case "redacted":
      break;
  }
  yield event("content_block_stop", { index });
}

function emptyBlock(step: BlockStep): object {
  switch (step.kind) {
    case "text":
      return { type: "text", text: "" };
    case "reasoning":
      return { type: "thinking", thinking: "", signature: "" };
    case "redacted":
      return { type: "redacted_thinking", data: step.data };
    case "call":
      return { type: "tool_use", id: step.id, name: step.name, input: {} };
  }
}

function wholeBlock(step: Step): readonly object[] {
  switch (step.kind) {
    case "text":
      return [{ type: "text", text: step.text }];
    case "reasoning":
      return [{ type: "thinking", thinking: step.text, signature: step.signature ?? "sealed" }];
    case "redacted":
      return [{ type: "redacted_thinking", data: step.data }];
    case "call":
      return [{ type: "tool_use", id: step.id, name: step.name, input: argumentsObject(step.arguments) }];
    default:
      return [];
  }
}

function inputUsage({ prompt, cacheHit = 0, cacheWrite = 0 }: ScriptedUsage): object {
  return {
    input_tokens: prompt - cacheHit - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheHit,
    output_tokens: 1,
  };
}

const STOP_REASONS: { readonly [finish: string]: string } = {
  stop: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
};

function stopReason(finish: string): string {
  return STOP_REASONS[finish] ?? finish;
}

/** A turn of the user holds tool results first, then what was typed. */
function messagesOf(turn: Foreign): readonly Message[] {
  const content = turn["content"];
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : listIn(content);
  const parts = blocks.map((block) => objectIn(block) ?? {});
  const text = textOf(parts);
  if (turn["role"] === "assistant") {
    const calls = parts.flatMap((part) =>
      part["type"] === "tool_use"
        ? [{ id: textIn(part["id"]), name: textIn(part["name"]), arguments: JSON.stringify(part["input"]) }]
        : [],
    );
    return [{ role: "assistant", content: text, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
  }
  const results = parts.flatMap((part): readonly Message[] => {
    if (part["type"] !== "tool_result") return [];
    const inner = part["content"];
    const result = typeof inner === "string" ? inner : textOf(listIn(inner).map((block) => objectIn(block) ?? {}));
    return [{ role: "tool", tool_call_id: textIn(part["tool_use_id"]), content: result }];
  });
  return text === "" && results.length > 0 ? results : [...results, { role: "user", content: text }];
}

function textOf(parts: readonly Foreign[]): string {
  return parts.flatMap((part) => (part["type"] === "text" ? [textIn(part["text"])] : [])).join("\n");
}
