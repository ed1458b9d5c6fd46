import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claimAt, mapClaims, type ClaimRules, type Claims } from '../../../../src/auth/login/claims.ts';

const NAMES = {
  usernameClaim: 'email',
  nameClaim: 'name',
  groupsClaim: 'groups',
  allowUnverifiedEmail: false,
};
const BASE = { sub: 'subject', email: 'a@example.com' };

/** What an ID token alone is mapped to. */
const mapped = (idToken: Claims, rules: ClaimRules = NAMES) => mapClaims({ idToken }, rules);

const groupsFrom = (claims: Claims, groupsClaim = 'groups'): readonly string[] | undefined =>
  mapped({ ...BASE, ...claims }, { ...NAMES, groupsClaim }).user?.groups;

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
    expect(groupsFrom({ ...all, groups: { of: 'text' }, roles: null }, 'absent')).toEqual(['realm']);
    expect(groupsFrom({})).toEqual([]);
  });

  test.each([
    ['non-string entries are ignored', ['a', 7, null, ['b'], { c: 1 }, true, 'd'], ['a', 'd']],
    ['blank entries are ignored', ['', '  ', 'a'], ['a']],
    ['a list without any string falls through', [1, 2], ['fallback']],
    ['a text is a list of one', 'cn=team a,dc=example', ['cn=team a,dc=example']],
    ['a blank text falls through', ' \t', ['fallback']],
    ['a text with half a surrogate pair falls through', 'a\udfff', ['fallback']],
    ['a number falls through', 7, ['fallback']],
    ['an object falls through', { 0: 'platform-admins', length: 1 }, ['fallback']],
    ['null falls through', null, ['fallback']],
    ['case, order and spaces stay, duplicates go', ['B', 'a b', 'B', ' c ', 'b'], ['B', 'a b', ' c ', 'b']],
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
    expect(mapped({ sub: 'subject', email })).toEqual({ refused: 'email_missing' });
  });

  test.each([undefined, '', ' ', 7, null])('a subject of %j is missing', (sub) => {
    expect(mapped({ ...BASE, sub })).toEqual({ refused: 'subject_missing' });
  });

  test('the configured claims give email and name, dotted paths included', () => {
    const names = { ...NAMES, usernameClaim: 'identity.upn', nameClaim: 'identity.display' };
    const claims = { sub: 's', identity: { upn: 'a@example.com', display: 'Ada' } };
    expect(mapped(claims, names).user).toMatchObject({ email: 'a@example.com', name: 'Ada' });
  });

  test.each([undefined, '', '  ', 7, null, ['Ada']])('a name of %j falls back to the email', (name) => {
    expect(mapped({ ...BASE, name }).user?.name).toBe('a@example.com');
  });

  test('whatever JSON the other claims are, the user has the four fields in their types', () => {
    const json = fc.oneof(fc.constantFrom('a', '', ' ', '\ud800'), fc.jsonValue({ maxDepth: 1 }));
    const others = fc.record(
      { name: json, groups: fc.oneof(json, fc.array(json)), roles: json },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(others, (claims) => {
        const { user } = mapped({ ...BASE, ...claims });
        expect(user).toMatchObject(BASE);
        expect(user?.name).toSatisfy(isText);
        expect(user?.groups.filter((group) => !isText(group))).toEqual([]);
      }),
    );
  });
});

const isText = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && value.isWellFormed();

