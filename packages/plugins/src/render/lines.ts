/** Words and columns that all reports share (pure). */
import { oneLine, redactSecrets } from "@reasonix-ts/text";

/** Text that a plugin wrote, on one line and without control characters or secrets. */
export function plain(text: string): string {
  return oneLine(redactSecrets(text));
}

/** Left-aligned columns, two spaces apart; the last one is not padded. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return rows.map((row) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

export function text(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** `skills 2, hooks 1`, or nothing. */
export function counted(contributions: { readonly [kind: string]: number }): string {
  return Object.entries(contributions)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(", ");
}

export function shortDigest(sha256: string | null): string {
  return sha256 === null ? "" : sha256.slice(0, 12);
}

export function versionText(version: string): string {
  return version === "" ? "no version" : plain(version);
}
