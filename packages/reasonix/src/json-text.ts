/** JSON for programs that a terminal may show all the same: the same value, and nothing that a terminal obeys. */

/** As `JSON.stringify`, which leaves DEL, C1 controls and what turns or hides text as they are, with those escaped too. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? "null";
  return text.replace(UNSEEN, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** DEL and C1, zero-width characters, line and paragraph separators, and the controls of writing direction. */
const UNSEEN = /[\u007f-\u009f\u200b\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g;
