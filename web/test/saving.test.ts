import { expect, test } from 'vitest';
import type { StoredSecret } from '../src/editing/stored-secret.ts';
import { ApiError, outcomeIsUnknown } from '../src/api/http-client.ts';
import { groupWarning, readEntries } from '../src/editing/access-entry.ts';
import { filledRows, addRow, draftOf } from '../src/editing/draft.ts';
import { authorOf, isAsDrafted, saveStateOf, typedRows } from '../src/editing/save-state.ts';
import { rowsProblem, textProblems } from '../src/editing/readiness.ts';
import { isExcluded, NO_RULES } from '../src/editing/rules.ts';
import { suggestedPrincipals } from '../src/editing/sharing.ts';
import { restoreStateOf } from '../src/features/history/states.ts';
import { summaryOf } from './summaries.ts';

const base: StoredSecret = {
  ...summaryOf('database', { keys: ['a'], resourceVersion: '10' }),
  values: new Map([['a', '1']]),
  warnings: [],
};
const me = { sub: 's', email: 'Me@example.com', name: 'Me', groups: ['team-a'] };
const later = (more: Partial<StoredSecret>): StoredSecret => ({ ...base, resourceVersion: '11', ...more });
const change = { values: { set: new Map([['a', '2']]), remove: [] } };

test('what the Secret is now shows what came of a save', async () => {
  const saved = later({ version: 2, values: new Map([['a', '2']]) });
  expect(await saveStateOf(base, change, saved)).toBe('saved');
  expect(await saveStateOf(base, change, base)).toBe('notSaved');
  expect(await saveStateOf(base, change, later({ version: 2, values: new Map([['a', '3']]) }))).toBe(
    'changed',
  );
  expect(await saveStateOf(base, { ...change, description: 'mine' }, saved)).toBe('changed');
  expect(await saveStateOf(base, { allowedGroups: ['g'] }, saved)).toBe('changed');
  expect(await saveStateOf(base, { ...change, rotateEvery: '' }, saved)).toBe('saved');
  expect(await saveStateOf(base, { ...change, rotateEvery: '30d' }, saved)).toBe('changed');
});

test('a removed key that is there again, or another version in between, is not what was saved', async () => {
  const removal = { values: { set: new Map(), remove: ['a'] } };
  expect(await saveStateOf(base, removal, later({ version: 2, values: new Map() }))).toBe('saved');
  expect(await saveStateOf(base, removal, later({ version: 2 }))).toBe('changed');
  expect(await saveStateOf(base, removal, later({ version: 3, values: new Map() }))).toBe('changed');
});

test('a lost answer leaves the outcome open, a refusal does not', () => {
  const unknown = (status: number) => outcomeIsUnknown(new ApiError(status, 'x', undefined));
  expect([0, 200, 500, 502, 503, 504].map(unknown)).not.toContain(false);
  expect([400, 401, 403, 404, 409, 413, 422, 429].map(unknown)).not.toContain(true);
});

test('a write that shows nowhere is over once the service has answered it, and not before', () => {
  const unknown = (status: number, requestId?: string) =>
    outcomeIsUnknown(new ApiError(status, 'x', requestId), true);
  expect([0, 200, 502, 504].map((status) => unknown(status))).not.toContain(false);
  expect([500, 503].map((status) => unknown(status, 'the-id'))).not.toContain(true);
});

test('only values that are typed here, and stored nowhere, are stranded', () => {
  const rows = addRow(addRow(addRow(draftOf(base).rows, { key: 'b', value: 'mine' })), {
    key: 'c',
    value: 'theirs too',
  });
  const theirs = later({ immutable: true, values: new Map([['c', 'theirs too']]) });
  expect(typedRows(filledRows(rows), [base, theirs]).map(({ key }) => key)).toEqual(['b']);
});

test('a version that did not move was changed outside, and emails ignore case', () => {
  expect(authorOf(base, later({ lastModifiedBy: 'other@example.com' }), me)).toBe('outside');
  expect(authorOf(base, later({ version: 2, lastModifiedBy: 'me@example.com' }), me)).toBe('me');
  expect(authorOf(base, later({ version: 2, lastModifiedBy: 'other@example.com' }), me)).toBe('other');
  expect(authorOf(base, later({ version: 2 }), undefined)).toBe('other');
});

test('a new Secret is recognized by all that was drafted, with an empty type for Opaque', async () => {
  const wanted = { ...draftOf(base), name: 'database', type: '', rows: addRow(draftOf(base).rows) };
  expect(await isAsDrafted(base, wanted)).toBe(true);
  expect(await isAsDrafted(later({ version: 2 }), wanted)).toBe(false);
  expect(await isAsDrafted(later({ allowedGroups: ['team-a'] }), wanted)).toBe(false);
  expect(await isAsDrafted(base, { ...wanted, type: 'example.com/own' })).toBe(false);
});

test('commas separate entries, blanks and repetitions fall away', () => {
  expect(readEntries(' team-a, security ,,team-a', ['security'])).toEqual({
    entries: ['team-a'],
    problem: undefined,
  });
  expect(readEntries('   ', [])).toEqual({ entries: [], problem: undefined });
});

