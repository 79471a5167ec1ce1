/** Reads the events of a streamed answer of the messages API. */
import type { Usage } from "@reasonix-ts/protocol";
import type { ModelChunk } from "../ports.ts";
import { callPieces } from "./call-pieces.ts";
import type { Decoder } from "./exchange.ts";
import { argumentsObject, countIn, objectIn, parseJson, textIn, type Foreign } from "./foreign.ts";
import { textTemplate, type SoleText } from "./text-template.ts";
import type { Trouble } from "./trouble.ts";

/** A block as it grows: text, thinking and signature are appended, JSON is parsed at the end. */
type Growing = { readonly block: { [member: string]: unknown }; json: string };

/** `provider` is the name under which an answer's native blocks are kept. */
export function anthropicDecoder(provider: string): Decoder<ModelChunk> {
  const calls = callPieces();
  const blocks = new Map<number, Growing>();
  let counts: Foreign | null = null;
  let finishReason = "";
  let done = false;

  const template = textTemplate(soleTextOf);

  const take = ({ member, index, text }: SoleText, out: ModelChunk[]): void => {
    const growing = blocks.get(index);
    if (growing === undefined) return;
    append(growing, member, text);
    out.push({ type: member === "thinking" ? "reasoning" : "text", text });
  };

  const startBlock = (index: number, block: Foreign, out: ModelChunk[]): void => {
    blocks.set(index, { block: { ...block }, json: "" });
    if (block["type"] === "tool_use") {
      const call = { id: textIn(block["id"]), name: textIn(block["name"]), signature: "" };
      if (call.id !== "" && call.name !== "") out.push(calls.start(index, call));
    }
    const text = textIn(block["text"]);
    if (block["type"] === "text" && text !== "") out.push({ type: "text", text });
  };

  const growBlock = (index: number, delta: Foreign, out: ModelChunk[]): void => {
    const growing = blocks.get(index);
    if (growing === undefined) return;
    switch (delta["type"]) {
      case "signature_delta":
        append(growing, "signature", textIn(delta["signature"]));
        out.push({ type: "reasoning", text: "", signature: textIn(growing.block["signature"]) });
        return;
      case "input_json_delta": {
        const json = textIn(delta["partial_json"]);
        growing.json += json;
        const chunk = json === "" ? null : calls.append(index, json);
        if (chunk !== null) out.push(chunk);
        return;
      }
      default:
        return;
    }
  };

  return {
    get done() {
      return done;
    },
    read({ data }, out) {
      const known = template.match(data);
      if (known !== null) {
        take(known, out);
        return null;
      }
      const event = objectIn(parseJson(data));
      if (event === null) return { kind: "malformed", data };
      const sole = soleTextOf(event);
      if (sole !== null) {
        template.learn(data, sole);
        take(sole, out);
        return null;
      }
      const index = countIn(event["index"]) ?? 0;
      switch (event["type"]) {
        case "message_start":
          counts = objectIn(objectIn(event["message"])?.["usage"]);
          return null;
        case "content_block_start":
          startBlock(index, objectIn(event["content_block"]) ?? {}, out);
          return null;
        case "content_block_delta":
          growBlock(index, objectIn(event["delta"]) ?? {}, out);
          return null;
        case "message_delta": {
          finishReason = finishReasonOf(textIn(objectIn(event["delta"])?.["stop_reason"])) || finishReason;
          // The counts of a delta are totals; what it leaves out stays as message_start said.
          counts = merged(counts, objectIn(event["usage"]));
          return null;
        }
        case "message_stop":
          done = true;
          return null;
        case "error":
          return reported(objectIn(event["error"]) ?? {});
        default:
          return null;
      }
    },
    finish(out) {
      if (!done) return { kind: "cut" };
      for (const toolCall of calls.whole(finishReason)) out.push({ type: "tool_call", toolCall });
      const native = nativeBlocks(blocks);
      if (native !== null) out.push({ type: "native", native: { provider, blocks: native } });
      if (counts !== null) out.push({ type: "usage", usage: usageOf(counts, finishReason) });
      out.push({ type: "done" });
      return null;
    },
  };
}

/** The text that a delta of a text or thinking block brings. */
function soleTextOf(event: Foreign): SoleText | null {
  if (event["type"] !== "content_block_delta") return null;
  const delta = objectIn(event["delta"]);
  const member = delta?.["type"] === "text_delta" ? "text" : delta?.["type"] === "thinking_delta" ? "thinking" : null;
  const text = member === null ? "" : textIn(delta?.[member]);
  return member === null || text === "" ? null : { member, index: countIn(event["index"]) ?? 0, text };
}

function append({ block }: Growing, member: string, text: string): void {
  block[member] = textIn(block[member]) + text;
}

/** Text and calls can be written anew from the message; anything else is kept as it came, in order. */
function nativeBlocks(blocks: ReadonlyMap<number, Growing>): readonly unknown[] | null {
  const inOrder = [...blocks].toSorted(([a], [b]) => a - b).map(([, growing]) => growing);
  if (inOrder.every(({ block }) => block["type"] === "text" || block["type"] === "tool_use")) return null;
  return inOrder.flatMap(({ block, json }) => {
    if (block["type"] === "text" && textIn(block["text"]) === "") return [];
    return [json === "" ? block : { ...block, input: argumentsObject(json) }];
  });
}

function merged(before: Foreign | null, now: Foreign | null): Foreign | null {
  if (before === null || now === null) return now ?? before;
  const told = Object.entries(now).filter(([, value]) => value !== null);
  return { ...before, ...Object.fromEntries(told) };
}

/** What the cache gave is a hit; what it took up costs as input does, so it counts with the misses. */
function usageOf(counts: Foreign, finishReason: string): Usage {
  const cacheHitTokens = countIn(counts["cache_read_input_tokens"]) ?? 0;
  const written = countIn(counts["cache_creation_input_tokens"]) ?? 0;
  const cacheMissTokens = (countIn(counts["input_tokens"]) ?? 0) + written;
  const completionTokens = countIn(counts["output_tokens"]) ?? 0;
  const promptTokens = cacheHitTokens + cacheMissTokens;
  const usage = {
    promptTokens,
    completionTokens,
    totalTokens: promptTokens + completionTokens,
    cacheHitTokens,
    cacheMissTokens,
    reasoningTokens: 0,
  };
  return finishReason === "" ? usage : { ...usage, finishReason };
}

/** Finish reasons have the names of chat completions, so that one word means one thing in the agent. */
const FINISH_REASONS: ReadonlyMap<string, string> = new Map([
  ["end_turn", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "content_filter"],
  ["stop_sequence", "stop"],
  ["tool_use", "tool_calls"],
]);

function finishReasonOf(reason: string): string {
  return FINISH_REASONS.get(reason) ?? reason;
}

const STATUSES: ReadonlyMap<string, number> = new Map([
  ["api_error", 500],
  ["authentication_error", 401],
  ["billing_error", 402],
  ["invalid_request_error", 400],
  ["not_found_error", 404],
  ["overloaded_error", 529],
  ["permission_error", 403],
  ["rate_limit_error", 429],
  ["request_too_large", 413],
  ["timeout_error", 504],
]);

function reported(error: Foreign): Trouble {
  const code = textIn(error["type"]);
  const message = textIn(error["message"]);
  return { kind: "reported", code, message, status: STATUSES.get(code) ?? null };
}
