/** Replaces one `[[providers]]` table in the text of a config.toml and keeps every other character of it (pure). */
import { isDeepStrictEqual } from "node:util";
import { parse } from "smol-toml";

const HEADER = /^\s*\[\[\s*providers\s*\]\]/;
/** A table below the provider, such as `[providers.prices]`. */
const BELOW = /^\s*\[{1,2}\s*providers\s*\./;
const ANY_HEADER = /^\s*\[/;

/** The text with `block` as its table number `index`, or null where the file writes its tables in another way. */
export function withProviderBlock(text: string, index: number, block: string): string | null {
  const lines = text.split("\n");
  const headers = lines.flatMap((line, at) => (HEADER.test(line) ? [at] : []));
  const start = headers[index];
  if (start === undefined) return null;
  const next = lines.findIndex((line, at) => at > start && ANY_HEADER.test(line) && !BELOW.test(line));
  // Blank lines and comments before the next header belong to what follows.
  let end = next === -1 ? lines.length : next;
  while (end > start + 1 && /^\s*(#.*)?$/.test(lines[end - 1] ?? "")) end -= 1;
  const after = [...lines.slice(0, start), ...block.trimEnd().split("\n"), ...lines.slice(end)].join("\n");
  const whole = after.endsWith("\n") ? after : `${after}\n`;
  return differsThereOnly(text, whole, index, block) ? whole : null;
}

/** Lines that look like headers may stand in a long string: only what parses to the same data otherwise is taken. */
function differsThereOnly(before: string, after: string, index: number, block: string): boolean {
  try {
    const wanted: { [key: string]: unknown } = parse(before);
    const own = parse(block)["providers"];
    const { providers } = wanted;
    if (!Array.isArray(providers) || !Array.isArray(own)) return false;
    wanted["providers"] = providers.with(index, own[0]);
    return isDeepStrictEqual(parse(after), wanted);
  } catch {
    return false;
  }
}
