/** Takes terminal, control and direction-changing characters out of text that others wrote. */
/* oxlint-disable no-control-regex -- control characters are what this file is about */

/** Whole sequences first, so that their parameters go with them; an unterminated one loses its introducer alone. */
const SEQUENCES =
  // CSI … final byte | OSC, DCS, SOS, PM, APC … BEL or ST, never over a line end | other two- and three-byte escapes
  /(?:\u001b\[|\u009b)[0-?]{0,256}[ -/]{0,16}[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u0090-\u009f\n]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]{1,4}[0-~]|\u001b[0-Z\\`-~[\]^_]/g;

/** C0 but newline and tab, DEL, C1, bidirectional overrides and isolates, zero-width space, word joiner, byte order mark. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/g;

/**
 * Plain text of any length: newline and tab stay, as do the joiners and marks that scripts need (ZWJ, ZWNJ, LRM, RLM).
 * Text after an unterminated sequence is kept.
 */
export function stripControls(text: string): string {
  return text.replace(SEQUENCES, "").replace(CONTROLS, "");
}

/** The same on one line: each run of line ends and tabs becomes one space. For titles, labels and reasons. */
export function oneLine(text: string): string {
  return stripControls(text)
    .replace(/[\n\t\u2028\u2029]+/g, " ")
    .trim();
}
