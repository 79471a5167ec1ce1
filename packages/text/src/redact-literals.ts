/** Finds secret values that are known word for word. */
import type { Span } from "./redact-spans.ts";

/** A shorter value stands in ordinary text by chance: replacing it would damage more than it hides. */
const SHORTEST_LITERAL = 6;

export interface LiteralFinder {
  readonly find: (text: string) => readonly Span[];
  /** Length of the longest form looked for; 0 when there is none. */
  readonly longest: number;
  /** The same of those that hold a line end. */
  readonly longestOfLines: number;
}

/** Each value is looked for as it is, as a URL component, and as the inside of a JSON string. */
export function literalFinder(values: readonly string[]): LiteralFinder {
  const forms = new Set<string>();
  for (const value of values) {
    if (value.length < SHORTEST_LITERAL || value.trim() === "") continue;
    forms.add(value);
    forms.add(JSON.stringify(value).slice(1, -1));
    // encodeURIComponent throws on half a surrogate pair.
    if (!/\p{Surrogate}/u.test(value)) forms.add(encodeURIComponent(value));
  }
  if (forms.size === 0) return { find: () => [], longest: 0, longestOfLines: 0 };
  const longestFirst = [...forms].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(escapePattern).join("|"), "g");
  return {
    find: (text) =>
      Array.from(text.matchAll(pattern), (match) => ({
        start: match.index,
        end: match.index + match[0].length,
        runsUntil: "delimiter" as const,
      })),
    longest: longestFirst[0]?.length ?? 0,
    longestOfLines: longestFirst.find((form) => form.includes("\n"))?.length ?? 0,
  };
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
