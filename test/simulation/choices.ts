import { randomFrom } from '../consistency/random.ts';

/**
 * Every decision of a simulated run, as a sequence of numbers. The same sequence makes the same run, so a run can be
 * repeated, and a shorter or smaller sequence is a simpler run: 0 always stands for the simplest decision.
 */
export interface Choices {
  /** A number from 0 up to but not including `count`. */
  below(count: number): number;
  /** Everything that was decided so far. */
  readonly made: readonly number[];
}

/** Decides at random, by the seed alone. */
export function randomChoices(seed: number): Choices {
  const random = randomFrom(seed);
  return choicesBy((count) => Math.floor(random() * count));
}

/** Decides as it was decided before; what is missing is 0. */
export function repeatedChoices(sequence: readonly number[]): Choices {
  let next = 0;
  return choicesBy((count) => Math.min(sequence[next++] ?? 0, count - 1));
}

function choicesBy(decide: (count: number) => number): Choices {
  const made: number[] = [];
  return {
    made,
    below(count) {
      const choice = decide(count);
      made.push(choice);
      return choice;
    },
  };
}

export function choose<Item>(choices: Choices, items: readonly [Item, ...Item[]]): Item {
  return items[choices.below(items.length)] ?? items[0];
}
