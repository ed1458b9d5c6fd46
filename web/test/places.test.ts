import { expect, test } from 'vitest';
import { NO_PLACES, placesFrom, plainKeysOf, withoutRecent, withPlainToggled } from '../src/places/places.ts';

const database = { namespace: 'team-a', name: 'database' };
const plain = (count: number) =>
  Array.from({ length: count }, (_none, index) => ({ ...database, key: `key-${index}` })).reduce(
    withPlainToggled,
    NO_PLACES,
  );

test('a key is plain by namespace, Secret and key until it is masked again', () => {
  const one = withPlainToggled(NO_PLACES, { ...database, key: '__proto__' });
  expect([...plainKeysOf(one, database)]).toEqual(['__proto__']);
  expect([...plainKeysOf(one, { ...database, namespace: 'team-b' })]).toEqual([]);
  expect([...plainKeysOf(one, { ...database, name: 'other' })]).toEqual([]);
  expect(withPlainToggled(one, { ...database, key: '__proto__' })).toEqual(NO_PLACES);
});

test('of more than 200 plain keys the oldest go', () => {
  const keys = [...plainKeysOf(plain(201), database)];
  expect(keys).toHaveLength(200);
  expect([keys[0], keys.at(-1)]).toEqual(['key-1', 'key-200']);
});

test('plain keys survive the storage and a sign-out, and nothing else of an entry is kept', () => {
  const stored = JSON.stringify(plain(2));
  expect(withoutRecent(placesFrom(stored)).plainKeys).toEqual(plain(2).plainKeys);
  const entries = [{ ...database, key: 'a', value: 'x' }, database, { ...database, key: 1 }, null];
  expect(placesFrom(JSON.stringify({ plainKeys: entries })).plainKeys).toEqual([{ ...database, key: 'a' }]);
  expect(placesFrom('{"starred":["team-a"]}').plainKeys).toEqual([]);
});
