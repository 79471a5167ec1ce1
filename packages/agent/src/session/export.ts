/** A session as a document for people. */
import type { TranscriptEntry } from "./replay.ts";

/** Markdown: what was typed, what was answered, and each tool call with its result. */
export function exportMarkdown(title: string, entries: readonly TranscriptEntry[]): string {
  const parts = [`# ${title}`];
  for (const entry of entries) parts.push(...sectionsOf(entry));
  return `${parts.join("\n\n")}\n`;
}

function sectionsOf(entry: TranscriptEntry): readonly string[] {
  if (entry.kind === "note") return [`> ${entry.text.replaceAll("\n", "\n> ")}`];
  const { message, typed } = entry;
  const content = message.content ?? "";
  const role = message.role ?? "system";
  switch (role) {
    case "user":
      return [`## You\n\n${typed ?? content}`];
    case "assistant": {
      const calls = (message.tool_calls ?? []).map((call) => `**${call.name}**\n\n${fenced(call.arguments)}`);
      return [...(content === "" ? [] : [`## Reasonix\n\n${content}`]), ...calls];
    }
    case "tool":
      return [`Result of ${message.name ?? "a tool"}:\n\n${fenced(content)}`];
    case "system":
      return [];
  }
}

/** A fence that is longer than any inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
