/** Whatever events a server sends, a decoder gives trouble or chunks of the contract, and throws nothing. */
import { Chunk, decode } from "@reasonix-ts/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anthropicDecoder } from "../../src/models/anthropic-response.ts";
import { openaiDecoder } from "../../src/models/openai-response.ts";
import type { ModelChunk } from "../../src/ports.ts";

/** A value that belongs there, or any other. */
function often<T>(right: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) });
}

const text = fc.oneof(fc.constantFrom("", "a", "{}", '{"a":', "constructor", "__proto__"), fc.string());
const index = often(fc.integer({ min: 0, max: 2 }));
const count = often(fc.integer({ min: 0, max: 1_000 }));

const openaiEvent = fc.record(
  {
    choices: often(
      fc.array(
        fc.record(
          {
            delta: often(
              fc.record(
                {
                  content: often(text),
                  reasoning_content: often(text),
                  tool_calls: often(
                    fc.array(
                      fc.record(
                        {
                          index,
                          id: often(text),
                          function: often(
                            fc.record({ name: often(text), arguments: often(text) }, { requiredKeys: [] }),
                          ),
                        },
                        { requiredKeys: [] },
                      ),
                      { maxLength: 2 },
                    ),
                  ),
                },
                { requiredKeys: [] },
              ),
            ),
            finish_reason: often(fc.constantFrom(null, "stop", "length", "tool_calls")),
          },
          { requiredKeys: [] },
        ),
        { maxLength: 2 },
      ),
    ),
    usage: often(fc.record({ prompt_tokens: count, completion_tokens: count, prompt_cache_hit_tokens: count })),
    error: fc.option(fc.jsonValue({ maxDepth: 1 }), { freq: 20 }),
  },
  { requiredKeys: [] },
);

const anthropicEvent = fc.record(
  {
    type: often(
      fc.constantFrom(
        "message_start",
        "content_block_start",
        "content_block_delta",
        "message_delta",
        "message_stop",
        "error",
      ),
    ),
    index,
    message: often(fc.record({ usage: often(fc.record({ input_tokens: count, cache_read_input_tokens: count })) })),
    content_block: often(
      fc.record({
        type: fc.constantFrom("text", "thinking", "tool_use", "other"),
        id: often(text),
        name: often(text),
        text: often(text),
      }),
    ),
    delta: often(
      fc.record({
        type: fc.constantFrom("text_delta", "thinking_delta", "signature_delta", "input_json_delta"),
        text: often(text),
        thinking: often(text),
        signature: often(text),
        partial_json: often(text),
        stop_reason: often(fc.constantFrom("end_turn", "max_tokens", "constructor")),
      }),
    ),
    usage: often(fc.record({ output_tokens: count })),
    error: often(fc.record({ type: often(text), message: often(text) })),
  },
  { requiredKeys: ["type"] },
);

describe.each([
  ["chat completions", openaiDecoder, openaiEvent],
  ["messages", anthropicDecoder, anthropicEvent],
] as const)("%s", (_, decoderFor, event: fc.Arbitrary<unknown>) => {
  test("[P5] any events give trouble or chunks of the contract", () => {
    const seen = { whole: 0, trouble: 0 };
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 10 }),
        fc.constantFrom("[DONE]", '{"type":"message_stop"}'),
        (events, last) => {
          const decoder = decoderFor("lab");
          const out: ModelChunk[] = [];
          const datas = [...events.map((value) => JSON.stringify(value)), last];
          const trouble =
            datas.map((data) => decoder.read({ data }, out)).find((found) => found !== null) ?? decoder.finish(out);
          if (trouble === null) seen.whole++;
          else seen.trouble++;
          for (const chunk of out) {
            if (chunk.type !== "native") expect(decode(Chunk, structuredClone(chunk))).toMatchObject({ ok: true });
          }
          expect(out.filter((chunk) => chunk.type === "done")).toHaveLength(trouble === null ? 1 : 0);
        },
      ),
      { numRuns: 800 },
    );
    // Both ends were met: the property is not empty.
    expect(Math.min(seen.whole, seen.trouble)).toBeGreaterThan(20);
  });
});
