/** Reads the events of a streamed chat completion. */
import type { Usage } from "@reasonix-ts/protocol";
import type { ModelChunk } from "../ports.ts";
import { callPieces, type CallPieces } from "./call-pieces.ts";
import type { Decoder } from "./exchange.ts";
import { countIn, listIn, objectIn, parseJson, textIn, type Foreign } from "./foreign.ts";
import { REASONING_MARK } from "./openai-request.ts";
import { textTemplate, type SoleText } from "./text-template.ts";
import type { Trouble } from "./trouble.ts";

/** `provider` is the name under which an answer's native blocks are kept. */
export function openaiDecoder(provider: string): Decoder<ModelChunk> {
  const calls = callPieces();
  let done = false;
  let finishReason = "";
  let usage: Usage | null = null;
  let reasoned = false;

  const template = textTemplate(soleTextOf);

  const take = ({ member, text }: SoleText, out: ModelChunk[]): void => {
    if (member === "reasoning_content") reasoned = true;
    const isReasoning = member === "reasoning_content" || member === "reasoning";
    out.push({ type: isReasoning ? "reasoning" : "text", text });
  };

  const readChoice = (choice: Foreign, out: ModelChunk[]): void => {
    const delta = objectIn(choice["delta"]);
    if (delta !== null) {
      for (const sole of textsOf(delta)) take(sole, out);
      if (delta["tool_calls"] !== undefined) readCalls(calls, listIn(delta["tool_calls"]), out);
    }
    const reason = textIn(choice["finish_reason"]);
    if (reason !== "") finishReason = reason;
  };

  return {
    get done() {
      return done;
    },
    read(event, out) {
      if (event.data === "[DONE]") {
        done = true;
        return null;
      }
      const known = template.match(event.data);
      if (known !== null) {
        take(known, out);
        return null;
      }
      const body = objectIn(parseJson(event.data));
      if (body === null) return { kind: "malformed", data: event.data };
      const sole = soleTextOf(body);
      if (sole !== null) template.learn(event.data, sole);
      const error = body["error"];
      if (error !== undefined && error !== null) return reported(error);
      const choice = objectIn(listIn(body["choices"])[0]);
      if (choice !== null) readChoice(choice, out);
      const counts = objectIn(body["usage"]);
      if (counts !== null) usage = usageOf(counts);
      return null;
    },
    finish(out) {
      if (!done && finishReason === "") return { kind: "cut" };
      const whole = calls.whole(finishReason);
      for (const toolCall of whole) out.push({ type: "tool_call", toolCall });
      // The provider of an answer that reasoned before it called tools wants the reasoning back with it.
      if (reasoned && whole.length > 0) out.push({ type: "native", native: { provider, blocks: [REASONING_MARK] } });
      if (usage !== null) {
        out.push({ type: "usage", usage: finishReason === "" ? usage : { ...usage, finishReason } });
      }
      out.push({ type: "done" });
      return null;
    },
  };
}

/** Reasoning goes first; `reasoning` is what some servers call it. */
function textsOf(delta: Foreign): readonly SoleText[] {
  const texts: SoleText[] = [];
  const reasoning = textIn(delta["reasoning_content"]);
  const other = reasoning === "" ? textIn(delta["reasoning"]) : "";
  const content = textIn(delta["content"]);
  const refusal = content === "" ? textIn(delta["refusal"]) : "";
  if (reasoning !== "") texts.push({ member: "reasoning_content", index: 0, text: reasoning });
  if (other !== "") texts.push({ member: "reasoning", index: 0, text: other });
  if (content !== "") texts.push({ member: "content", index: 0, text: content });
  if (refusal !== "") texts.push({ member: "refusal", index: 0, text: refusal });
  return texts;
}

function soleTextOf(body: Foreign): SoleText | null {
  if (!isAbsent(body["error"]) || !isAbsent(body["usage"])) return null;
  const choice = objectIn(listIn(body["choices"])[0]);
  const delta = objectIn(choice?.["delta"]);
  if (choice === null || delta === null || !isAbsent(choice["finish_reason"]) || !isAbsent(delta["tool_calls"]))
    return null;
  const texts = textsOf(delta);
  return texts.length === 1 ? (texts[0] ?? null) : null;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function readCalls(calls: CallPieces, pieces: readonly unknown[], out: ModelChunk[]): void {
  for (const value of pieces) {
    const piece = objectIn(value);
    if (piece === null) continue;
    const fn = objectIn(piece["function"]);
    const name = textIn(fn?.["name"]);
    const id = textIn(piece["id"]);
    const index = countIn(piece["index"]) ?? calls.indexFor(id, name);
    if (!calls.has(index) && name !== "") {
      const google = objectIn(objectIn(piece["extra_content"])?.["google"]);
      const signature = textIn(google?.["thought_signature"]);
      out.push(calls.start(index, { id: id || `call_${index + 1}`, name, signature }));
    }
    const args = textIn(fn?.["arguments"]);
    const delta = args === "" ? null : calls.append(index, args);
    if (delta !== null) out.push(delta);
  }
}

/** OpenAI counts cached tokens in a detail object, DeepSeek as hits and misses beside the totals. */
function usageOf(counts: Foreign): Usage {
  const details = objectIn(counts["prompt_tokens_details"]);
  const completion = objectIn(counts["completion_tokens_details"]);
  const promptTokens = countIn(counts["prompt_tokens"]) ?? 0;
  const completionTokens = countIn(counts["completion_tokens"]) ?? 0;
  const hit = countIn(counts["prompt_cache_hit_tokens"]) ?? countIn(details?.["cached_tokens"]) ?? 0;
  const cacheHitTokens = Math.min(hit, promptTokens);
  return {
    promptTokens,
    completionTokens,
    totalTokens: countIn(counts["total_tokens"]) ?? promptTokens + completionTokens,
    cacheHitTokens,
    cacheMissTokens: countIn(counts["prompt_cache_miss_tokens"]) ?? promptTokens - cacheHitTokens,
    reasoningTokens: countIn(completion?.["reasoning_tokens"]) ?? 0,
  };
}

function reported(error: unknown): Trouble {
  const facts = objectIn(error);
  const code = facts?.["code"];
  const type = textIn(facts?.["type"]);
  const name = textIn(code) || type;
  const message = textIn(facts?.["message"]) || textIn(error) || JSON.stringify(error);
  return { kind: "reported", code: name, message, status: statusOf(code, `${name} ${type}`) };
}

function statusOf(code: unknown, words: string): number | null {
  const number = typeof code === "number" ? code : Number(textIn(code) || NaN);
  if (Number.isInteger(number) && number >= 400 && number < 600) return number;
  if (/rate_limit|too_many|insufficient_quota/.test(words)) return 429;
  if (/overloaded|unavailable/.test(words)) return 503;
  return /server_error|internal/.test(words) ? 500 : null;
}