test('when one entry cannot be added, none is', () => {
  expect(readEntries(`ok,${'ü'.repeat(129)}`, [])).toEqual({
    entries: [],
    problem: 'An entry must be at most 256 bytes long in UTF-8, surrounding whitespace included.',
  });
  const full = Array.from({ length: 255 }, (_none, index) => `group-${index}`);
  expect(readEntries('one', full).problem).toBeUndefined();
  expect(readEntries('one,two', full).problem).toBe('A list has at most 256 entries.');
  expect(readEntries('\ud800', []).problem).toBe('An entry must be valid Unicode.');
  expect(readEntries('a\u0085b', []).problem).toBe('An entry must not contain control characters.');
  expect(readEntries('ok,a\tb', []).entries).toEqual([]);
});

test('one is left out by rules that name others, groups exact, emails in any case', () => {
  const rules = (allowedGroups: string[], allowedUsers: string[]) => ({ allowedGroups, allowedUsers });
  expect(isExcluded(me, rules([], []))).toBe(false);
  expect(isExcluded(me, rules(['team-a'], []))).toBe(false);
  expect(isExcluded(me, rules(['Team-A'], []))).toBe(true);
  expect(isExcluded(me, rules([], ['mE@EXAMPLE.com']))).toBe(false);
  expect(isExcluded(me, rules([], ['other@example.com']))).toBe(true);
});

test('a blank row is no problem, a value without a key is, and no problem quotes a value', () => {
  expect(filledRows(addRow(draftOf(base).rows))).toHaveLength(1);
  expect(rowsProblem(draftOf(base).rows, undefined)).toBeUndefined();
  expect(rowsProblem(addRow([], { value: 'hidden' }), undefined)).toBe('A value has no key yet.');
  expect(rowsProblem(addRow([], { key: '..', value: 'hidden' }), undefined)).toBe(
    'Check the key .. and its value.',
  );
  expect(rowsProblem(addRow([], { key: 'a', value: 'x'.repeat(2 ** 20 + 1) }), undefined)).toBe(
    'The values are too large together.',
  );
});

test('a group that differs from mine by case or blanks is pointed out, and so is an email address', () => {
  const mine = ['team-a', 'Team Blue'];
  expect(groupWarning(['team-a', 'security'], mine)).toBeUndefined();
  expect(groupWarning(['Team-A'], mine)).toContain('your group is called team-a.');
  expect(groupWarning(['teamblue'], mine)).toContain('your group is called Team Blue.');
  expect(groupWarning(['ada@example.com'], mine)).toContain('Choose “person” if it is one.');
  expect(groupWarning(['ops@example.com'], ['ops@example.com'])).toBeUndefined();
});

test('of what is known, what is typed and not in the list yet is offered', () => {
  const groups = (...entries: readonly string[]) =>
    entries.map((entry) => ({ kind: 'groups', entry }) as const);
  const mine = { allowedGroups: ['team-a'], allowedUsers: [] };
  expect(suggestedPrincipals('', mine, groups('team-a', 'team-b', 'with,comma'))).toEqual(groups('team-b'));
  expect(suggestedPrincipals('TEAM', NO_RULES, groups('team-b', 'ops'))).toEqual(groups('team-b'));
  const many = Array.from({ length: 50 }, (_none, index) => `group-${index}`);
  expect(suggestedPrincipals('', NO_RULES, groups(...many))).toHaveLength(8);
});

test('a description over 4 KiB cannot be saved, unless it is the stored one', () => {
  const long = 'é'.repeat(2_049);
  const descriptionProblem = (description: string, stored = '') =>
    textProblems({ description }, { description: stored }).description;
  expect(descriptionProblem(long)).toBe('The description must be at most 4 KiB (4,096 bytes of UTF-8).');
  expect(descriptionProblem(long, long)).toBeUndefined();
  expect(descriptionProblem('é'.repeat(2_048), long)).toBeUndefined();
});

test('a restore of some keys is recognized by these and by what stayed', () => {
  const state = (text: readonly (readonly [string, string])[], resourceVersion: string) => ({
    ...base,
    binary: new Map(),
    text: new Map(text),
    resourceVersion,
  });
  const live = state(
    [
      ['a', '2'],
      ['b', '2'],
      ['c', '2'],
    ],
    '5',
  );
  const archived = state(
    [
      ['a', '1'],
      ['b', '1'],
    ],
    '1',
  );
  const keys = ['a', 'c'];
  const outcome = (text: readonly (readonly [string, string])[]) =>
    restoreStateOf(live, { archived, keys }, state(text, '6'));
  expect(
    outcome([
      ['a', '1'],
      ['b', '2'],
    ]),
  ).toBe('restored');
  expect(
    outcome([
      ['a', '1'],
      ['b', '1'],
    ]),
  ).toBe('changed');
  expect(
    outcome([
      ['a', '1'],
      ['b', '2'],
      ['c', '2'],
    ]),
  ).toBe('changed');
  expect(restoreStateOf(live, { archived, keys }, live)).toBe('notRestored');
  expect(
    restoreStateOf(
      live,
      { archived },
      state(
        [
          ['a', '1'],
          ['b', '1'],
        ],
        '6',
      ),
    ),
  ).toBe('restored');
});
