import type { StoredAnswer } from './stored-answer';

/** Characters of entries that a process remembers the answers of. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/**
 * Answers that were opened lately, each with the entry that it was opened from: the store is asked every time, and
 * only when it gives the very same text again need that not be opened and parsed again. Nobody may change one.
 */
export function openedAnswers(maxCharacters = MAX_CHARACTERS) {
  const kept = new Map<string, { entry: string; answer: StoredAnswer }>();
  let characters = 0;

  return {
    get(name: string, entry: string): StoredAnswer | null {
      const known = kept.get(name);
      return known !== undefined && known.entry === entry ? known.answer : null;
    },
    keep(name: string, entry: string, answer: StoredAnswer): void {
      const before = kept.get(name);
      if (before?.answer === answer) return;
      if (before !== undefined) characters -= before.entry.length;
      kept.set(name, { entry, answer });
      characters += entry.length;
      for (const [oldest, { entry: text }] of kept) {
        if (characters <= maxCharacters) return;
        kept.delete(oldest);
        characters -= text.length;
      }
    },
  };
}
