import { expect, test } from 'vitest';
import {
  NO_PLACES,
  placesFrom,
  withoutRecent,
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
  expect(placesFrom(JSON.stringify(kept))).toEqual({ ...kept, starredSecrets: [] });
});