describe('an email that could be taken for another one', () => {
  test.each([
    ['KELVIN SIGN for k', '\u212aate@example.com'],
    ['I WITH DOT ABOVE for i', '\u0130nfo@example.com'],
    ['such a letter in the domain', 'kate@\u212ap.example.com'],
    ['a control character', 'kate\u0000@example.com'],
    ['a line feed at the end', 'kate@example.com\n'],
    ['a C1 control', 'kate\u0085@example.com'],
    ['a bidirectional override', 'kate\u202e@example.com'],
    ['a zero-width joiner', 'ka\u200dte@example.com'],
    ['a byte order mark in front', '\ufeffkate@example.com'],
    ['a tag character of another plane', 'kate\u{e0041}@example.com'],
    ['a line separator', 'kate@example.com\u2028'],
    ['a paragraph separator', 'kate\u2029@example.com'],
    ['a space in front', ' kate@example.com'],
    ['a no-break space at the end', 'kate@example.com\u00a0'],
  ])('is refused: %s', (_what, email) => {
    expect(mapped({ ...BASE, email })).toEqual({ refused: 'email_invalid' });
    expect(mapped({ sub: 's', upn: email }, { ...NAMES, usernameClaim: 'upn' })).toEqual({
      refused: 'email_invalid',
    });
  });

  test.each([
    'Kate@Example.com',
    'ÅSA@example.com',
    'σίσυφος@example.com',
    'a b@example.com',
    'ınfo@example.com',
  ])('and other emails are not: %s', (email) => {
    expect(mapped({ ...BASE, email }).user?.email).toBe(email);
  });
});

describe('email_verified', () => {
  const KATE = 'kate@example.com';
  const sub = 'subject';
  const outcome = (idToken: Claims, userInfo?: Claims, rules: ClaimRules = NAMES): string | undefined => {
    const { user, refused } = mapClaims({ idToken: { sub, ...idToken }, userInfo }, rules);
    return user?.email ?? refused;
  };

  test.each([false, 'false', 'False', 'TRUE', '', null, 0, 1, [true], { value: true }])(
    '%j refuses the login',
    (flag) => {
      expect(outcome({ email: KATE, email_verified: flag })).toBe('email_unverified');
      expect(outcome({}, { email: KATE, email_verified: flag })).toBe('email_unverified');
    },
  );

  test.each([true, 'true'])('%j accepts it', (flag) => {
    expect(outcome({ email: KATE, email_verified: flag })).toBe(KATE);
    expect(outcome({}, { email: KATE, email_verified: flag })).toBe(KATE);
  });

  test('an absent flag is accepted, and one that is inherited is absent', () => {
    expect(outcome({ email: KATE })).toBe(KATE);
    expect(outcome({ email: 'old@example.com' }, { email: KATE })).toBe(KATE);
    const idToken = Object.assign(Object.create({ email_verified: false }) as Claims, { sub, email: KATE });
    expect(mapClaims({ idToken }, NAMES).user?.email).toBe(KATE);
  });

  test("UserInfo's unverified email does not pass as the ID token's verified one", () => {
    const verified = { email: 'attacker@example.com', email_verified: true };
    expect(outcome(verified, { email: KATE, email_verified: false })).toBe('email_unverified');
    expect(outcome(verified, { email: KATE })).toBe(KATE);
  });

  test('the flag of a document that gave another email, or none, is about something else', () => {
    const unverified = { email: 'old@example.com', email_verified: false };
    expect(outcome(unverified, { email: KATE })).toBe(KATE);
    expect(outcome(unverified, { email: KATE, email_verified: true })).toBe(KATE);
    expect(outcome({ email_verified: false }, { email: KATE })).toBe(KATE);
    expect(outcome({ email: KATE, email_verified: true }, { email_verified: false })).toBe(KATE);
  });

  test('where both documents gave the email, either can say that it is not verified', () => {
    expect(outcome({ email: KATE, email_verified: false }, { email: KATE })).toBe('email_unverified');
    expect(outcome({ email: 'KATE@example.com', email_verified: false }, { email: KATE })).toBe(
      'email_unverified',
    );
    expect(outcome({ email: KATE, email_verified: true }, { email: KATE, email_verified: false })).toBe(
      'email_unverified',
    );
  });

  test('counts for the claim email only', () => {
    const claims = { email: KATE, email_verified: false, upn: 'upn@example.com' };
    expect(outcome(claims, undefined, { ...NAMES, usernameClaim: 'upn' })).toBe('upn@example.com');
  });

  test('is not looked at where unverified emails are allowed', () => {
    const rules = { ...NAMES, allowUnverifiedEmail: true };
    expect(outcome({ email: KATE, email_verified: false }, undefined, rules)).toBe(KATE);
  });
});
