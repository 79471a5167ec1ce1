/** Writes a request as a chat completion; the same request gives the same bytes, and a longer one starts like it. */
import type { ToolCall } from "@reasonix-ts/protocol";
import type { ModelRequest, StoredMessage } from "../ports.ts";
import type { Endpoint } from "./endpoint.ts";
import { objectIn, argumentsObject, parseJson } from "./foreign.ts";
import { imageNote } from "./images.ts";

/**
 * The body's members have a fixed order with the messages last: without its closing `]}` the body of one request is
 * a prefix of the next one's, so that a provider's prefix cache hits.
 */
export function openaiBody(endpoint: Endpoint, request: ModelRequest, effort: string | undefined): string {
  const { settings, model } = endpoint;
  const bound = request.maxTokens > 0 ? request.maxTokens : settings.max_tokens;
  const boundName = new URL(settings.base_url).hostname === "api.openai.com" ? "max_completion_tokens" : "max_tokens";
  return JSON.stringify({
    model,
    stream: true,
    stream_options: { include_usage: true },
    ...(bound === undefined ? {} : { [boundName]: bound }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(request.responseFormat === undefined ? {} : { response_format: { type: request.responseFormat.type } }),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(wireTool) }),
    messages: wireMessages(request.messages, settings.name, endpoint.descriptor.vision === true),
  });
}

/** The mark on an answer whose reasoning its provider wants back; the text itself stays in the message. */
export const REASONING_MARK = { type: "reasoning_content" } as const;

function wireTool(tool: ModelRequest["tools"][number]): object {
  const { name, description = "", parameters } = tool;
  return { type: "function", function: { name, description, parameters } };
}

function wireMessages(messages: readonly StoredMessage[], provider: string, vision: boolean): readonly object[] {
  const wire: object[] = [];
  // A tool's answer holds text only here, so its images follow as a user message after the run of answers.
  let images: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      const { tool_call_id: id = "", content = "" } = message;
      wire.push({ role: "tool", tool_call_id: id, content: content + (vision ? "" : imageNote(message.images)) });
      if (vision) images.push(...(message.images ?? []));
      continue;
    }
    if (images.length > 0) wire.push({ role: "user", content: imageParts("", images) });
    images = [];
    wire.push(message.role === "assistant" ? wireAnswer(message, provider) : wireInput(message, vision));
  }
  if (images.length > 0) wire.push({ role: "user", content: imageParts("", images) });
  return wire;
}

function wireInput(message: StoredMessage, vision: boolean): object {
  const { role = "user", content = "", images = [], name } = message;
  const named = name === undefined ? {} : { name };
  if (images.length === 0 || role !== "user") return { role, content, ...named };
  return { role, content: vision ? imageParts(content, images) : content + imageNote(images), ...named };
}

function imageParts(text: string, images: readonly string[]): readonly object[] {
  const parts = images.map((url) => ({ type: "image_url", image_url: { url } }));
  return text === "" ? parts : [{ type: "text", text }, ...parts];
}

function wireAnswer(message: StoredMessage, provider: string): object {
  const { content = "", reasoning_content: reasoning = "", tool_calls: calls = [] } = message;
  const wantsReasoning = reasoning !== "" && message.native?.provider === provider;
  return {
    role: "assistant",
    content,
    ...(wantsReasoning ? { reasoning_content: reasoning } : {}),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(wireCall) }),
  };
}

function wireCall(call: ToolCall): object {
  const seal = call.thought_signature;
  return {
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: wireArguments(call.arguments) },
    ...(seal === undefined ? {} : { extra_content: { google: { thought_signature: seal } } }),
  };
}

/** Servers refuse a whole history over one call whose arguments are no JSON object. */
function wireArguments(text: string): string {
  return objectIn(parseJson(text)) === null ? JSON.stringify(argumentsObject(text)) : text;
}
