import { expect, test } from 'vitest';
import type { SecretSummary } from '../src/api/secrets-api.ts';
import type { GivenLevel } from '../../src/contract/access-rules.ts';

import {
  actionsOf,
  resultsFor,
  searchWords,
  type SearchSources,
} from '../src/features/search/search-results.ts';
import { NO_PLACES } from '../src/places/places.ts';
import { summaryOf } from './summaries.ts';

function sourcesOf(secrets: readonly SecretSummary[], more: Partial<SearchSources> = {}): SearchSources {
  return {
    namespaces: [
      { name: 'team-a', canCreate: true },
      { name: 'team-b', canCreate: false },
      { name: 'team-b-test', canCreate: false },
    ],
    secrets: new Map(secrets.map((secret) => [`${secret.namespace}/${secret.name}`, secret])),
    places: NO_PLACES,
    namespace: 'team-a',
    ...more,
  };
}

/** The texts of the results by the title of their group. */
function textsFor(text: string, sources: SearchSources): Readonly<Record<string, readonly string[]>> {
  const groups = resultsFor(searchWords(text), sources);
  return Object.fromEntries(groups.map(({ title, results }) => [title, results.map((one) => one.text)]));
}

const ORDERS = [
  summaryOf('my-orders'),
  summaryOf('orders-database', { keys: ['Password'], description: 'Credentials of the shop' }),
  summaryOf('orders'),
];

test('exact names come first, then names that begin with a word, then all others', () => {
  expect(textsFor('ORDERS', sourcesOf(ORDERS))).toEqual({
    Secrets: ['orders', 'orders-database', 'my-orders'],
  });
});

test('among equals, what was opened before comes first', () => {
  const secrets = ['orders-a', 'orders-b', 'orders-c'].map((name) => summaryOf(name));
  const places = { ...NO_PLACES, recentSecrets: [{ namespace: 'team-a', name: 'orders-c' }] };
  const sources = { ...sourcesOf([]), places, secrets: new Map(secrets.map((one) => [pathOf(one), one])) };
  expect(textsFor('orders', sources).Secrets).toEqual(['orders-c', 'orders-a', 'orders-b']);
});

const pathOf = ({ namespace, name }: SecretSummary) => `/namespaces/${namespace}/secrets/${name}`;

test.each([
  ['shop credentials', { Secrets: ['orders-database'] }],
  ['team-a database', { Secrets: ['orders-database'] }],
  ['orders passw', { Keys: ['Password'] }],
  ['orders nothing', {}],
])('each word of %j must occur, in the namespace, the name, a key or the description', (text, found) => {
  expect(textsFor(text, sourcesOf(ORDERS))).toEqual(found);
});

test('a word in capitals matches the beginning of another one, also where it ends with a sigma', () => {
  const secrets = [summaryOf('registry', { description: 'ΔΗΜΟΣΙΟ' })];
  expect(textsFor('ΔΗΜΟΣ', sourcesOf(secrets))).toEqual({ Secrets: ['registry'] });
});

test('a key leads to its Secret, with the keys filtered to it', () => {
  const [group] = resultsFor(['passw'], sourcesOf(ORDERS));
  expect(group?.results[0]).toMatchObject({
    text: 'Password',
    hint: 'in orders-database, team-a',
    to: '/namespaces/team-a/secrets/orders-database?keys=Password',
  });
});

test('without words there are the recent Secrets, the namespaces with stars first, and the actions of this place', () => {
  const places = {
    ...NO_PLACES,
    starred: ['team-b'],
    recentSecrets: [{ namespace: 'team-b', name: 'seen' }],
  };
  expect(textsFor(' ', sourcesOf(ORDERS, { places }))).toEqual({
    'Recent Secrets': ['seen'],
    Namespaces: ['team-b', 'team-a', 'team-b-test'],
    Actions: [
      'Create a Secret in team-a',
      'Show activity in team-a',
      'Show deleted Secrets in team-a',
      'Show what expires',
      'Show all namespaces',
    ],
  });
});

test('an exact namespace comes before longer ones, and creating is offered where it is possible', () => {
  const places = { ...NO_PLACES, starred: ['team-b-test'] };
  const sources = sourcesOf([], { namespace: 'team-b', places });
  expect(textsFor('team-b', sources)).toEqual({
    Namespaces: ['team-b', 'team-b-test'],
    Actions: ['Show activity in team-b', 'Show deleted Secrets in team-b'],
  });
});

test('results are bounded, however much is loaded', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => summaryOf(`orders-${index}`, { keys: ['k'] }));
  const keyed = Array.from({ length: 5_000 }, (_, index) =>
    summaryOf(`other-${index}`, { keys: ['orders'] }),
  );
  const { Secrets, Keys } = textsFor('orders', sourcesOf([...many, ...keyed]));
  expect([Secrets?.length, Keys?.length]).toEqual([30, 10]);
});

test.each([
  ['orders', ['Open', 'Edit', 'History', 'Access', 'Copy the name', 'Copy the link']],
  [
    'team-b',
    ['Open', 'Show activity in team-b', 'Show deleted Secrets in team-b', 'Copy the name', 'Copy the link'],
  ],
  ['show all', ['Open', 'Copy the link']],
])('the first result for %j offers its actions', (text, actions) => {
  const [group] = resultsFor(searchWords(text), sourcesOf([summaryOf('orders')]));
  const [result] = group?.results ?? [];
  if (result === undefined) throw new TypeError('nothing was found');
  const offered = (level: GivenLevel | undefined) =>
    actionsOf(result, 'https://secrets.example.com', level).map((action) => action.text);
  expect(offered(undefined)).toEqual(actions);
  expect(offered('write')).toEqual(actions);
  expect(offered('read')).toEqual(actions.filter((action) => action !== 'Edit'));
});

test('a token of a service account offers no edit, which the service refuses', () => {
  const type = 'kubernetes.io/service-account-token';
  const [group] = resultsFor(['orders'], sourcesOf([summaryOf('orders', { type })]));
  const [result] = group?.results ?? [];
  if (result === undefined) throw new TypeError('nothing was found');
  const offered = actionsOf(result, 'https://secrets.example.com', 'manage').map((action) => action.text);
  expect(offered).toEqual(['Open', 'History', 'Access', 'Copy the name', 'Copy the link']);
});
