/** A short, harmless quotation of foreign bytes for error texts. */

/** The most bytes of a foreign line that an error text shows. */
const quoteLimit = 80;

/** How much of a line is looked at before it is cut, so that a secret is seen whole when it is redacted. */
const inspected = 4_096;
const more = "...";

/** The start of `line`, redacted, with everything but printable ASCII escaped, in at most 80 bytes. */
export function quote(line: string | Uint8Array, redact: (text: string) => string): string {
  const start = typeof line === "string" ? line.slice(0, inspected) : latin1(line.subarray(0, inspected));
  const pieces = Array.from(redact(start), escaped);
  const whole = pieces.join("");
  if (whole.length <= quoteLimit && line.length <= inspected) return whole;
  let shown = "";
  for (const piece of pieces) {
    if (shown.length + piece.length > quoteLimit - more.length) break;
    shown += piece;
  }
  return shown + more;
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === "\\") return "\\\\";
  if (code >= 0x20 && code < 0x7f) return character;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, "0")}`;
  return `\\u{${code.toString(16)}}`;
}

function latin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
