/** Shows a few bytes of something that was not understood, so that a person can recognise it. */
import { redactSecrets } from "./redact.ts";

export interface QuoteOptions {
  /** Bytes between the quotes at most, escapes counted as they are written; 80 by default. */
  readonly maxBytes?: number;
  /** Takes secrets out before the cut; by shape alone when absent. */
  readonly redact?: (text: string) => string;
}

/** Looked at beyond the cut, so that a secret that starts inside it is recognised whole. */
const REDACTION_WINDOW = 4_096;

/** `"text"` with control bytes escaped and secrets redacted; `…` follows when something was left out. */
export function quote(input: string | Uint8Array, options: QuoteOptions = {}): string {
  const { maxBytes = 80, redact = redactSecrets } = options;
  const window = REDACTION_WINDOW + maxBytes;
  const text = typeof input === "string" ? input.slice(0, window) : decodeVisibly(input.subarray(0, window));
  const whole = redact(text);
  let shown = "";
  let bytes = 0;
  for (const character of whole) {
    const written = escape(character);
    const size = Buffer.byteLength(written);
    if (bytes + size > maxBytes) return `"${shown}"…`;
    shown += written;
    bytes += size;
  }
  return input.length > window ? `"${shown}"…` : `"${shown}"`;
}

/** UTF-8 where it is valid, `\xNN` for each byte elsewhere: a replacement character would hide what came. */
function decodeVisibly(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString("utf8");
  if (!text.includes("\ufffd")) return text;
  let out = "";
  for (let at = 0; at < buffer.length;) {
    const size = validSequenceSize(buffer, at);
    out += size === 0 ? `\\x${buffer.toString("hex", at, at + 1)}` : buffer.toString("utf8", at, at + size);
    at += Math.max(size, 1);
  }
  return out;
}

function validSequenceSize(buffer: Buffer, at: number): number {
  const first = buffer[at] ?? 0;
  if (first < 0x80) return 1;
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  const text = buffer.toString("utf8", at, at + size);
  return text.includes("\ufffd") || Buffer.byteLength(text) !== size || first < 0xc2 ? 0 : size;
}

const NAMED_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"' };

function escape(character: string): string {
  const named = NAMED_ESCAPES[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return `\\x${code.toString(16).padStart(2, "0")}`;
  return INVISIBLE.test(character) ? `\\u${code.toString(16).padStart(4, "0")}` : character;
}

const INVISIBLE = /[\u200b-\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]/u;
