/** The short way through an event gives what parsing gives, whatever the event is. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { objectIn, parseJson, textIn, type Foreign } from "../../src/models/foreign.ts";
import { openaiDecoder } from "../../src/models/openai-response.ts";
import { textTemplate, type SoleText } from "../../src/models/text-template.ts";
import type { ModelChunk } from "../../src/ports.ts";

const soleText = (body: Foreign): SoleText | null => {
  const text = textIn(body["text"]);
  return text === "" ? null : { member: "text", index: 0, text };
};

function learned(data: string): ReturnType<typeof textTemplate> {
  const template = textTemplate(soleText);
  const sole = soleText(objectIn(parseJson(data)) ?? {});
  if (sole !== null) template.learn(data, sole);
  return template;
}

describe("textTemplate", () => {
  test.each([
    ['{"id":1,"text":"x","end":null}', '{"id":1,"text":"hello","end":null}', "hello"],
    ['{"id":1,"text":"x","end":null}', '{"id":1,"text":"","end":null}', null],
    ['{"id":1,"text":"x","end":null}', '{"id":1,"text":"Grüße 👋","end":null}', "Grüße 👋"],
    ['{"id":1,"text":"a\\"b"}', '{"id":1,"text":"plain"}', "plain"],
    // Not the learned bytes, or text that only a parser can read.
    ['{"id":1,"text":"x","end":null}', '{"id":2,"text":"x","end":null}', null],
    ['{"id":1,"text":"x","end":null}', '{"id":1,"text":"x","end":"stop"}', null],
    ['{"id":1,"text":"x","end":null}', '{"id":1,"text":"a\\nb","end":null}', null],
    ['{"id":1,"text":"x","end":null}', '{"id":1,"text":"a","more":"b","end":null}', null],
    ['{"id":1,"text":"x","end":null}', '{"id":1,"text":","end":null}', null],
    ['{"id":1,"text":"x"}', '{"id":1,"text":"a\tb"}', null],
    // The text stands elsewhere first: nothing is learned, rather than the wrong place.
    ['{"id":"x","text":"x"}', '{"id":"y","text":"x"}', null],
    ['{"id":"a","text":"a"}', '{"id":"b","text":"a"}', null],
  ])("after %s, %s is %j", (first, second, text) => {
    const sole = learned(first).match(second);
    expect(sole === null ? null : sole.text).toBe(text);
  });

  test("gives up where every event differs, and takes a changed shape up otherwise", () => {
    const template = textTemplate(soleText);
    for (let n = 0; n < 9; n++) template.learn(`{"n":${n},"text":"x"}`, { member: "text", index: 0, text: "x" });
    expect(template.match('{"n":8,"text":"y"}')).toBeNull();
    expect(template.match('{"n":7,"text":"y"}')?.text).toBe("y");
  });
});

const delta = fc.record(
  {
    content: fc.option(
      fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), fc.constantFrom("m", "c", "a", "b", '"', "\\")),
    ),
    reasoning_content: fc.string({ maxLength: 2 }),
  },
  { requiredKeys: [] },
);

const event = fc.record({
  id: fc.constantFrom("c", "m"),
  model: fc.constantFrom("m", "a"),
  choices: fc.tuple(fc.record({ delta, finish_reason: fc.constantFrom(null, null, null, "stop") })),
});

test("a stream of events means what its events mean one by one", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), (events) => {
      const whole = openaiDecoder("p");
      const out: ModelChunk[] = [];
      const expected: ModelChunk[] = [];
      for (const value of events) {
        const data = JSON.stringify(value);
        expect(whole.read({ data }, out)).toBeNull();
        // A decoder that has seen nothing parses.
        expect(openaiDecoder("p").read({ data }, expected)).toBeNull();
      }
      expect(out).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
