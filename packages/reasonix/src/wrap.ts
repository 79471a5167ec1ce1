/** Breaks lines for people at words, so that a terminal does not break them inside of one (pure). */
import type { Output } from "./world.ts";

/** Narrower terminals get longer lines than they have columns, rather than one word a line. */
const NARROWEST = 40;

/** Columns to write in, or null where nobody looks at a screen and lines stay whole. */
export function columnsOf({ isTTY, columns }: Pick<Output, "isTTY" | "columns">): number | null {
  return isTTY === true ? Math.max(columns ?? 80, NARROWEST) : null;
}

/** Each line in pieces of at most `columns`, continued two columns further in; a longer word stays whole. */
export function wrapLines(lines: readonly string[], columns: number | null): readonly string[] {
  if (columns === null) return lines;
  return lines
    .flatMap((text) => text.split("\n"))
    .flatMap((line) => (line.length <= columns ? [line] : hung(line, columns)));
}

function hung(line: string, columns: number): readonly string[] {
  const indent = /^ */.exec(line)?.[0] ?? "";
  const [first = "", ...rest] = wrap(line.slice(indent.length), columns - indent.length - 2);
  return [`${indent}${first}`, ...rest.map((piece) => `${indent}  ${piece}`)];
}

/** A text in lines of at most `width`. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return line === "" ? lines : [...lines, line];
}
