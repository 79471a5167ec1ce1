/** Takes secrets out of text that is about to be shown or logged; model content never passes here. */
import { keySpans } from "./redact-keys.ts";
import { literalFinder } from "./redact-literals.ts";
import { pairSpans } from "./redact-pairs.ts";
import { redactingStream, type RedactingStream } from "./redact-stream.ts";
import { shapeSpans } from "./redact-shapes.ts";
import { mergeSpans, type Span } from "./redact-spans.ts";
import { environmentNameIsSecret } from "./secret-names.ts";

/** What stands in the place of a secret. */
export const REDACTED = "[redacted]";

export interface RedactorOptions {
  /** Secret values the caller holds; replaced wherever they stand, also URL-encoded or inside JSON. Shorter than 6: ignored. */
  readonly literals?: Iterable<string>;
  /** An environment whose secret values (see `secretValuesOf`) are literals too. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface Redactor {
  /** The text with every secret replaced by `[redacted]`; the same string when there was none. Linear in its length. */
  readonly redact: (text: string) => string;
  /** A redactor for text that comes in pieces: a secret cut in two by a write is caught too. */
  readonly stream: () => RedactingStream;
}

/** Builds a redactor: header, key=value, flag, JSON, URL and token shapes, and the given literal values. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const literals = [...(options.literals ?? []), ...secretValuesOf(options.environment ?? {})];
  const finder = literalFinder(literals);
  const find = (text: string): readonly Span[] =>
    mergeSpans([...finder.find(text), ...shapeSpans(text), ...keySpans(text), ...pairSpans(text)]);
  return {
    redact: (text) => replaceSpans(text, find(text)),
    stream: () => redactingStream({ find, replace: replaceSpans, marker: REDACTED, literals: finder }),
  };
}

const shapesOnly = createRedactor();

/** Redacts by shape alone, without literal values. */
export function redactSecrets(text: string): string {
  return shapesOnly.redact(text);
}

/** Values of eight characters or more whose name says key, token, secret or password, paths apart. */
export function secretValuesOf(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const values: string[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && value.length >= 8 && environmentNameIsSecret(name, value)) values.push(value);
  }
  return values;
}

function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let out = "";
  let at = 0;
  for (const span of spans) {
    out += text.slice(at, span.start) + REDACTED;
    at = span.end;
  }
  return out + text.slice(at);
}
