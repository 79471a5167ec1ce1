/** The sentences that authors read when a sidecar sends something wrong. */
import { expect, test } from "vitest";
import {
  decode,
  InitializeResult,
  InterceptResult,
  judgeVersion,
  problemsText,
  StreamChunkParams,
} from "../src/index.ts";

const declaration = { name: "guard", version: "1.0.0", protocolVersion: "2", stateSchemaVersion: 0 };

function textOf(what: string, schema: Parameters<typeof decode>[0], value: unknown): string {
  const decoded = decode(schema, value);
  return decoded.ok ? "no problem" : problemsText(what, decoded.problems);
}

test("[case L-08] an unknown field of the initialize result is named with its path", () => {
  const text = textOf("initialize result", InitializeResult, { ...declaration, capabilities: ["interceptors"] });
  expect(text).toBe('initialize result: unknown field "capabilities" at /capabilities');
});

test("[case L-08] a missing field of the initialize result is named with what was wanted", () => {
  const { stateSchemaVersion: _left, ...rest } = declaration;
  expect(textOf("initialize result", InitializeResult, rest)).toBe(
    'initialize result: missing field "stateSchemaVersion" at /stateSchemaVersion (wanted an integer of at least 0)',
  );
});

test("[case L-08] all problems are in one message", () => {
  const value = { name: "", version: "1", protocolVersion: "2", subscriptions: "input.receive", capabilities: [] };
  expect(textOf("initialize result", InitializeResult, value)).toBe(
    "initialize result: " +
      '"" at /name, wanted a non-empty string; ' +
      'missing field "stateSchemaVersion" at /stateSchemaVersion (wanted an integer of at least 0); ' +
      '"input.receive" at /subscriptions, wanted an array; ' +
      'unknown field "capabilities" at /capabilities',
  );
});

test("[T5] a problem deep inside a chunk names its whole path", () => {
  const value = {
    streamId: "s",
    seq: 0,
    chunk: { type: "tool_call", toolCall: { id: "1", name: "bash", arguments: {} } },
  };
  expect(textOf("stream chunk", StreamChunkParams, value)).toBe(
    "stream chunk: 0 at /seq, wanted an integer of at least 1; " +
      "an object at /chunk/toolCall/arguments, wanted a string",
  );
});

test("[T4] params that are no object are named as what came", () => {
  expect(textOf("intercept result", InterceptResult, [])).toBe(
    "intercept result: an empty array came, wanted an object",
  );
});

test.each<[unknown, string, string]>([
  ["3", "unsupported_version", 'protocolVersion "3" is not supported, this side speaks "2" only'],
  ["2.1", "unsupported_version", 'protocolVersion "2.1" is not supported, this side speaks "2" only'],
  [
    "reasonix.extension.v2",
    "protocol_error",
    'protocolVersion "reasonix.extension.v2" is no version but the protocol\'s id, wanted "2"',
  ],
  [2, "protocol_error", 'protocolVersion 2 is no version but a number, wanted "2"'],
  ["", "protocol_error", 'protocolVersion "" is no version, wanted "2"'],
  [null, "protocol_error", 'protocolVersion null is no version, wanted "2"'],
  [undefined, "protocol_error", 'protocolVersion is missing, wanted "2"'],
])("[case L-07] version %j is %s", (received, reason, text) => {
  expect(judgeVersion(received)).toEqual({ ok: false, reason, text });
});

test('[L3] [case L-07] version "2" and nothing else is ours', () => {
  expect(judgeVersion("2")).toEqual({ ok: true });
});
