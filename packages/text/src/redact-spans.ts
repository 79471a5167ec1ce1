/** A stretch of text that holds a secret, and how stretches that overlap become one. */

export interface Span {
  readonly start: number;
  /** One past the last secret character. */
  readonly end: number;
  /**
   * What ends a secret of this kind when it still runs at the end of the text seen so far:
   * white space or a quote, the end of the line, or the end line of a private key.
   */
  readonly runsUntil: "delimiter" | "line" | "key-end";
}

/** Sorted, without overlaps; neighbours that touch become one. */
export function mergeSpans(spans: readonly Span[]): readonly Span[] {
  if (spans.length < 2) return spans;
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const merged: Span[] = [];
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last === undefined || span.start > last.end) merged.push(span);
    else if (span.end > last.end) merged[merged.length - 1] = { ...span, start: last.start };
  }
  return merged;
}
