/** Counts words, in scripts without spaces between them too. */

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

export function countWords(text: string): number {
  let count = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike === true) count++;
  return count;
}
