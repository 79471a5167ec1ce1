/** JSON for programs that a terminal may show all the same: the same value, and nothing that a terminal obeys. */

/** As `JSON.stringify`, which leaves DEL and C1 controls as they are, with those escaped too. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? "null";
  return text.replace(/[\u007f-\u009f]/g, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
