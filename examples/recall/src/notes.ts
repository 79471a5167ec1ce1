/** Decides which notes fit a text, and where they stand in it; pure. */

const MOST_NOTES = 5;
/** Shorter words are in every sentence. */
const SHORTEST_WORD = 4;

/** The notes that share a word with the text, those with most of them first, five at most. */
export function fittingNotes(notes: readonly string[], text: string): readonly string[] {
  const asked = wordsIn(text);
  return notes
    .map((note) => ({ note, shared: [...wordsIn(note)].filter((word) => asked.has(word)).length }))
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared)
    .slice(0, MOST_NOTES)
    .map(({ note }) => note);
}

/**
 * Notes come after the typed text. All that was sent before stays as it was, byte for byte, and is read from the
 * provider's cache; a note in the system prompt would make every request a cold one.
 */
export function withNotes(text: string, notes: readonly string[]): string {
  return `${text}\n\n<recall>\n${notes.map((note) => `- ${note}`).join("\n")}\n</recall>`;
}

function wordsIn(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => word.length >= SHORTEST_WORD));
}
