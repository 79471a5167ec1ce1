/** Streaming models: descriptors, requests, chunks. */
import { object, optional } from "./object-schema.ts";
import { boolean, integer, json, list, named, nonEmpty, number, oneOf, string, type Infer } from "./schema.ts";

export const ROLES = ["assistant", "system", "tool", "user"] as const;
export type Role = (typeof ROLES)[number];

export const ToolCall = named(
  "ProviderToolCall",
  object({ id: nonEmpty, name: nonEmpty, arguments: string, thought_signature: optional(string) }),
);
/** A model's wish to call a tool; `arguments` is JSON text. */
export type ToolCall = Infer<typeof ToolCall>;

export const Message = named(
  "ProviderMessage",
  object({
    role: optional(oneOf(ROLES)),
    content: optional(string),
    reasoning_content: optional(string),
    reasoning_signature: optional(string),
    tool_calls: optional(list(ToolCall)),
    tool_call_id: optional(string),
    name: optional(string),
    images: optional(list(string)),
  }),
);
export type Message = Infer<typeof Message>;

export const ToolSchema = named(
  "ProviderToolSchema",
  object({ name: nonEmpty, description: optional(string), parameters: json }),
);
/** A tool as the model sees it; `parameters` is a JSON Schema. */
export type ToolSchema = Infer<typeof ToolSchema>;

export const ResponseFormat = named("ProviderResponseFormat", object({ type: nonEmpty }));

export const ProviderRequest = named(
  "ProviderRequest",
  object({
    messages: list(Message),
    tools: list(ToolSchema),
    maxTokens: integer({ min: 0 }),
    temperature: optional(number()),
    responseFormat: optional(ResponseFormat),
  }),
);
/** A whole request to a model; `maxTokens` 0 leaves the bound to the provider. */
export type ProviderRequest = Infer<typeof ProviderRequest>;

const tokens = integer({ min: 0 });

export const Usage = named(
  "ProviderUsage",
  object({
    promptTokens: tokens,
    completionTokens: tokens,
    totalTokens: tokens,
    cacheHitTokens: tokens,
    cacheMissTokens: tokens,
    reasoningTokens: tokens,
    finishReason: optional(string),
  }),
);
export type Usage = Infer<typeof Usage>;

export const CHUNK_TYPES = [
  "text",
  "reasoning",
  "tool_call_start",
  "tool_call_args_delta",
  "tool_call",
  "usage",
  "done",
  "error",
] as const;
export type ChunkType = (typeof CHUNK_TYPES)[number];

export const PROVIDER_ERROR_CODES = ["provider_failed", "provider_interrupted"] as const;

export const ProviderError = named("ProviderError", object({ code: oneOf(PROVIDER_ERROR_CODES), message: string }));
export type ProviderError = Infer<typeof ProviderError>;

export const Chunk = named(
  "ProviderChunk",
  object({
    type: oneOf(CHUNK_TYPES),
    text: optional(string),
    signature: optional(string),
    toolCall: optional(ToolCall),
    argChars: optional(integer({ min: 0 })),
    usage: optional(Usage),
    error: optional(ProviderError),
    generation: optional(integer()),
    epoch: optional(string),
  }),
);
export type Chunk = Infer<typeof Chunk>;

const price = optional(number({ min: 0 }));
const flag = optional(boolean);

export const ProviderDescriptor = named(
  "ProviderDescriptor",
  object({
    ref: nonEmpty,
    displayName: optional(string),
    model: optional(string),
    contextWindow: optional(integer({ min: 0 })),
    inputPerMillion: price,
    outputPerMillion: price,
    cacheHitPerMillion: price,
    pricingCurrency: optional(string),
    vision: flag,
    tools: flag,
    reasoning: flag,
    reasoningRoundTrip: flag,
    toolCallReasoning: flag,
    warnOnMissingToolCallReasoning: flag,
    efforts: optional(list(string)),
    defaultEffort: optional(string),
  }),
);
/** A model that an extension offers: prices per million tokens, `contextWindow` in tokens; never credentials. */
export type ProviderDescriptor = Infer<typeof ProviderDescriptor>;

export const ProviderCatalogParams = named("ProviderCatalogParams", object({}));
export const ProviderCatalogResult = named("ProviderCatalogResult", object({ providers: list(ProviderDescriptor) }));

/** The catalogue as it arrives: entries are judged one by one, so that one bad entry does not hide the rest. */
export const ProviderCatalogEnvelope = object({ providers: list(json) });

export const StreamOpenParams = named(
  "StreamOpenParams",
  object({
    streamId: nonEmpty,
    providerRef: nonEmpty,
    model: optional(string),
    effort: optional(string),
    seqBase: integer({ min: 0 }),
    generation: optional(integer()),
    epoch: optional(string),
    request: ProviderRequest,
  }),
);
export type StreamOpenParams = Infer<typeof StreamOpenParams>;
export const StreamOpenResult = named("StreamOpenResult", object({ accepted: boolean }));

export const StreamChunkParams = named(
  "StreamChunkParams",
  object({
    streamId: nonEmpty,
    seq: integer({ min: 1 }),
    chunk: Chunk,
    generation: optional(integer()),
    epoch: optional(string),
  }),
);
export type StreamChunkParams = Infer<typeof StreamChunkParams>;

export const StreamEndParams = named(
  "StreamEndParams",
  object({
    streamId: nonEmpty,
    lastSeq: integer({ min: 0 }),
    interrupted: optional(boolean),
    error: optional(string),
  }),
);
export type StreamEndParams = Infer<typeof StreamEndParams>;

export const StreamCancelParams = named("StreamCancelParams", object({ streamId: nonEmpty }));
export const StreamCancelResult = named("StreamCancelResult", object({ cancelled: boolean }));
