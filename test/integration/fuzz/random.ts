/** Repeatable choices: the same seed gives the same ones. */
export interface Choices {
  /** 0 to 1. */
  readonly number: () => number;
  /** 0 to `limit` - 1. */
  readonly below: (limit: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <Value>(values: readonly Value[]) => Value;
}

/** Mulberry32: short, fast, and good enough to choose requests by. */
export function choicesFrom(seed: number): Choices {
  let state = seed >>> 0;
  const number = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(number() * limit);
  return {
    number,
    below,
    chance: (probability) => number() < probability,
    pick: (values) => {
      const value = values[below(values.length)];
      if (value === undefined) throw new RangeError('nothing to pick from');
      return value;
    },
  };
}
