/** Guesses which known word was meant by one that is not known. */

/** The nearest candidate within a few typing errors, or null. Case, `-`, `_` and `.` count for little. */
export function nearMiss(word: string, candidates: Iterable<string>): string | null {
  if (word === "" || word.length > LONGEST_WORD) return null;
  const wanted = fold(word);
  let best: string | null = null;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    if (candidate === word || candidate.length > LONGEST_WORD) continue;
    const folded = fold(candidate);
    const allowed = allowedErrors(Math.max(wanted.length, folded.length));
    if (Math.abs(folded.length - wanted.length) > allowed) continue;
    const distance = editDistance(wanted, folded);
    if (distance <= allowed && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** A ready tail for an error text: ` Did you mean "tool.before"?`, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const guess = nearMiss(word, candidates);
  return guess === null ? "" : ` Did you mean "${guess}"?`;
}

/** Names are at most this long; a longer word is no typing error, and the table below stays small. */
const LONGEST_WORD = 64;

function allowedErrors(length: number): number {
  if (length <= 2) return 0;
  if (length <= 5) return 1;
  return length <= 10 ? 2 : 3;
}

function fold(word: string): string {
  return word.toLowerCase().replace(/[-_. ]/g, "");
}

/** Insertions, deletions, substitutions and swaps of neighbours that lead from one word to the other. */
function editDistance(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
