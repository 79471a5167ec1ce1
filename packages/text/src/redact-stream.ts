/** Redacts text that arrives in pieces, holding back only what could still turn out to be part of a secret. */
import type { Span } from "./redact-spans.ts";

export interface RedactingStream {
  /** Takes a piece and returns what is now safe to show: whole lines, as a rule. */
  readonly push: (piece: string) => string;
  /** Returns what was held back, redacted. The stream is empty afterwards and may be used again. */
  readonly end: () => string;
}

interface StreamParts {
  readonly find: (text: string) => readonly Span[];
  readonly replace: (text: string, spans: readonly Span[]) => string;
  readonly marker: string;
  readonly literals: { readonly longest: number; readonly longestOfLines: number };
}

/** Half of what is held back at most, in characters, for a line that does not end. */
const HOLD_BACK = 16_384;

const ENDS: Readonly<Record<Span["runsUntil"], RegExp>> = {
  delimiter: /[\s"'`]/,
  line: /[\r\n"']/,
  "key-end": /[^A-Za-z0-9+/=\s\\-]/,
};

/** Time is linear in the text: a line is searched when it ends or when the hold-back is full, not at every piece. */
export function redactingStream(parts: StreamParts): RedactingStream {
  const holdBack = Math.max(HOLD_BACK, 4 * parts.literals.longest);
  let held = "";
  /** Set while a secret longer than the hold-back goes by: its marker is out, its rest is dropped. */
  let dropping: Span["runsUntil"] | null = null;
  /** Set while a private key is held that has not ended: more of its lines need no new search. */
  let keyIsOpen = false;

  const drain = (): string => {
    if (dropping !== null) {
      const end = held.search(ENDS[dropping]);
      if (end < 0) {
        held = "";
        return "";
      }
      held = held.slice(end);
      dropping = null;
    }
    const text = held;
    const spans = parts.find(text);
    const cut = lineCut(text, spans, parts.literals.longestOfLines);
    if (text.length - cut > 2 * holdBack) return overflow(text, spans);
    keyIsOpen = spans.some((span) => span.start >= cut && isOpenKey(span, text));
    return release(text, spans, cut);
  };

  const release = (text: string, spans: readonly Span[], cut: number): string => {
    held = text.slice(cut);
    return parts.replace(
      text.slice(0, cut),
      spans.filter((span) => span.end <= cut),
    );
  };

  /** A line, or a secret, that does not end: lets go of the older part of it. */
  const overflow = (text: string, spans: readonly Span[]): string => {
    keyIsOpen = false;
    const cut = wordCut(text, text.length - holdBack / 2);
    const inTheWay = spans.find((span) => span.start < cut + LONGEST_NAME && (span.end > cut || isOpenKey(span, text)));
    if (inTheWay === undefined) return release(text, spans, cut);
    if (inTheWay.end < text.length && !isOpenKey(inTheWay, text)) return release(text, spans, inTheWay.end);
    dropping = inTheWay.runsUntil;
    const out = release(text, spans, inTheWay.start);
    held = "";
    return out + parts.marker;
  };

  return {
    push(piece) {
      held += piece;
      const mayAdd = piece.includes("\n") && !(keyIsOpen && !ENDS["key-end"].test(piece) && !piece.includes("-"));
      return mayAdd || held.length > 2 * holdBack ? drain() : "";
    },
    end() {
      const rest = dropping === null ? held : held.slice(endOf(held, ENDS[dropping]));
      held = "";
      dropping = null;
      keyIsOpen = false;
      return parts.replace(rest, parts.find(rest));
    },
  };
}

/** The start of a line before which no secret can still be growing: a line stays whole, since its words name its secrets. */
function lineCut(text: string, spans: readonly Span[], longestOfLines: number): number {
  // A literal may hold line ends of its own: only text that is too far back to be its start is let go.
  const end = text.length - Math.max(longestOfLines, 1);
  let cut = end < 0 ? 0 : text.lastIndexOf("\n", end) + 1;
  for (const span of spans.toReversed()) {
    const crosses = span.start < cut && (span.end > cut || isOpenKey(span, text));
    if (crosses) cut = span.start === 0 ? 0 : text.lastIndexOf("\n", span.start - 1) + 1;
  }
  return cut;
}

/** After a space near that place, or just there. */
function wordCut(text: string, wanted: number): number {
  const space = text.lastIndexOf(" ", wanted) + 1;
  return wanted - space < 1_024 ? space : Math.floor(wanted);
}

/** A name, its separator and a scheme may stand this far before the secret they announce, and must not be cut off. */
const LONGEST_NAME = 128;

/** A key whose end line is still to come: nothing but white space follows what there is of it. */
function isOpenKey(span: Span, text: string): boolean {
  return span.runsUntil === "key-end" && text.slice(span.end).trim() === "";
}

function endOf(text: string, end: RegExp): number {
  const at = text.search(end);
  return at < 0 ? text.length : at;
}
