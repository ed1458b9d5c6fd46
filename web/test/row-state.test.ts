import { expect, test } from 'vitest';
import { addRow, storedRows, valuesOf, type Row } from '../src/editing/draft.ts';
import { listedRows, restoreRow, reviewedChanges, stateOf, undoRow } from '../src/editing/row-state.ts';
import { expectsLines, fieldsOfType } from '../src/editing/secret-types.ts';

const base = new Map([
  ['a', '1'],
  ['b', '2'],
  ['__proto__', '3'],
]);
const rows = storedRows(base);
const change = (id: number, part: Partial<Row>) =>
  rows.map((row) => (row.id === id ? { ...row, ...part } : row));
const states = (list: readonly Row[]) => list.map((row) => stateOf(base, row));

test('a row is the same, changed, renamed or added', () => {
  expect(states(rows)).toEqual(['same', 'same', 'same']);
  expect(states(change(1, { value: 'x' }))).toEqual(['same', 'changed', 'same']);
  expect(states(change(1, { key: 'c', value: 'x' }))).toEqual(['same', 'renamed', 'same']);
  expect(states(addRow(rows, { key: 'new' })).at(-1)).toBe('added');
  expect(states(addRow(rows)).at(-1)).toBe('same');
});

test('a key that was removed and added again is the one that was there', () => {
  const again = addRow(rows.slice(1), { key: 'a', value: 'other' });
  expect(states(again).at(-1)).toBe('changed');
  expect(listedRows(base, again).filter(({ kind }) => kind === 'removed')).toEqual([]);
  expect(valuesOf(undoRow(base, again, 3)).get('a')).toBe('1');
});

test('removed keys are listed where they were, and go back there', () => {
  const left = rows.filter(({ key }) => key !== 'b');
  const listed = listedRows(base, addRow(left, { key: 'new' }));
  expect(listed.map((one) => (one.kind === 'row' ? one.row.key : `-${one.key}`))).toEqual([
    'a',
    '-b',
    '__proto__',
    'new',
  ]);
  const back = restoreRow({ base, type: '' }, left, 'b');
  expect(back.map(({ key }) => key)).toEqual(['a', 'b', '__proto__']);
  expect(valuesOf(back)).toEqual(base);
  expect(reviewedChanges(base, back)).toHaveLength(0);
});

test('undoing brings back key and value under a new id, and takes away what was never there', () => {
  const undone = undoRow(base, change(1, { key: 'c', value: 'x' }), 1);
  expect(valuesOf(undone)).toEqual(base);
  expect(undone.map(({ id }) => id)).toEqual([0, 3, 2]);
  expect(undoRow(base, addRow(rows, { key: 'a' }), 3)).toEqual(rows);
});

test('a review has a rename as one change, unless its old or new key means something else', () => {
  const renamed = change(1, { key: 'c' });
  expect(reviewedChanges(base, renamed)).toEqual([
    { key: 'c', from: 'b', kind: 'renamed', before: '2', after: '2' },
  ]);
  expect(reviewedChanges(base, renamed)).toHaveLength(1);
  const swapped = rows.map((row) => ({
    ...row,
    key: row.key === 'a' ? 'b' : row.key === 'b' ? 'a' : row.key,
  }));
  expect(reviewedChanges(base, swapped).map(({ key, kind }) => `${key} ${kind}`)).toEqual([
    'a changed',
    'b changed',
  ]);
});

test('built-in types have fields, and keys of texts several lines', () => {
  expect([...fieldsOfType('platform.io/basic-auth').keys()]).toEqual(['username', 'password']);
  expect([...fieldsOfType('bootstrap.kubernetes.io/token').keys()][0]).toBe('token-id');
  expect([...fieldsOfType('Opaque')]).toEqual([]);
  expect(['tls.crt', 'ssh-privatekey', 'a.YAML', 'token', 'yaml'].map(expectsLines)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
