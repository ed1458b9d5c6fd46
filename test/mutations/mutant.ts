/** A bug that someone could plant: one place of one file, written in another way. */
export interface Mutant {
  readonly file: string;
  /** The bug, in a sentence. */
  readonly what: string;
  /** The text that is replaced; it must occur in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** Why no test can see it. Without a reason a survivor fails the run; with one, a mutant that is killed does. */
  readonly survives?: string;
}

export function titleOf({ file, what }: Mutant): string {
  return `${file}: ${what}`;
}

/**
 * The text of the file with the bug in it.
 * @throws when the mutant does not apply: the code has moved on, and the list must follow
 */
export function plant(text: string, mutant: Mutant): string {
  const occurrences = text.split(mutant.find).length - 1;
  if (occurrences !== 1) {
    throw new Error(`${titleOf(mutant)}: the text to replace occurs ${occurrences} times instead of once`);
  }
  // A function, since "$&" and the like in a text would be patterns.
  return text.replace(mutant.find, () => mutant.replace);
}
