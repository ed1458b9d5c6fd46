import { expect, test } from 'vitest';
import type { VersionList, VersionSummary } from '../src/api/secrets-api.ts';
import { keyHistories, versionsOf } from '../src/features/history/states.ts';
import { summaryOf } from './summaries.ts';

const version = (number: number, more: Partial<VersionSummary>): VersionSummary => ({
  version: number,
  resourceVersion: String(number),
  createdAt: `2026-01-0${number + 1}T00:00:00Z`,
  lastModifiedBy: `by-${number}@example.com`,
  lastModifiedAt: `2026-01-0${number}T00:00:00Z`,
  type: 'Opaque',
  keys: [],
  keyCount: 0,
  binaryKeys: [],
  ...more,
});
const changes = (more: Partial<NonNullable<VersionSummary['changes']>>) => ({
  added: [],
  changed: [],
  removed: [],
  ...more,
});
const LIST: VersionList = {
  name: 'a',
  uid: '1',
  version: 4,
  changes: changes({ changed: ['password'] }),
  versions: [
    version(3, { keys: ['password', 'user', 'ca'], changes: changes({ added: ['ca'], removed: ['host'] }) }),
    version(2, { keys: ['password', 'user', 'host'], changes: changes({ changed: ['password', 'host'] }) }),
    version(1, { keys: ['password', 'user', 'host'] }),
  ],
};

test('each key has the version that changed it last, with who and when, a removed one too', () => {
  const live = summaryOf('a', { lastModifiedBy: 'ada@example.com', lastModifiedAt: '2026-02-01T00:00:00Z' });
  const of = (number: number) => ({
    version: number,
    by: `by-${number}@example.com`,
    at: `2026-01-0${number}T00:00:00Z`,
  });
  expect(keyHistories(LIST, live)).toEqual([
    { key: 'password', what: 'changed', version: 4, by: 'ada@example.com', at: '2026-02-01T00:00:00Z' },
    { key: 'ca', what: 'added', ...of(3) },
    { key: 'host', what: 'removed', ...of(3) },
    { key: 'user', what: 'not changed since', ...of(1) },
  ]);
});

test('while it is not known who made the live version, its keys say so', () => {
  expect(keyHistories(LIST, undefined)[0]).toEqual({
    key: 'password',
    what: 'changed',
    version: 4,
    by: undefined,
    at: undefined,
  });
});

test('a time that is malformed is left out, of the live version and of archived ones', () => {
  const malformed = { lastModifiedAt: 'yesterday' };
  const list = { ...LIST, versions: [version(3, malformed), version(2, {})] };
  expect(versionsOf(list, summaryOf('a', malformed)).map((one) => one.lastModifiedAt)).toEqual([
    ...[undefined, undefined],
    '2026-01-02T00:00:00Z',
  ]);
});
