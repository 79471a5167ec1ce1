/** Reads JSON that others wrote, where a member may be missing or of another type. */

export type Foreign = { readonly [member: string]: unknown };

/** The object itself, or null for anything else, arrays included. */
export function objectIn(value: unknown): Foreign | null {
  // The border between foreign JSON and types: an object's members are `unknown` until they are read.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Foreign) : null;
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The string, or the empty one. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A count of tokens: a finite number of at least 0, rounded down; anything else is null. */
export function countIn(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.floor(value) : null;
}

/** The parsed value, or undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A tool call's arguments as an object; text that holds no object is kept as its one member. */
export function argumentsObject(text: string): Foreign {
  return objectIn(parseJson(text)) ?? (text.trim() === "" ? {} : { unparsed: text });
}
