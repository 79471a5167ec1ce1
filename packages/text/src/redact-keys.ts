/** Finds private keys in their armour, whole or cut at either end. */
import type { Span } from "./redact-spans.ts";

const KEY_LINE = /-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** Lines of base64 after the first line, ended for real or by the two characters `\n` of an escaped text. */
const BODY_AFTER = /(?:(?:\\[rn]|\s)+[A-Za-z0-9+/=]{8,})*/y;
const BODY_LINE = /^[A-Za-z0-9+/=]{8,}$/;
/** Above the size of the largest keys in use; an end line further away belongs to something else. */
const LONGEST_KEY = 16_384;

/** Whole keys, and what is left of a key whose first or last line is missing. */
export function keySpans(text: string): readonly Span[] {
  if (!text.includes("PRIVATE KEY")) return [];
  const lines = Array.from(text.matchAll(KEY_LINE), (match) => ({
    kind: match[1],
    start: match.index,
    end: match.index + match[0].length,
  }));
  const spans: Span[] = [];
  let covered = 0;
  for (const [i, line] of lines.entries()) {
    if (line.start < covered) continue;
    if (line.kind === "END") {
      spans.push({ start: bodyStart(text, covered, line.start), end: line.end, runsUntil: "delimiter" });
      covered = line.end;
      continue;
    }
    const next = lines[i + 1];
    if (next?.kind === "END" && next.start - line.end <= LONGEST_KEY) {
      covered = next.end;
      spans.push({ start: line.start, end: covered, runsUntil: "delimiter" });
    } else {
      BODY_AFTER.lastIndex = line.end;
      covered = line.end + (BODY_AFTER.exec(text)?.[0].length ?? 0);
      spans.push({ start: line.start, end: covered, runsUntil: "key-end" });
    }
  }
  return spans;
}

/** Walks back from an end line over whole lines of base64. */
function bodyStart(text: string, from: number, end: number): number {
  let start = end;
  while (start > from && end - start < LONGEST_KEY) {
    const lineEnd = text[start - 1] === "\n" ? start - 1 : start;
    const lineStart = Math.max(from, text.lastIndexOf("\n", lineEnd - 1) + 1);
    if (!BODY_LINE.test(text.slice(lineStart, lineEnd).trimEnd())) break;
    start = lineStart;
  }
  return start;
}
