import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claimAt, mapClaims, type Claims } from '../../../src/auth/claims.ts';

const NAMES = { usernameClaim: 'email', nameClaim: 'name', groupsClaim: 'groups' };
const BASE = { sub: 'subject', email: 'a@example.com' };

const groupsFrom = (claims: Claims, groupsClaim = 'groups'): readonly string[] | undefined =>
  mapClaims({ ...BASE, ...claims }, { ...NAMES, groupsClaim }).user?.groups;

describe('mapping claims', () => {
  test('the first nonempty string-array claim gives the groups', () => {
    const all = {
      memberships: { teams: ['configured'] },
      groups: ['groups'],
      roles: ['roles'],
      realm_access: { roles: ['realm'] },
    };
    expect(groupsFrom(all, 'memberships.teams')).toEqual(['configured']);
    expect(groupsFrom({ ...all, memberships: { teams: [] } }, 'memberships.teams')).toEqual(['groups']);
    expect(groupsFrom({ ...all, groups: [] }, 'absent')).toEqual(['roles']);
    expect(groupsFrom({ ...all, groups: 'text', roles: null }, 'absent')).toEqual(['realm']);
    expect(groupsFrom({})).toEqual([]);
  });

  test.each([
    ['non-string entries are ignored', ['a', 7, null, ['b'], { c: 1 }, true, 'd'], ['a', 'd']],
    ['blank entries are ignored', ['', '  ', 'a'], ['a']],
    ['a list without any string falls through', [1, 2], ['fallback']],
    ['a text falls through', 'platform-admins', ['fallback']],
    ['an object falls through', { 0: 'platform-admins', length: 1 }, ['fallback']],
    ['null falls through', null, ['fallback']],
    ['case, order, spaces and duplicates stay', ['B', 'a b', 'B', ' c '], ['B', 'a b', 'B', ' c ']],
    ['half a surrogate pair is ignored', ['\ud800', 'a'], ['a']],
  ])('%s', (_rule, groups, expected) => {
    expect(groupsFrom({ groups, roles: ['fallback'] })).toEqual(expected);
  });

  test('a claim whose own name has dots comes before the dotted path', () => {
    const name = 'https://example.com/groups';
    expect(groupsFrom({ [name]: ['namespaced'] }, name)).toEqual(['namespaced']);
    expect(groupsFrom({ 'a.b': ['own'], a: { b: ['nested'] } }, 'a.b')).toEqual(['own']);
  });

  test.each(['constructor', 'toString', '__proto__', 'constructor.name', 'groups.length', 'email.length'])(
    'what is inherited is no claim: %s',
    (path) => {
      expect(claimAt({ ...BASE, groups: ['a'] }, path)).toBe(path === 'groups.length' ? 1 : undefined);
    },
  );

  test('a claim named __proto__ is read as its own property only', () => {
    const claims = JSON.parse('{"__proto__": {"groups": ["platform-admins"]}}') as Claims;
    expect(claimAt(claims, 'groups')).toBeUndefined();
    expect(claimAt(claims, '__proto__.groups')).toEqual(['platform-admins']);
  });

  test.each([undefined, '', '   ', 7, null, ['a@example.com'], {}])('an email of %j is missing', (email) => {
    expect(mapClaims({ sub: 'subject', email }, NAMES)).toEqual({ missing: 'email' });
  });

  test.each([undefined, '', ' ', 7, null])('a subject of %j is missing', (sub) => {
    expect(mapClaims({ ...BASE, sub }, NAMES)).toEqual({ missing: 'subject' });
  });

  test('the configured claims give email and name, dotted paths included', () => {
    const names = { ...NAMES, usernameClaim: 'identity.upn', nameClaim: 'identity.display' };
    const claims = { sub: 's', identity: { upn: ' a@example.com ', display: 'Ada' } };
    expect(mapClaims(claims, names).user).toMatchObject({ email: 'a@example.com', name: 'Ada' });
  });

  test.each([undefined, '', '  ', 7, null, ['Ada']])('a name of %j falls back to the email', (name) => {
    expect(mapClaims({ ...BASE, name }, NAMES).user?.name).toBe('a@example.com');
  });

  test('whatever JSON the claims are, the user has the four fields in their types', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('sub', 'email', 'name', 'groups', 'roles'), fc.jsonValue()),
        (claims) => {
          const { user } = mapClaims(claims, NAMES);
          if (user === undefined) return;
          expect(user.sub.trim()).not.toBe('');
          expect(user.email.trim()).not.toBe('');
          expect(typeof user.name).toBe('string');
          expect(user.groups.every((group) => typeof group === 'string')).toBe(true);
        },
      ),
    );
  });
});
