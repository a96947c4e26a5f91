/** How well a text matches words; smaller is better, undefined: not at all. */
export function rank(text: string, words: readonly string[]): number | undefined {
  const lower = text.toLowerCase();
  let sum = lower.length / 1000;
  for (const word of words) {
    const at = lower.indexOf(word);
    if (at < 0) {
      if (!isSubsequence(lower, word)) return undefined;
      sum += 20;
    } else if (at > 0 && /[\p{L}\p{N}]/u.test(lower[at - 1]!)) {
      sum += 5;
    } else {
      sum += at === 0 ? 0 : 1;
    }
  }
  return sum;
}

/** Whether the letters of a word come in a text in this order: `gtt` in `go to a time`. */
function isSubsequence(text: string, word: string): boolean {
  let at = -1;
  for (const letter of word) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** The entries that match all words of a question, the best first. */
export function ranked<T>(items: readonly T[], text: (item: T) => string, question: string, most: number): T[] {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  const scored: Array<readonly [item: T, rank: number]> = [];
  for (const item of items) {
    const score = rank(text(item), words);
    if (score !== undefined) scored.push([item, score]);
  }
  // Sorting keeps the order within the same rank.
  return scored
    .sort((a, b) => a[1] - b[1])
    .slice(0, most)
    .map(([item]) => item);
}
