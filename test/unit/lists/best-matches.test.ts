import { describe, expect, it } from 'vitest';
import { createFirstOf } from '../../../src/lists/list-item.ts';
import { rankAmong, summariesOf } from '../../../src/lists/search-secrets.ts';
import { itemOf } from './items.ts';

function best(words: readonly string[], limit: number, ...found: readonly (readonly [string, string?])[]) {
  const matches = createFirstOf(rankAmong(words), limit);
  for (const [name, namespace = 'ns'] of found) matches.add(itemOf(name, { namespace }));
  const { json, more } = summariesOf(matches);
  const names = json.map((text) => JSON.parse(text) as { namespace: string; name: string });
  return { names: names.map(({ namespace, name }) => `${namespace}/${name}`), more };
}

describe('the best matches', () => {
  it('are exact names, then prefixes, then others; each by name, then by namespace', () => {
    expect(
      best(['db', 'x'], 9, ['a-db'], ['db-b'], ['db', 'z'], ['x'], ['db', 'a'], ['db-a'], ['a-db', 'a']),
    ).toEqual({
      names: ['a/db', 'z/db', 'ns/x', 'ns/db-a', 'ns/db-b', 'a/a-db', 'ns/a-db'],
      more: false,
    });
  });

  it('are the first of any number, in whatever order they come', () => {
    const many = Array.from(
      { length: 1_000 },
      (_, index) => [`n${String((index * 7) % 1_000).padStart(3, '0')}`] as const,
    );
    expect(best(['word'], 3, ...many, ['word'])).toEqual({
      names: ['ns/word', 'ns/n000', 'ns/n001'],
      more: true,
    });
  });

  it('are complete where all fit', () => {
    expect(best(['word'], 2, ['a'], ['b'])).toMatchObject({ more: false });
    expect(best(['word'], 2, ['a'], ['b'], ['c'])).toMatchObject({ more: true });
    expect(best(['word'], 2)).toEqual({ names: [], more: false });
  });

  it('end before they are too long, but have one', () => {
    const matches = createFirstOf(rankAmong(['word']), 200);
    const description = 'x'.repeat(3 * 1_024 * 1_024);
    for (const name of ['a', 'b', 'c']) matches.add(itemOf(name, { description }));
    const { json, more } = summariesOf(matches);
    expect(json).toHaveLength(1);
    expect(more).toBe(true);
  });
});
