import { expect, test } from 'vitest';
import {
  addRow,
  changeOf,
  draftOf,
  importEntries,
  rowProblems,
  valuesOf,
  type Row,
} from '../src/editing/draft.ts';
import { valuesToSend, type StoredValue, type Value } from '../src/values/value.ts';
import { rowsForType } from '../src/editing/secret-types.ts';

const base = {
  values: new Map([
    ['a', '1'],
    ['__proto__', 'p'],
  ]),
  description: 'd',
  allowedGroups: ['g'],
  allowedUsers: [],
};

test('an untouched draft changes nothing', () => {
  expect(changeOf(base, draftOf(base))).toBeUndefined();
});

test('a change holds only what differs', () => {
  const draft = draftOf(base);
  expect(changeOf(base, { ...draft, description: 'e' })).toEqual({ description: 'e' });
  expect(changeOf(base, { ...draft, allowedGroups: [] })).toEqual({ allowedGroups: [] });
  const dated = { ...base, expiresAt: '2027-01-31T00:00:00Z', rotateEvery: '30d' };
  expect(changeOf(dated, draftOf(dated))).toBeUndefined();
  expect(changeOf(dated, { ...draftOf(dated), expiresAt: '' })).toEqual({ expiresAt: '' });
  expect(changeOf(base, { ...draft, rotateEvery: '30d' })).toEqual({ rotateEvery: '30d' });
  expect(changeOf(base, { ...draft, rows: addRow(draft.rows, { key: 'b' }) })).toEqual({
    values: { set: new Map([['b', '']]), remove: [] },
  });
  expect(changeOf(base, { ...draft, rows: draft.rows.slice(1) })).toEqual({
    values: { set: new Map(), remove: ['a'] },
  });
});

const KEEPS: StoredValue = {
  id: '1/kept',
  isBinary: false,
  read: () => Promise.resolve(new TextEncoder().encode('stored')),
  key: 'kept',
  readAll: () => Promise.reject(new Error('not needed')),
};
const FILE = { fileName: 'store.p12', bytes: Uint8Array.of(0, 255) };

test('values reach the wire under every key, as text where they are text', async () => {
  const { texts } = await valuesToSend(valuesOf(draftOf(base).rows));
  expect(JSON.stringify(texts)).toBe('{"a":"1","__proto__":"p"}');
  const mixed = new Map<string, Value>([
    ['kept', KEEPS],
    ['store', FILE],
  ]);
  expect(await valuesToSend(mixed)).toEqual({ texts: { kept: 'stored' }, setBinary: { store: 'AP8=' } });
});

test('a stored value that stays, or was only looked at, is not sent; under another key it is', () => {
  const stored = { ...base, values: new Map<string, Value>([['kept', KEEPS]]) };
  const draft = draftOf(stored);
  const [row] = draft.rows;
  const change = (part: Partial<Row>) =>
    changeOf(stored, { ...draft, rows: row ? [{ ...row, ...part }] : [] });
  const loaded = { of: KEEPS, text: 'stored' };
  expect(change({})).toBeUndefined();
  expect(change({ value: 'stored', loaded })).toBeUndefined();
  expect(change({ value: 'other', loaded })?.values?.set).toEqual(new Map([['kept', 'other']]));
  expect(change({ value: { ...KEEPS } })).toBeUndefined();
  expect(change({ key: 'renamed' })?.values).toEqual({
    set: new Map([['renamed', KEEPS]]),
    remove: ['kept'],
  });
  expect(change({ value: FILE })?.values?.set).toEqual(new Map([['kept', FILE]]));
});

test.each([
  ['', 'The key is missing.'],
  ['..', 'Not a key:'],
  ['ä', 'Not a key:'],
  ['a', 'There is another row with this key.'],
])('the key %j is refused', (key, problem) => {
  const rows = addRow(draftOf(base).rows, { key });
  expect(rowProblems(rows).get(2)).toEqual({ of: 'key', text: expect.stringContaining(problem) as string });
});

test.each(['\ud800', '\u0000', '\u007f', '\u001b'])('the value %j is refused', (value) => {
  const rows = addRow([], { key: 'k', value });
  expect(rowProblems(rows).get(0)?.of).toBe('value');
});

test('both rows with one key have a problem, and thousands of rows take one pass', () => {
  const rows = Array.from({ length: 20_000 }, (_, id) => ({
    ...{ id, key: `k${id % 19_999}`, value: '', fixed: false },
  }));
  const start = performance.now();
  expect([...rowProblems(rows).keys()]).toEqual([0, 19_999]);
  expect(importEntries(rows, rows)).toHaveLength(20_000);
  expect(performance.now() - start).toBeLessThan(2_000);
});

test('the keys that a stored Secret needs for its type are fixed', () => {
  const rows = draftOf({
    ...base,
    type: 'kubernetes.io/basic-auth',
    values: new Map([['username', 'u']]),
  }).rows;
  expect(rows.map(({ key, fixed }) => [key, fixed])).toEqual([['username', true]]);
  expect(draftOf({ ...base, type: 'Opaque' }).rows.some(({ fixed }) => fixed)).toBe(false);
});

test('what is imported replaces values under new ids, and drops the blank row', () => {
  const rows = importEntries(addRow(addRow([], { key: 'a', value: 'old' })), [
    { key: 'a', value: 'new' },
    { key: 'b', value: 'x' },
  ]);
  expect(rows.map(({ key, value }) => [key, value])).toEqual([
    ['a', 'new'],
    ['b', 'x'],
  ]);
  expect(rows[0]?.id).not.toBe(0);
});

test('a change of type brings its keys and keeps what was typed', () => {
  const typed = addRow(rowsForType('kubernetes.io/basic-auth', []), { key: 'extra', value: 'x' });
  expect(rowsForType('kubernetes.io/tls', typed).map(({ key, fixed }) => [key, fixed])).toEqual([
    ['extra', false],
    ['tls.crt', true],
    ['tls.key', true],
  ]);
});
