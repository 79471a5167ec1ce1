/** Looks into JSON whose shape nobody promised (pure). */

export type Members = { readonly [member: string]: unknown };

export function membersOf(value: unknown): Members | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A string or a list of strings; anything else is null. */
export function pathsOf(value: unknown): readonly string[] | null {
  if (typeof value === "string") return [value];
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? value : null;
}

/** A record of strings; members of other types are left out. */
export function variablesOf(value: unknown): { readonly [name: string]: string } {
  const pairs = Object.entries(membersOf(value) ?? {});
  return Object.fromEntries(pairs.flatMap(([name, one]) => (typeof one === "string" ? [[name, one] as const] : [])));
}

/** `./skills/` and `skills` are one path; null for a path that leads out. */
export function innerPath(text: string): string | null {
  if (text === "" || text.startsWith("/") || /^[A-Za-z]:/.test(text) || text.includes("\\")) return null;
  const parts = text.split("/").filter((part) => part !== "" && part !== ".");
  return parts.includes("..") ? null : parts.join("/") || ".";
}
