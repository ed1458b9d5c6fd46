import { describe, expect, it } from 'vitest';
import { eachMatch } from '../../../src/lists/matches.ts';
import type { ListItem } from '../../../src/lists/list-item.ts';
import { leastLongestTurnOf } from '../../harness/longest-turn.ts';
import { itemOf } from './items.ts';

async function found(items: readonly ListItem[], words: readonly string[]): Promise<readonly string[]> {
  const names: string[] = [];
  await eachMatch(items, { words, isVisible: ({ managed }) => managed }, ({ name }) => names.push(name));
  return names;
}

describe('what matches', () => {
  it('is visible and has each word in its name, its key names or its description', async () => {
    const items = [
      itemOf('orders-db', { keys: ['Password'] }),
      itemOf('pass', { description: 'DB' }),
      itemOf('db-pass', { managed: false }),
    ];
    expect(await found(items, ['pass', 'db'])).toEqual(['orders-db', 'pass']);
    expect(await found(items, ['pass', 'x'])).toEqual([]);
    expect(await found(items, [])).toEqual(['orders-db', 'pass']);
  });

  it('is looked for in turns of a few milliseconds, whatever one item and its words cost', async () => {
    const keys = Array.from({ length: 1_900 }, () => 'a'.repeat(246));
    const items = Array.from({ length: 40 }, (_, index) => itemOf(`s${index}`, { keys }));
    // Each is nearly everywhere, and only at the end of the last key name not.
    const words = Array.from({ length: 16 }, (_, index) => 'a'.repeat(5 + index));
    const search = async () => {
      expect(await found(items, [...words, 'aaaaab'])).toEqual([]);
      expect(await found(items, words)).toHaveLength(40);
    };
    expect(await leastLongestTurnOf(search)).toBeLessThan(60);
  });
});
