/** Writes a request for the messages API; the same request gives the same bytes. */
import type { ModelRequest, StoredMessage } from "../ports.ts";
import { wireTurns, type Block, type Turn } from "./anthropic-turns.ts";
import type { Endpoint } from "./endpoint.ts";

/** Bounds an answer where neither the request nor `max_tokens` of the provider does: the API wants a number. */
const DEFAULT_MAX_TOKENS = 32_000;

/**
 * Marks two ends of the stable prefix for the provider's cache: the system prompt (the tools come before it), and the
 * last message, which is part of every later request. Members have a fixed order, the messages last.
 */
export function anthropicBody(endpoint: Endpoint, request: ModelRequest, effort: string | undefined): string {
  const { settings, model, descriptor } = endpoint;
  const maxTokens = request.maxTokens > 0 ? request.maxTokens : (settings.max_tokens ?? DEFAULT_MAX_TOKENS);
  const lead = request.messages.findIndex((message) => message.role !== "system");
  const split = lead < 0 ? request.messages.length : lead;
  const system = systemBlocks(request.messages.slice(0, split));
  const turns = wireTurns(request.messages.slice(split), settings.name, descriptor.vision === true);
  const thinking = mayThink(request.messages, settings.name) ? thinkingFor(effort, maxTokens) : null;
  const tools = request.tools.map(wireTool);
  return JSON.stringify({
    model,
    max_tokens: maxTokens,
    stream: true,
    ...(thinking === null ? {} : { thinking }),
    // The API takes no temperature beside thinking.
    ...(request.temperature === undefined || thinking !== null ? {} : { temperature: request.temperature }),
    ...(tools.length === 0 ? {} : { tools: system.length === 0 ? markLast(tools) : tools }),
    ...(system.length === 0 ? {} : { system: markLast(system) }),
    messages: markLastTurn(turns),
  });
}

function wireTool(tool: ModelRequest["tools"][number]): Block {
  return { name: tool.name, description: tool.description ?? "", input_schema: tool.parameters };
}

function systemBlocks(messages: readonly StoredMessage[]): readonly Block[] {
  return messages.flatMap(({ content = "" }) => (content === "" ? [] : [{ type: "text", text: content }]));
}

const CACHE = { type: "ephemeral" } as const;

function markLast(blocks: readonly Block[]): readonly Block[] {
  return blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, cache_control: CACHE } : block));
}

/** The mark goes on the last turn when it is the user's; a provider's own blocks are given back as they came. */
function markLastTurn(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1);
  if (last?.role !== "user") return turns;
  return [...turns.slice(0, -1), { role: "user", content: markLast(last.content) }];
}

const BUDGETS: ReadonlyMap<string, number> = new Map([
  ["low", 2_048],
  ["medium", 8_192],
  ["high", 24_576],
]);

/** The API's smallest budget. */
const LEAST_BUDGET = 1_024;

/** `adaptive` lets the model choose; the other efforts are budgets in tokens, which stay below `max_tokens`. */
function thinkingFor(effort: string | undefined, maxTokens: number): Block | null {
  if (effort === undefined) return null;
  if (effort === "adaptive") return { type: "adaptive" };
  const budget = Math.min(BUDGETS.get(effort) ?? 0, Math.floor(maxTokens / 2));
  return budget < LEAST_BUDGET ? null : { type: "enabled", budget_tokens: budget };
}

/**
 * With thinking on, the API wants the thinking of an unfinished tool loop back. An answer of another model has none,
 * so until that loop is over the request goes without.
 */
function mayThink(messages: readonly StoredMessage[], provider: string): boolean {
  const start = messages.findLastIndex((message) => message.role === "user");
  return messages
    .slice(start + 1)
    .every((message) => message.tool_calls === undefined || message.native?.provider === provider);
}
