/** The hash of what every request of a session begins with, and what changed it. */
import { createHash } from "node:crypto";
import type { ToolSchema } from "@reasonix-ts/protocol";

export interface Prefix {
  /** SHA-256, first 16 hex digits, of the system prompt. */
  readonly system: string;
  /** The same of the tool schemas, in their order. */
  readonly tools: string;
  readonly generation: number;
  /** Plugins that had a hand in the system prompt; absent where none had. */
  readonly builtBy?: readonly string[];
}

export interface PrefixParts {
  readonly system: string;
  readonly tools: { readonly schemas: readonly ToolSchema[] };
  readonly generation: number;
  readonly builtBy: readonly string[];
}

export interface PrefixReport extends Prefix {
  /** Of both together. */
  readonly hash: string;
  /** What differs from the prefix before; null where nothing was before, or nothing differs. */
  readonly changed: string | null;
}

export function prefixOf({ system, tools, generation, builtBy }: PrefixParts): Prefix {
  const by = builtBy.length === 0 ? {} : { builtBy };
  return { system: hash(system), tools: hash(JSON.stringify(tools.schemas)), generation, ...by };
}

export function comparePrefix(now: Prefix, before: Omit<Prefix, "generation"> | null): PrefixReport {
  const parts: string[] = [];
  if (before !== null && before.system !== now.system) {
    const by = now.builtBy ?? [];
    parts.push(
      by.length === 0 ? "the system prompt" : `the system prompt (by ${by.join(", ")} at system_prompt.build)`,
    );
  }
  if (before !== null && before.tools !== now.tools) parts.push("the tools");
  const changed = parts.length === 0 ? null : `${parts.join(" and ")} changed`;
  return { ...now, hash: hash(`${now.system}\n${now.tools}`), changed };
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
