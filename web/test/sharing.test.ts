import { expect, test } from 'vitest';
import { rulesOf, type AccessRules } from '../../src/contract/access-rules.ts';
import { changedLists, NO_RULES } from '../src/editing/rules.ts';
import {
  accessChanges,
  losersOf,
  restOf,
  sharesOf,
  withLevel,
  withShares,
  type Share,
} from '../src/editing/sharing.ts';

const rules = (more: Partial<AccessRules> = {}): AccessRules => ({ ...NO_RULES, ...more });
const group = (entry: string, level: Share['level']): Share => ({ kind: 'groups', entry, level });
const NAMESPACE = {
  state: 'rules',
  allowedGroups: ['owners'],
  allowedUsers: ['Boss@example.com'],
  readerGroups: ['auditors'],
} as const;

test('an entry of several lists is one row with the highest of its levels, groups exact, users as emails', () => {
  const given = rules({
    allowedUsers: ['Ada@example.com'],
    writerUsers: ['ADA@example.com'],
    readerGroups: ['team-a', 'Team-A'],
    writerGroups: ['team-a'],
  });
  expect(sharesOf(given)).toEqual([
    group('Team-A', 'read'),
    group('team-a', 'write'),
    { kind: 'users', entry: 'Ada@example.com', level: 'manage' },
  ]);
});

test('a level that is chosen is that of one list, whatever lists the entry stood in', () => {
  const given = rules({ allowedGroups: ['a', 'b'], readerGroups: ['a'], readerUsers: ['a'] });
  const changed = withLevel(given, group('a', 'manage'), 'write');
  expect(rulesOf(changed)).toEqual(rules({ allowedGroups: ['b'], writerGroups: ['a'], readerUsers: ['a'] }));
  expect(changed.readerGroups).toEqual([]);
  expect(rulesOf(withLevel(changed, group('a', 'write'), 'none'))).toEqual(
    rules({ allowedGroups: ['b'], readerUsers: ['a'] }),
  );
  const back = withLevel(withLevel(given, group('a', 'manage'), 'read'), group('a', 'read'), 'manage');
  expect(changedLists({ ...given, readerGroups: [] }, back)).toEqual([]);
});

test('adding someone takes no higher level from them', () => {
  const given = rules({ allowedGroups: ['a'], readerGroups: ['b'] });
  const added = withShares(given, [group('a', 'read'), group('b', 'write'), group('c', 'read')]);
  expect(rulesOf(added)).toEqual(rules({ allowedGroups: ['a'], writerGroups: ['b'], readerGroups: ['c'] }));
});

test('the first rule about who manages takes access from everyone whom the namespace names, until they are kept', () => {
  const after = rules({ allowedGroups: ['team-b'] });
  expect(accessChanges(NO_RULES, after, NAMESPACE)).toEqual([
    { who: group('auditors', 'read'), before: 'read', after: 'none' },
    { who: group('owners', 'manage'), before: 'manage', after: 'none' },
    { who: { kind: 'users', entry: 'Boss@example.com', level: 'manage' }, before: 'manage', after: 'none' },
    { who: group('team-b', 'manage'), before: 'none', after: 'manage' },
  ]);
  const losers = losersOf(NO_RULES, after, NAMESPACE);
  expect(losers).toHaveLength(3);
  const kept = withShares(after, losers);
  expect(losersOf(NO_RULES, kept, NAMESPACE)).toEqual([]);
  expect(accessChanges(NO_RULES, kept, NAMESPACE)).toEqual([
    { who: group('team-b', 'manage'), before: 'none', after: 'manage' },
  ]);
});

test('readers of a Secret take the place of those of its namespace, whose managers stay', () => {
  const after = rules({ readerGroups: ['team-b'] });
  expect(losersOf(NO_RULES, after, NAMESPACE)).toEqual([group('auditors', 'read')]);
  expect(restOf(after, 'team-a')).toBe('Everyone who can manage Secrets in the namespace team-a');
  expect(restOf(NO_RULES, 'team-a')).toBe('Everyone with access to the namespace team-a');
  expect(restOf(rules({ allowedUsers: ['a'] }), 'team-a')).toBeUndefined();
});

test('whoever is given less on purpose is named, and not offered to be kept', () => {
  const after = rules({ allowedGroups: ['team-b'], readerGroups: ['owners'] });
  expect(accessChanges(NO_RULES, after, NAMESPACE)).toContainEqual({
    who: group('owners', 'manage'),
    before: 'manage',
    after: 'read',
  });
  expect(losersOf(NO_RULES, after, NAMESPACE).map(({ entry }) => entry)).toEqual([
    'auditors',
    'Boss@example.com',
  ]);
});

test('in a namespace without rules, everyone who can sign in loses and gains', () => {
  const closed = rules({ allowedGroups: ['team-b'] });
  const everyone = (before: string, after: string) => ({ who: undefined, before, after });
  const open = { state: 'open' } as const;
  expect(accessChanges(NO_RULES, closed, open)).toEqual([everyone('manage', 'none')]);
  expect(accessChanges(closed, NO_RULES, open)).toEqual([everyone('none', 'manage')]);
  expect(losersOf(NO_RULES, closed, open)).toEqual([]);
  expect(accessChanges(closed, rules({ allowedGroups: ['team-c'] }), undefined)).toEqual([
    { who: group('team-b', 'manage'), before: 'manage', after: 'none' },
    { who: group('team-c', 'manage'), before: 'none', after: 'manage' },
  ]);
});
