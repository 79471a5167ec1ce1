/** Decides an exact replacement in a text, and where it does not fit, says what comes nearest. */

export type Replacement =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** Replaces the one place where `oldText` occurs; every line end style of the text is kept. */
export function replaceOnce(text: string, oldText: string, newText: string): Replacement {
  if (oldText === "") return fail("old_string is empty; use write_file for a new file.");
  if (oldText === newText) return fail("old_string and new_string are the same; there is nothing to change.");
  // A model writes LF; a file with CRLF keeps its own line ends.
  const crlf = text.includes("\r\n") && !oldText.includes("\r\n");
  const wanted = crlf ? oldText.replaceAll("\n", "\r\n") : oldText;
  const becomes = crlf ? newText.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n") : newText;
  const at = text.indexOf(wanted);
  if (at < 0) return fail(`old_string was not found. ${nearestPlace(text, oldText)}`);
  const next = text.indexOf(wanted, at + 1);
  if (next >= 0) {
    return fail(
      `old_string occurs more than once: at lines ${placesOf(text, wanted).join(", ")}. ` +
        "Take in more of the lines around the place you mean, so that it is unique.",
    );
  }
  return { ok: true, text: text.slice(0, at) + becomes + text.slice(at + wanted.length) };
}

function fail(problem: string): Replacement {
  return { ok: false, problem };
}

function placesOf(text: string, wanted: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && places.length < 8; at = text.indexOf(wanted, at + 1)) {
    places.push(lineAt(text, at));
  }
  return places;
}

function lineAt(text: string, at: number): number {
  let line = 1;
  for (let index = text.indexOf("\n"); index >= 0 && index < at; index = text.indexOf("\n", index + 1)) line++;
  return line;
}

/** Lines compared at most: a hint must not cost more than the edit. */
const COMPARED_LINES = 20_000;
const COMPARED_WANTED = 40;

/** The stretch of lines that shares the most with what was wanted, quoted as it really stands. */
function nearestPlace(text: string, oldText: string): string {
  const lines = text.split(/\r?\n/).slice(0, COMPARED_LINES);
  const wanted = oldText.split(/\r?\n/);
  if (wanted.at(-1) === "") wanted.pop();
  const marks = wanted.slice(0, COMPARED_WANTED).map(fold);
  let best = { score: 0, at: 0 };
  for (let at = 0; at + marks.length <= lines.length; at++) {
    let score = 0;
    for (let index = 0; index < marks.length; index++) {
      score += likeness(fold(lines[at + index] ?? ""), marks[index] ?? "");
    }
    if (score > best.score) best = { score, at };
  }
  if (best.score < marks.length * 0.5) return "Nothing in the file comes near; read the file again.";
  const shown = lines.slice(best.at, best.at + wanted.length);
  const why = shown.every((line, index) => fold(line) === fold(wanted[index] ?? ""))
    ? " (it differs in white space only)"
    : "";
  return `The nearest match is at line ${best.at + 1}${why}:\n${shown.join("\n")}`;
}

function fold(line: string): string {
  return line.trim().replace(/\s+/g, " ");
}

/** 1 for equal lines, else the share of the longer line that common beginning and end make up. */
function likeness(left: string, right: string): number {
  if (left === right) return 1;
  const longer = Math.max(left.length, right.length);
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start++;
  let end = 0;
  while (end < shorter - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end++;
  return (start + end) / longer;
}
