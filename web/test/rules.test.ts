import { expect, test } from 'vitest';
import type { Explanation, SessionUser } from '../src/api/secrets-api.ts';
import { changeOf, draftOf, type Editable } from '../src/editing/draft.ts';
import { findConflict, resolve, suggestions } from '../src/editing/merge.ts';
import { fieldChanges } from '../src/editing/fields.ts';
import { levelWords, reasonsFor } from '../src/features/access/reason.ts';
import { allows } from '../src/editing/rules.ts';
import { summaryOf } from './summaries.ts';

const secret = (rules: Partial<Editable> = {}): Editable => ({
  values: new Map([['token', 'x']]),
  description: '',
  allowedGroups: [],
  allowedUsers: [],
  ...rules,
});
const me: SessionUser = {
  sub: '1',
  email: 'Ada@example.com',
  name: 'Ada',
  groups: ['team-a', 'auditors', '\u05e6\u05d5'],
};

const TOKEN = 'kubernetes.io/service-account-token';

test('each of the six lists is a change of its own, and one that is emptied is sent empty', () => {
  const base = secret({ readerGroups: ['auditors'], writerUsers: ['ada@example.com'] });
  expect(changeOf(base, draftOf(base))).toBeUndefined();
  expect(changeOf(base, { ...draftOf(base), readerGroups: [] })).toEqual({ readerGroups: [] });
  expect(changeOf(base, { ...draftOf(base), writerGroups: ['team-b'], readerUsers: [] })).toEqual({
    writerGroups: ['team-b'],
  });
});

test('readers and writers of both sides of a conflict are merged list by list', () => {
  const theirs = secret({ readerGroups: ['auditors'] });
  const mine = draftOf(secret({ writerGroups: ['team-b'] }));
  const conflict = findConflict(secret(), theirs, mine);
  const suggested = suggestions(conflict);
  expect([...suggested]).toEqual([
    ['field:writerGroups', 'mine'],
    ['field:readerGroups', 'theirs'],
  ]);
  const choices = new Map([
    ['field:writerGroups', 'mine'] as const,
    ['field:readerGroups', 'theirs'] as const,
  ]);
  expect(resolve(conflict, choices, theirs, mine)).toMatchObject({
    writerGroups: ['team-b'],
    readerGroups: ['auditors'],
  });
});

test('a review names a list by what its people can do', () => {
  const base = {
    ...summaryOf('a', { readerGroups: ['auditors'] }),
    values: new Map(),
    binary: new Map(),
    warnings: [],
  };
  expect(
    fieldChanges(base, { description: '', allowedGroups: [], allowedUsers: [], writerUsers: ['b@x'] }),
  ).toEqual([
    { label: 'Users that can write', before: '', after: 'b@x' },
    { label: 'Groups that can read', before: 'auditors', after: '' },
  ]);
});

const explained = ({ level, by }: Pick<Explanation, 'level' | 'by'>): Explanation => ({
  level,
  by,
  namespaceRules:
    by === 'open'
      ? { state: 'open' }
      : { state: 'rules', allowedGroups: ['owners'], allowedUsers: [], readerGroups: ['auditors'] },
});

test.each([
  [
    { readerGroups: ['auditors'] },
    { level: 'read', by: 'secret' },
    'You can read this Secret through group auditors, by its own rules.',
  ],
  [
    { writerUsers: ['ada@example.com'] },
    { level: 'write', by: 'secret' },
    'You can write this Secret as Ada@example.com, by its own rules.',
  ],
  [
    {},
    { level: 'read', by: 'namespace' },
    'You can read this Secret through group auditors, by the rules of the namespace team-a.',
  ],
  [
    { readerGroups: ['\u05e6\u05d5'] },
    { level: 'read', by: 'secret' },
    // What is in the name does not change the order of the sentence.
    'You can read this Secret through group \u2068\u05e6\u05d5\u2069, by its own rules.',
  ],
  [{}, { level: 'manage', by: 'open' }, 'Everyone who can sign in can manage this Secret.'],
  [
    { allowedGroups: ['others'] },
    { level: 'manage', by: 'admin' },
    'You can manage this Secret as an administrator.',
  ],
] as const)('%j, %j: %s', (rules, explanation, reason) => {
  expect(reasonsFor(me, summaryOf('a', rules), explained(explanation))).toEqual([reason]);
});

test('what a level does not allow is not offered; while the level is not known, everything is', () => {
  expect(allows('read', 'write')).toBe(false);
  expect(allows('write', 'write')).toBe(true);
  expect(allows('manage', 'read')).toBe(true);
  expect(allows('none', 'read')).toBe(false);
  expect(allows(undefined, 'manage')).toBe(true);
});

test.each([
  ['read', 'Opaque', 'You can see its values and its history.'],
  ['manage', 'Opaque', 'You can change its values and access rules, and delete it.'],
  ['read', TOKEN, 'You can see its values and its history.'],
  ['write', TOKEN, "The cluster manages this token: it can't be changed here."],
  ['manage', TOKEN, 'The cluster manages this token: you can delete it, but not change it.'],
] as const)('what the level %s allows with %s', (level, type, words) => {
  expect(levelWords(level, type)).toBe(words);
});
