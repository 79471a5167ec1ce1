/** Puts a request into the words of chat completions; pure. */
import type { Message, ProviderRequest, ToolCall } from "@reasonix-ts/sdk";

export function completionBody(model: string, request: ProviderRequest): object {
  const { messages, tools, maxTokens, temperature, responseFormat } = request;
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    messages: messages.map(messageBody),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: "function", function: tool })) }),
    ...(maxTokens === 0 ? {} : { max_tokens: maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(responseFormat === undefined ? {} : { response_format: responseFormat }),
  };
}

function messageBody({ role = "user", content = "", images = [], tool_calls, tool_call_id }: Message): object {
  const parts = images.map((url) => ({ type: "image_url", image_url: { url } }));
  return {
    role,
    content: parts.length === 0 ? content : [{ type: "text", text: content }, ...parts],
    ...(tool_calls === undefined ? {} : { tool_calls: tool_calls.map(callBody) }),
    ...(tool_call_id === undefined ? {} : { tool_call_id }),
  };
}

function callBody({ id, name, arguments: args }: ToolCall): object {
  return { id, type: "function", function: { name, arguments: args } };
}
