/** Reads the last user message as a script and decides what the offline model does next; no I/O. */
import type { Message, ToolCall } from "@reasonix-ts/protocol";

/** What one request is answered with: reasoning first, then a tool call or the pieces of an answer. */
export type OfflineStep =
  | { readonly kind: "call"; readonly reasoning: string; readonly call: ToolCall }
  | { readonly kind: "answer"; readonly reasoning: string; readonly pieces: Iterable<string> };

type Line =
  | { readonly kind: "tool"; readonly name: string; readonly args: string }
  | { readonly kind: "think"; readonly text: string }
  | { readonly kind: "repeat"; readonly times: number; readonly text: string }
  | { readonly kind: "text"; readonly text: string };

/**
 * Walks the script one tool call a request: the calls made since the last user message say how far it is.
 * A model that is offered no tools calls none, so `toolsOffered` false makes TOOL lines plain text.
 */
export function nextStep(messages: readonly Message[], toolsOffered: boolean): OfflineStep {
  const start = messages.findLastIndex((message) => message.role === "user");
  const lines = parseScript(messages[start]?.content ?? "", toolsOffered);
  const made = messages.slice(start + 1).flatMap((message) => message.tool_calls ?? []);

  let reasoning: string[] = [];
  let calls = 0;
  for (const line of lines) {
    if (line.kind === "think") reasoning.push(line.text);
    if (line.kind !== "tool") continue;
    if (calls === made.length) {
      const call = { id: `offline_${callsIn(messages) + 1}`, name: line.name, arguments: line.args };
      return { kind: "call", reasoning: reasoning.join("\n"), call };
    }
    calls++;
    reasoning = [];
  }
  const results = resultLines(made, messages.slice(start + 1));
  return { kind: "answer", reasoning: reasoning.join("\n"), pieces: answerPieces(results, lines) };
}

/** One line of script is one line of the message; what is no instruction is text. */
function parseScript(content: string, toolsOffered: boolean): readonly Line[] {
  return content.split(/\r\n|\n|\r/).map((text) => parseLine(text, toolsOffered));
}

function parseLine(text: string, toolsOffered: boolean): Line {
  const tool = toolsOffered ? /^TOOL (\S+) +(\{.*)$/.exec(text) : null;
  if (tool !== null) return { kind: "tool", name: tool[1] ?? "", args: (tool[2] ?? "").trimEnd() };
  const think = /^THINK (.+)$/.exec(text);
  if (think !== null) return { kind: "think", text: think[1] ?? "" };
  const repeat = /^REPEAT ([1-9]\d{0,6}) (.+)$/.exec(text);
  if (repeat !== null) return { kind: "repeat", times: Number(repeat[1]), text: repeat[2] ?? "" };
  return { kind: "text", text };
}

function callsIn(messages: readonly Message[]): number {
  return messages.reduce((count, message) => count + (message.tool_calls?.length ?? 0), 0);
}

/** `<name>: <first line of the result>` for every call that has a result. */
function resultLines(calls: readonly ToolCall[], messages: readonly Message[]): readonly string[] {
  return calls.flatMap((call) => {
    const result = messages.find((message) => message.role === "tool" && message.tool_call_id === call.id);
    return result === undefined ? [] : [`${call.name}: ${firstLine(result.content ?? "")}`];
  });
}

function firstLine(text: string): string {
  return /^[^\r\n]*/.exec(text)?.[0] ?? "";
}

/** Results, then what is repeated, then `You said: <text>`, a line each; made piece by piece, as it may be long. */
function* answerPieces(results: readonly string[], lines: readonly Line[]): Generator<string> {
  let lead = "";
  for (const result of results) {
    yield* inPieces(lead + result);
    lead = "\n";
  }
  for (const line of lines) {
    if (line.kind !== "repeat") continue;
    for (let n = 0; n < line.times; n++) {
      yield* inPieces(lead + line.text);
      lead = "\n";
    }
  }
  const said = lines.flatMap((line) => (line.kind === "text" ? [line.text] : [])).join("\n");
  if (said !== "" || lead === "") yield* inPieces(`${lead}You said: ${said}`);
}

/** The size of a piece in UTF-16 units, one less where it would cut a character in two. */
const PIECE = 12;

export function* inPieces(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + PIECE, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end--;
    yield text.slice(at, end);
    at = end;
  }
}
