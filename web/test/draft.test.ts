import { expect, test } from 'vitest';
import { addRow, changeOf, draftOf, importEntries, rowProblems, valuesOf } from '../src/editing/draft.ts';
import { rowsForType } from '../src/editing/secret-types.ts';

const base = {
  text: new Map([
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
  expect(changeOf(base, { ...draft, rows: addRow(draft.rows, { key: 'b' }) })).toEqual({
    data: new Map([
      ['a', '1'],
      ['__proto__', 'p'],
      ['b', ''],
    ]),
  });
});

test('values reach the wire under every key', () => {
  const sent = JSON.stringify(Object.fromEntries(valuesOf(draftOf(base).rows)));
  expect(sent).toBe('{"a":"1","__proto__":"p"}');
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
    ...{ id, key: `k${id % 19_999}`, value: '' },
    ...{ fixed: false, stored: false },
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
    text: new Map([['username', 'u']]),
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
