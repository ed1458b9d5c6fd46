import { expect, test } from 'vitest';
import {
  addRow,
  canBeSaved,
  changeOf,
  draftOf,
  importEntries,
  rowProblem,
  valuesOf,
} from '../src/editing/draft.ts';
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
  expect(rows.slice(2).map((row) => rowProblem(row, rows))).toEqual([expect.stringContaining(problem)]);
  expect(canBeSaved(rows)).toBe(false);
});

test.each(['\ud800', '\u0000', '\u007f', '\u001b'])('the value %j is refused', (value) => {
  expect(canBeSaved(addRow([], { key: 'k', value }))).toBe(false);
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
