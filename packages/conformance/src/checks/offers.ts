/** Tools and actions that the sidecar serves. */
import { ToolCallResult, UIActionResult, UISubmitResult } from "@reasonix-ts/protocol";
import { GENERATION } from "../play/play.ts";
import { isJsonObject, type JsonObject } from "../wire/frame.ts";
import type { Check } from "./check.ts";
import { resultOf } from "./providers.ts";

const TOOL_TIME = 300_000;

export const offerChecks: readonly Check[] = [
  {
    id: "tool.call",
    title: "Each of its tools answers a call with content and isError",
    level: "must",
    cites: ["T5"],
    unless: ({ tools }) => (tools.length === 0 ? "its manifest has no tool" : null),
    async run(arena) {
      const play = await arena.ready();
      for (const { name, inputSchema } of arena.facts.tools) {
        const params = { name, arguments: exampleOf(inputSchema), timeoutMillis: arena.within(TOOL_TIME) };
        const answer = await play.call("extension/tool/call", params, arena.within(TOOL_TIME));
        resultOf(play, answer, ToolCallResult, '{"content": string, "isError": boolean}');
      }
    },
  },
  {
    id: "tool.unknown",
    title: "A tool that it does not have is refused",
    level: "should",
    cites: ["E1"],
    unless: ({ tools }) => (tools.length === 0 ? "its manifest has no tool" : null),
    async run(arena) {
      const play = await arena.ready();
      const params = { name: "x-conformance", arguments: {}, timeoutMillis: 10_000 };
      const answer = await play.call("extension/tool/call", params, arena.within(10_000));
      if (answer.kind === "error") return;
      if (resultOf(play, answer, ToolCallResult, "an error").isError) return;
      throw play.finding({ what: "a tool that it does not have answered", wanted: "an error, or isError true" });
    },
  },
  {
    id: "ui.action",
    title: "Each of its actions is answered",
    level: "must",
    cites: ["U5"],
    unless: ({ actions }) => (actions.length === 0 ? "it declares no action" : null),
    async run(arena) {
      const play = await arena.ready();
      const stamp = { sessionId: play.sessionId, generation: GENERATION };
      for (const actionId of arena.facts.actions) {
        const answer = await play.call("extension/ui/action", { actionId, ...stamp, args: {} }, arena.within(30_000));
        resultOf(play, answer, UIActionResult, '{"accepted": boolean, "message"?: string}');
      }
    },
  },
  {
    id: "ui.unknown-action",
    title: "An action and a form that it does not have are refused, not obeyed",
    level: "should",
    cites: ["U5"],
    unless: ({ actions }) => (actions.length === 0 ? "it declares no action" : null),
    async run(arena) {
      const play = await arena.ready();
      const stamp = { sessionId: play.sessionId, generation: GENERATION };
      const ask = { actionId: "x-conformance", ...stamp, args: {} };
      const action = await play.call("extension/ui/action", ask, arena.within(30_000));
      if (action.kind === "result" && resultOf(play, action, UIActionResult, "an answer").accepted)
        throw play.finding({
          what: "an unknown action was accepted",
          wanted: "accepted false, or an error",
          sent: action.sent,
        });
      const form = { surfaceId: "x-conformance", ...stamp, values: {} };
      const submit = await play.call("extension/ui/submit", form, arena.within(30_000));
      if (submit.kind === "result" && resultOf(play, submit, UISubmitResult, "an answer").accepted)
        throw play.finding({
          what: "an unknown form was accepted",
          wanted: "accepted false, or an error",
          sent: submit.sent,
        });
    },
  },
];

/** Arguments that fit a simple JSON Schema: required members with a value of their type. */
function exampleOf(schema: JsonObject): JsonObject {
  const { properties, required } = schema;
  if (!isJsonObject(properties) || !Array.isArray(required)) return {};
  const names = required.filter((name) => typeof name === "string");
  return Object.fromEntries(names.map((name) => [name, valueOf(properties[name])]));
}

function valueOf(schema: unknown): unknown {
  if (!isJsonObject(schema)) return "text";
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  switch (schema["type"]) {
    case "integer":
    case "number":
      return typeof schema["minimum"] === "number" ? schema["minimum"] : 1;
    case "boolean":
      return false;
    case "array":
      return [];
    case "object":
      return exampleOf(schema);
    case "null":
      return null;
    default:
      return "text";
  }
}
