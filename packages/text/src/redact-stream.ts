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

/** Characters held back at most for a line that does not end; twice that while a secret is still running. */
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
    const cut = safeCut(text, spans, holdBack, parts.literals.longestOfLines);
    const crossing = spans.find((span) => span.start >= cut && (span.end >= text.length || isOpenKey(span, text)));
    if (crossing !== undefined && text.length - crossing.start > holdBack) {
      dropping = crossing.runsUntil;
      const out = parts.replace(
        text.slice(0, crossing.start),
        spans.filter((span) => span.end <= crossing.start),
      );
      held = "";
      keyIsOpen = false;
      return out + parts.marker;
    }
    const out = parts.replace(
      text.slice(0, cut),
      spans.filter((span) => span.end <= cut),
    );
    held = text.slice(cut);
    keyIsOpen = spans.some((span) => span.start >= cut && isOpenKey(span, text));
    return out;
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

/** The last place before which no secret can still be growing. */
function safeCut(text: string, spans: readonly Span[], holdBack: number, longestOfLines: number): number {
  let cut = text.lastIndexOf("\n") + 1;
  // A literal may hold line ends of its own: only text that is too far back to be its start is let go.
  if (longestOfLines > 0) cut = Math.min(cut, text.lastIndexOf("\n", text.length - longestOfLines) + 1);
  if (text.length - cut > holdBack) {
    const wanted = text.length - holdBack / 2;
    const space = text.lastIndexOf(" ", wanted) + 1;
    cut = Math.max(cut, wanted - space < 1_024 ? space : Math.floor(wanted));
  }
  for (const span of spans) {
    if (span.start < cut && (span.end > cut || isOpenKey(span, text))) cut = span.start;
  }
  return cut;
}

/** A key whose end line is still to come: nothing but white space follows what there is of it. */
function isOpenKey(span: Span, text: string): boolean {
  return span.runsUntil === "key-end" && text.slice(span.end).trim() === "";
}

function endOf(text: string, end: RegExp): number {
  const at = text.search(end);
  return at < 0 ? text.length : at;
}
