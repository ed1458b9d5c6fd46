/** Numbers that depend on the seed alone (mulberry32): 0 to 1, without 1. */
export type Random = () => number;

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function pickOf<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** Picks by weight. */
export function pickWeighted<Item>(
  random: Random,
  items: readonly (readonly [weight: number, item: Item])[],
): Item {
  let left = random() * items.reduce((total, [weight]) => total + weight, 0);
  for (const [weight, item] of items) {
    left -= weight;
    if (left < 0) return item;
  }
  return pickOf(
    random,
    items.map(([, item]) => item),
  );
}
