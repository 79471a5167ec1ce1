/** Reads options the way the usual programs do: `-rf`, `-r -f`, `--recursive`, abbreviated, up to `--`. */
import type { Word } from "./script.ts";

export interface Options {
  /** Whether a short letter, or a long name or an unambiguous beginning of it, is there. */
  has(letter: string, name?: string): boolean;
  /** What is no option. */
  readonly operands: readonly string[];
}

export function readOptions(words: readonly Word[]): Options {
  const texts = words.map(({ text }) => text);
  const end = texts.indexOf("--");
  const before = end === -1 ? texts : texts.slice(0, end);
  const after = end === -1 ? [] : texts.slice(end + 1);
  const long = before.filter((text) => text.startsWith("--"));
  const short = before.filter((text) => text.startsWith("-") && !text.startsWith("--") && text !== "-");
  const operands = before.filter((text) => !text.startsWith("-") || text === "-");
  return {
    operands: [...operands, ...after],
    has: (letter, name) =>
      (letter !== "" && short.some((text) => text.includes(letter))) ||
      (name !== undefined &&
        long.some((text) => text.length > 3 && `--${name}`.startsWith(text.split("=")[0] ?? text))),
  };
}
