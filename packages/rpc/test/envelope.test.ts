/** Which message a line is. */
import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { readEnvelope, type Envelope } from "../src/index.ts";

const messages: readonly (readonly [line: string, message: Envelope])[] = [
  [
    '{"jsonrpc":"2.0","id":0,"method":"m"}',
    { kind: "request", id: 0, method: "m", params: undefined, meta: undefined },
  ],
  [
    '{"jsonrpc":"2.0","id":-3,"method":"","params":{"a":1},"trace":"x","_meta":{"callId":"c"}}',
    { kind: "request", id: -3, method: "", params: { a: 1 }, meta: { callId: "c" } },
  ],
  [
    ' {"id":1.0,"method":"m","jsonrpc":"2.0","_meta":7} \r',
    { kind: "request", id: 1, method: "m", params: undefined, meta: undefined },
  ],
  ['{"jsonrpc":"2.0","method":"m","params":{}}', { kind: "notification", method: "m", params: {}, meta: undefined }],
  ['{"jsonrpc":"2.0","id":4,"result":null}', { kind: "result", id: 4, result: null }],
  ['{"jsonrpc":"2.0","id":4,"result":{},"extra":[]}', { kind: "result", id: 4, result: {} }],
  [
    '{"jsonrpc":"2.0","id":4,"error":{"code":-32000,"message":"","data":{"reason":"x"}}}',
    { kind: "error", id: 4, error: { code: -32000, message: "", data: { reason: "x" } } },
  ],
  [
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}',
    { kind: "unaddressed_error", error: { code: -32700, message: "parse error" } },
  ],
  [
    '{"jsonrpc":"2.0","method":"host/ui/publish","id":5,"params":[]}',
    { kind: "invalid_params", id: 5, method: "host/ui/publish", got: "array" },
  ],
  ['{"jsonrpc":"2.0","method":"m","id":5,"params":null}', { kind: "invalid_params", id: 5, method: "m", got: "null" }],
  [
    '{"jsonrpc":"2.0","method":"m","params":"x"}',
    { kind: "invalid_params", id: undefined, method: "m", got: "string" },
  ],
];

const broken: readonly (readonly [line: string, what: string])[] = [
  ["[db] Connected", "text that is not JSON"],
  ["", "text that is not JSON"],
  ['{"jsonrpc":"2.0","id":1,"result":{}} trailing', "text that is not JSON"],
  ["\uFEFF{}", "text that is not JSON"],
  ['[{"jsonrpc":"2.0","id":1,"method":"m"}]', "a batch (JSON array)"],
  ["[]", "a batch (JSON array)"],
  ['"hello"', "a bare string"],
  ["null", "a bare null"],
  ["42", "a bare number"],
  ["true", "a bare boolean"],
  ["{}", 'a "jsonrpc" member that is missing, not "2.0"'],
  ['{"jsonrpc":"1.0","id":1,"result":{}}', 'a "jsonrpc" member that is of type string, not "2.0"'],
  ['{"jsonrpc":2,"id":1,"result":{}}', 'a "jsonrpc" member that is the number 2, not "2.0"'],
  ['{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}', 'a "result" and an "error" together'],
  ['{"jsonrpc":"2.0","id":1,"result":{},"error":null}', 'a "result" and an "error" together'],
  ['{"jsonrpc":"2.0","id":"1","method":"m"}', 'an "id" that is of type string, not an integer'],
  ['{"jsonrpc":"2.0","id":1.5,"method":"m"}', 'an "id" that is the number 1.5, not an integer'],
  ['{"jsonrpc":"2.0","id":1e300,"method":"m"}', 'an "id" that is the number 1e+300, not an integer'],
  ['{"jsonrpc":"2.0","id":null,"method":"m"}', 'an "id" that is null, not an integer'],
  ['{"jsonrpc":"2.0","id":1,"method":"m","result":1}', 'a "method" together with a "result" or "error"'],
  ['{"jsonrpc":"2.0","id":1,"method":7}', 'a "method" that is the number 7, not a string'],
  ['{"jsonrpc":"2.0","id":1}', 'an object with no "method", "result" or "error"'],
  ['{"jsonrpc":"2.0","result":1}', 'a reply whose "id" is missing, not an integer'],
  ['{"jsonrpc":"2.0","id":"7","result":1}', 'a reply whose "id" is of type string, not an integer'],
  ['{"jsonrpc":"2.0","id":null,"result":1}', 'a reply whose "id" is null, not an integer'],
  ['{"jsonrpc":"2.0","id":1,"error":"no"}', 'an "error" that is not {code: integer, message: string}'],
  [
    '{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":""}}',
    'an "error" that is not {code: integer, message: string}',
  ],
];

describe("an envelope", () => {
  it.each(messages)("[T4] [T5] %s", (line, message) => {
    expect(readEnvelope(line)).toEqual(message);
  });

  it.each(broken)("[T1] [case T-09] is broken: %s", (line, what) => {
    expect(readEnvelope(line)).toEqual({ kind: "broken", what });
  });

  it("[T1] is never a throw, whatever JSON comes", () => {
    const member = fc.oneof(
      fc.constant("2.0"),
      fc.integer(),
      fc.json().map((text): unknown => JSON.parse(text)),
    );
    const frame = fc.record(
      { jsonrpc: fc.constant("2.0"), id: member, method: member, params: member, result: member, error: member },
      { requiredKeys: [] },
    );
    const line = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      frame.map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(line, (text) => {
        const message = readEnvelope(text);
        if (message.kind === "request" || message.kind === "result")
          expect(Number.isSafeInteger(message.id)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("[T1] survives a million open brackets", () => {
    expect(readEnvelope("[".repeat(1_000_000)).kind).toBe("broken");
    const deep = `{"jsonrpc":"2.0","id":1,"result":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(["result", "broken"]).toContain(readEnvelope(deep).kind);
  });
});
