/** The hash of what every request of a session begins with, and what changed it. */
import { createHash } from "node:crypto";
import type { ToolSchema } from "@reasonix-ts/protocol";

export interface Prefix {
  /** SHA-256, first 16 hex digits, of the system prompt. */
  readonly system: string;
  /** The same of the tool schemas, in their order. */
  readonly tools: string;
  readonly generation: number;
}

export interface PrefixReport extends Prefix {
  /** Of both together. */
  readonly hash: string;
  /** What differs from the prefix before; null where nothing was before, or nothing differs. */
  readonly changed: string | null;
}

export function prefixOf(system: string, tools: readonly ToolSchema[], generation: number): Prefix {
  return { system: hash(system), tools: hash(JSON.stringify(tools)), generation };
}

export function comparePrefix(now: Prefix, before: Omit<Prefix, "generation"> | null): PrefixReport {
  const parts: string[] = [];
  if (before !== null && before.system !== now.system) parts.push("the system prompt");
  if (before !== null && before.tools !== now.tools) parts.push("the tools");
  const changed = parts.length === 0 ? null : `${parts.join(" and ")} changed`;
  return { ...now, hash: hash(`${now.system}\n${now.tools}`), changed };
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
