import { expect, test } from 'vitest';
import {
  NO_PLACES,
  placesFrom,
  plainKeysOf,
  withoutRecent,
  withPlainToggled,
  withSecret,
  withSecretStarToggled,
  type Places,
} from '../src/places/places.ts';

const DATABASE = { namespace: 'team-a', name: 'database' };
const star = (places: Places, name: string) => withSecretStarToggled(places, { namespace: 'team-a', name });
const starredNames = ({ starredSecrets }: Places) => starredSecrets.map(({ name }) => name);

test('a star is set, and removed by the same', () => {
  const starred = withSecretStarToggled(NO_PLACES, DATABASE);
  expect(starred.starredSecrets).toEqual([DATABASE]);
  expect(withSecretStarToggled(starred, DATABASE)).toEqual(NO_PLACES);
});

test('a Secret of the same name in another namespace has a star of its own', () => {
  const other = { namespace: 'team-b', name: 'database' };
  const both = withSecretStarToggled(withSecretStarToggled(NO_PLACES, DATABASE), other);
  expect(both.starredSecrets).toEqual([DATABASE, other]);
  expect(withSecretStarToggled(both, DATABASE).starredSecrets).toEqual([other]);
});

test('of a starred Secret, only namespace and name are kept', () => {
  const summary = { ...DATABASE, description: 'Credentials' };
  expect(withSecretStarToggled(NO_PLACES, summary).starredSecrets).toEqual([DATABASE]);
});

test('at most 50 Secrets have stars, the last ones', () => {
  const names = Array.from({ length: 60 }, (_, index) => `secret-${index}`);
  const places = names.reduce(star, NO_PLACES);
  expect(starredNames(places)).toEqual(names.slice(10));
  const more = { starredSecrets: names.map((name) => ({ namespace: 'team-a', name })) };
  expect(starredNames(placesFrom(JSON.stringify(more)))).toEqual(names.slice(0, 50));
});

test('stars are read back, and stay when someone signs out, while recent places go', () => {
  const places = withSecret(withSecretStarToggled(NO_PLACES, DATABASE), DATABASE);
  expect(placesFrom(JSON.stringify(places))).toEqual(places);
  expect(withoutRecent(places)).toEqual({ ...NO_PLACES, starredSecrets: [DATABASE] });
});

test.each([
  [null],
  ['not JSON'],
  ['[]'],
  ['{"starredSecrets":"x"}'],
  ['{"starredSecrets":[null,"x",{"namespace":"team-a"},{"namespace":1,"name":"x"}]}'],
])('%s has no stars', (text) => {
  expect(placesFrom(text)).toEqual(NO_PLACES);
});

test('what was kept before Secrets had stars is read as it was', () => {
  const kept = { starred: ['team-a'], recentNamespaces: ['team-b'], recentSecrets: [DATABASE] };
  expect(placesFrom(JSON.stringify(kept))).toEqual({ ...NO_PLACES, ...kept });
});

const plain = (count: number) =>
  Array.from({ length: count }, (_none, index) => ({ ...DATABASE, key: `key-${index}` })).reduce(
    withPlainToggled,
    NO_PLACES,
  );

test('a key is plain by namespace, Secret and key until it is masked again', () => {
  const one = withPlainToggled(NO_PLACES, { ...DATABASE, key: '__proto__' });
  expect([...plainKeysOf(one, DATABASE)]).toEqual(['__proto__']);
  expect([...plainKeysOf(one, { ...DATABASE, namespace: 'team-b' })]).toEqual([]);
  expect([...plainKeysOf(one, { ...DATABASE, name: 'other' })]).toEqual([]);
  expect(withPlainToggled(one, { ...DATABASE, key: '__proto__' })).toEqual(NO_PLACES);
});

test('of more than 200 plain keys the oldest go', () => {
  const keys = [...plainKeysOf(plain(201), DATABASE)];
  expect(keys).toHaveLength(200);
  expect([keys[0], keys.at(-1)]).toEqual(['key-1', 'key-200']);
});

test('plain keys survive the storage and a sign-out, and nothing else of an entry is kept', () => {
  const stored = JSON.stringify(plain(2));
  expect(withoutRecent(placesFrom(stored)).plainKeys).toEqual(plain(2).plainKeys);
  const entries = [{ ...DATABASE, key: 'a', value: 'x' }, DATABASE, { ...DATABASE, key: 1 }, null];
  expect(placesFrom(JSON.stringify({ plainKeys: entries })).plainKeys).toEqual([{ ...DATABASE, key: 'a' }]);
  expect(placesFrom('{"starred":["team-a"]}').plainKeys).toEqual([]);
});
