/** Reads off a conversation what a summary must not lose: what was asked, which files changed, which commands ran; pure. */
import type { Message, ToolCall } from "@reasonix-ts/sdk";

export interface Ledger {
  readonly asked: readonly string[];
  readonly changed: readonly string[];
  readonly commands: readonly string[];
}

const LONGEST_ENTRY = 200;
const MOST_ENTRIES = 20;

export function readLedger(messages: readonly Message[]): Ledger {
  const calls = messages.flatMap((message) => message.tool_calls ?? []);
  return {
    asked: entries(messages.map((message) => (message.role === "user" ? message.content : undefined))),
    changed: entries(calls.map((call) => (CHANGES.has(call.name) ? argument(call, "path") : undefined))),
    commands: entries(calls.map((call) => (call.name === "bash" ? argument(call, "command") : undefined))),
  };
}

/** The ledger first, as facts, then what the model made of the rest. */
export function withLedger({ asked, changed, commands }: Ledger, summary: string): string {
  return [
    ...section("Asked for", asked),
    ...section("Files changed", changed),
    ...section("Commands run", commands),
    "## Summary",
    summary.trim(),
  ].join("\n");
}

const CHANGES = new Set(["write_file", "edit_file"]);

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, ...lines.map((line) => `- ${line}`), ""];
}

/** One line each, without repeats, the last ones where there are many. */
function entries(texts: readonly (string | undefined)[]): readonly string[] {
  const lines = texts.flatMap((text) => {
    const line = (text ?? "").replaceAll(/\s+/g, " ").trim();
    if (line === "") return [];
    return [line.length > LONGEST_ENTRY ? `${line.slice(0, LONGEST_ENTRY)}…` : line];
  });
  return [...new Set(lines)].slice(-MOST_ENTRIES);
}

/** Models send broken JSON too; such a call ran nothing and is left out. */
function argument(call: ToolCall, name: string): string | undefined {
  try {
    const args: unknown = JSON.parse(call.arguments);
    if (typeof args !== "object" || args === null) return undefined;
    const value = new Map<string, unknown>(Object.entries(args)).get(name);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
