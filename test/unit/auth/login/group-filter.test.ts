import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createGroupFilter } from '../../../../src/auth/login/issue-session.ts';

const keeps = (pattern: string, group: string): boolean => createGroupFilter([pattern])([group]).length === 1;

/** The meaning of a pattern, spelled out: slow and obvious. */
function obviouslyMatches(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  const rest = pattern.slice(1);
  if (!pattern.startsWith('*')) {
    return text !== '' && text.startsWith(pattern.slice(0, 1)) && obviouslyMatches(rest, text.slice(1));
  }
  return Array.from({ length: text.length + 1 }, (_, skipped) => text.slice(skipped)).some((tail) =>
    obviouslyMatches(rest, tail),
  );
}

describe('a group filter', () => {
  test('keeps every group when there is no pattern', () => {
    const groups = ['b', 'a', 'cn=x,dc=example'];
    expect(createGroupFilter([], ['admins'])(groups)).toBe(groups);
  });

  test.each([
    ['team-a', 'team-a', true],
    ['team-a', 'team-ab', false],
    ['team-a', 'Team-A', false],
    ['team-*', 'team-', true],
    ['team-*', 'my-team-a', false],
    ['*-admins', 'db-admins', true],
    ['*-admins', 'db-admins-old', false],
    ['*', '', true],
    ['**', 'anything', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['*ab*b', 'ab', false],
    ['cn=*,ou=secrets,*', 'cn=x,ou=secrets,dc=example', true],
    ['*aab*', 'aaab', true],
    ['*abab*c', 'ababac', true],
    ['.+', 'xx', false],
    ['[a]', 'a', false],
    ['a?', 'ab', false],
  ])('with the pattern %j and the group %j says %j', (pattern, group, kept) => {
    expect(keeps(pattern, group)).toBe(kept);
  });

  test('means what the obvious definition means', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 7 });
    fc.assert(
      fc.property(pattern, text, (given, group) => {
        expect(keeps(given, group)).toBe(obviouslyMatches(given, group));
      }),
      { numRuns: 5_000 },
    );
  });

  test('keeps what any of several patterns matches, in the order in which the groups came', () => {
    const filter = createGroupFilter(['team-*', 'auditors']);
    expect(filter(['z', 'team-b', 'auditors', 'auditors2', 'team-a'])).toEqual([
      'team-b',
      'auditors',
      'team-a',
    ]);
  });

  test('always keeps the groups that are named, by their exact names', () => {
    const filter = createGroupFilter(['team-*'], ['platform-admins', 'a*']);
    expect(filter(['platform-admins', 'platform-admins2', 'a*', 'ab'])).toEqual(['platform-admins', 'a*']);
  });

  test('takes time in proportion to the text, however the pattern is made', () => {
    const text = 'a'.repeat(1_000_000);
    const filter = createGroupFilter([`*${'a'.repeat(120)}b${'a'.repeat(120)}*`, `*${'*a'.repeat(127)}*b`]);
    const before = process.cpuUsage();
    expect(filter([text])).toEqual([]);
    const { user } = process.cpuUsage(before);
    // Quadratic work would be 120 million steps and more.
    expect(user / 1_000).toBeLessThan(400);
  });
});
