/** Reads JSON of strangers: what is missing or of another type counts as empty. */

export interface Foreign {
  readonly [name: string]: unknown;
}

export function objectIn(value: unknown): Foreign {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function countIn(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : 0;
}
