import { expect, test } from 'vitest';
import { ApiError } from '../src/api/http-client.ts';
import type {
  DescribedSecret,
  KeyValue,
  SecretDetail,
  VersionDetail,
  VersionList,
} from '../src/api/secrets-api.ts';
import { NewerVersionError } from '../src/api/unread-value.ts';
import { draftOf, type Row } from '../src/editing/draft.ts';
import { findConflict, suggestions } from '../src/editing/merge.ts';
import { savedSecret, storedSecret, theirSecret } from '../src/editing/stored-secret.ts';
import { isStored, readValue, readValues, sameValue } from '../src/values/value.ts';
import { summaryOf } from './summaries.ts';

const secretOf = (version: number, keys: readonly string[]): DescribedSecret => ({
  ...summaryOf('database', { keys, version, resourceVersion: `${version}0` }),
  warnings: [],
});

/** A cluster with these values by version, the last one live; `changes` are those of the versions after the first. */
function clusterOf(states: readonly Readonly<Record<string, string>>[], changed?: readonly string[]) {
  const reads: string[] = [];
  const valueOf = (version: number, key: string): KeyValue => {
    const value = states[version - 1]?.[key];
    if (value === undefined) throw new ApiError(404, 'Not found', undefined);
    return { bytes: new TextEncoder().encode(value), resourceVersion: `${version}0` };
  };
  const versions: VersionList = {
    ...{ name: 'database', uid: 'u', version: states.length, versions: [] },
    ...(changed === undefined
      ? {}
      : {
          versions: [
            {
              ...{ version: 1, resourceVersion: '10', createdAt: '', type: 'Opaque' },
              ...{ keys: [], keyCount: 0, binaryKeys: [] },
            },
          ],
          changes: { added: [], changed, removed: [] },
        }),
  };
  const whole = <Whole>(version: number) => {
    const resourceVersion = `${version}0`;
    const [text, binary] = [new Map(Object.entries(states[version - 1] ?? {})), new Map<string, string>()];
    return Promise.resolve({ resourceVersion, text, binary } as Whole);
  };
  return {
    reads,
    read: () => {
      reads.push('all@live');
      return whole<SecretDetail>(states.length);
    },
    version: (_secret: unknown, version: number) => {
      reads.push(`all@${version}`);
      return whole<VersionDetail>(version);
    },
    versions: () => Promise.resolve(versions),
    readKey: async (
      _secret: unknown,
      key: string,
      options: { readonly version?: number | undefined } = {},
    ) => {
      reads.push(`${key}@${options.version ?? 'live'}`);
      return Promise.resolve().then(() => valueOf(options.version ?? states.length, key));
    },
  };
}

test('many values of a Secret are read with one request, also from the history', async () => {
  const keys = Array.from({ length: 1_500 }, (_none, index) => `key-${index}`);
  const stateOf = (value: string) => Object.fromEntries(keys.map((key) => [key, `${value} of ${key}`]));
  const api = clusterOf([stateOf('first'), stateOf('second')]);
  const textsOf = async (version: number) =>
    [...(await readValues(storedSecret(api, secretOf(version, keys)).values)).values()].map((bytes) =>
      new TextDecoder().decode(bytes),
    );
  expect(await textsOf(2)).toEqual(keys.map((key) => `second of ${key}`));
  expect(await textsOf(1)).toEqual(keys.map((key) => `first of ${key}`));
  expect(api.reads).toEqual(['all@live', 'all@live', 'all@1']);
});

test('a value is read when it is wanted, and from the history once it was replaced', async () => {
  const api = clusterOf([{ a: 'old' }, { a: 'new' }]);
  const { values } = storedSecret(api, secretOf(2, ['a']));
  expect(api.reads).toEqual([]);
  const a = values.get('a') ?? '';
  expect(new TextDecoder().decode(await readValue(a))).toBe('new');
  const before = storedSecret(api, secretOf(1, ['a'])).values.get('a') ?? '';
  expect(new TextDecoder().decode(await readValue(before))).toBe('old');
  expect(api.reads).toEqual(['a@live', 'a@live', 'a@1']);
});

test('a value whose key a newer version removed is read from the history', async () => {
  const api = clusterOf([{ a: 'old' }, {}]);
  const a = storedSecret(api, secretOf(1, ['a'])).values.get('a') ?? '';
  expect(new TextDecoder().decode(await readValue(a))).toBe('old');
  expect(api.reads).toEqual(['a@live', 'a@1']);
});

test('a value of a revision that is nowhere is not taken from another one', async () => {
  const api = clusterOf([{ a: 'x' }]);
  const other = { ...secretOf(1, ['a']), resourceVersion: '99' };
  const a = storedSecret(api, other).values.get('a') ?? '';
  await expect(readValue(a)).rejects.toThrow(NewerVersionError);
});

test('after a save the form has what was sent, and everything else is what it was', () => {
  const api = clusterOf([{}]);
  const base = storedSecret(api, secretOf(1, ['a', 'b']));
  const saved = savedSecret(base, new Map([['a', 'typed']]), storedSecret(api, secretOf(2, ['a', 'b'])));
  expect(saved.values.get('a')).toBe('typed');
  expect(sameValue(saved.values.get('b') ?? '', base.values.get('b') ?? '')).toBe(true);
});

const typed = (rows: readonly Row[], key: string, part: Partial<Row> = {}) =>
  rows.map((row) => (row.key === key ? { ...row, value: 'mine', ...part } : row));

test('a conflict takes from the history which keys someone else has changed, and reads no value', async () => {
  const api = clusterOf(
    [
      { a: '1', b: '1', c: '1' },
      { a: '2', b: '1', c: '2' },
    ],
    ['a', 'c'],
  );
  const base = storedSecret(api, secretOf(1, ['a', 'b', 'c']));
  const draft = draftOf(base);
  const mine = { ...draft, rows: typed(typed(draft.rows, 'a'), 'b') };
  const theirs = await theirSecret(api, base, storedSecret(api, secretOf(2, ['a', 'b', 'c'])), mine.rows);
  expect([...suggestions(findConflict(base, theirs, mine))]).toEqual([
    ['key:a', undefined],
    ['key:b', 'mine'],
    ['key:c', 'theirs'],
  ]);
  expect(api.reads).toEqual([]);
});

test('after a change outside the service, a value that was read is compared, and one that was not has to be chosen', async () => {
  const api = clusterOf([{ read: '1', unread: '1', other: 'new' }]);
  const base = storedSecret(api, { ...secretOf(1, ['read', 'unread', 'other']), resourceVersion: '9' });
  const of = base.values.get('read');
  if (!isStored(of)) throw new TypeError('a stored value');
  const draft = draftOf(base);
  const rows = typed(typed(draft.rows, 'read', { loaded: { of, text: '1' } }), 'unread');
  const now = storedSecret(api, secretOf(1, ['read', 'unread', 'other']));
  const theirs = await theirSecret(api, base, now, rows);
  expect([...suggestions(findConflict(base, theirs, { ...draft, rows }))]).toEqual([
    ['key:read', 'mine'],
    ['key:unread', undefined],
  ]);
  expect(api.reads).toEqual(['read@live']);
});
