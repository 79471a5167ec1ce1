/** Events as plain lines: pure, so that print and the conversation say the same. */
import type { AgentEvent } from "@reasonix-ts/events";
import { formatMillis } from "@reasonix-ts/text";
import { wrapLines } from "../wrap.ts";

const ARGUMENT_WIDTH = 100;
const RESULT_LINES = 8;

/** Lines of others, which are shown as they are written. */
const VERBATIM: ReadonlySet<AgentEvent["kind"]> = new Set(["tool_result", "tool_started", "user_message"]);

/** `eventLines` for a screen of that many columns; null where there is none. */
export function fittedLines(event: AgentEvent, columns: number | null): readonly string[] {
  const lines = eventLines(event);
  return VERBATIM.has(event.kind) ? lines : wrapLines(lines, columns);
}

/** The lines that tell an event beside the answer itself, or none where it is not worth one. */
export function eventLines(event: AgentEvent): readonly string[] {
  const who = event.agent === undefined || event.agent === "main" ? "" : `(${event.agent}) `;
  switch (event.kind) {
    case "user_message":
      return event.sent === undefined || event.sent === event.text
        ? []
        : [`input changed by ${(event.changedBy ?? []).join(", ") || "an extension"}`, ...indent(event.sent)];
    case "tool_started":
      return [`${who}> ${event.name} ${cut(event.arguments, ARGUMENT_WIDTH)}`];
    case "tool_result":
      return resultLines(event.text, event.isError, event.elapsedMillis);
    case "notice":
      return [`${event.severity === "info" ? "" : `${event.severity}: `}${event.text}`];
    case "retrying":
      return [`retrying in ${formatMillis(event.delayMillis)} (attempt ${event.attempt}): ${event.text}`];
    case "compaction_started":
      return [`compacting ${event.messages} messages`];
    case "compaction_done":
      return [
        event.skipped === undefined
          ? `folded ${event.folded} messages into a summary`
          : `not compacted: ${event.skipped}`,
      ];
    case "extension_status":
      return event.state === "ready" || event.state === "starting" ? [] : [`extension ${event.plugin}: ${event.text}`];
    case "turn_done":
      return event.outcome === "done" ? [] : [endLine(event.outcome, event.text)];
    default:
      return [];
  }
}

/** The text of a blocked turn says itself that it was, and by whom. */
function endLine(outcome: string, text: string): string {
  return outcome === "blocked" && text.startsWith("Blocked ") ? `turn b${text.slice(1)}` : `turn ${outcome}: ${text}`;
}

function resultLines(text: string, isError: boolean, elapsedMillis: number): string[] {
  const lines = text.replace(/\n+$/, "").split("\n");
  const shown = lines.slice(0, RESULT_LINES);
  const more = lines.length - shown.length;
  return [
    ...shown.map((line, index) => `  ${isError && index === 0 ? "error: " : ""}${cut(line, ARGUMENT_WIDTH)}`),
    ...(more > 0 ? [`  … ${more} more lines`] : []),
    ...(elapsedMillis >= 1000 ? [`  (${formatMillis(elapsedMillis)})`] : []),
  ];
}

function indent(text: string): string[] {
  return text.split("\n").map((line) => `  ${line}`);
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
