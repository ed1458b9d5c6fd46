import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isRevoked, NO_REVOCATIONS, parseRevocations } from '../../../../src/auth/session/revocations.ts';
import { readSessionToken, signSessionToken } from '../../../../src/auth/session/session-token.ts';
import { quietMsOf } from '../../../harness/machine-slowness.ts';

const KATE = 'kate@example.com';
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const NOON = Date.UTC(2026, 10, 21, 12);
const NOON_TEXT = '2026-11-21T12:00:00Z';

const parsed = (entries: Readonly<Record<string, string>>) => parseRevocations(Object.entries(entries));
const at = (issuedMs: number, email = KATE) => ({ email, issuedMs });

describe('a session', () => {
  test('ends when it was issued before the time of its email, and not when at the time or after it', () => {
    const revocations = parsed({ [hashOf(KATE)]: NOON_TEXT });
    expect(isRevoked(revocations, at(NOON - 1_000))).toBe(true);
    expect(isRevoked(revocations, at(NOON))).toBe(false);
    expect(isRevoked(revocations, at(NOON + 1_000))).toBe(false);
    expect(isRevoked(revocations, at(NOON - 1_000, 'other@example.com'))).toBe(false);
  });

  test('ends when it was issued before the time of everyone', () => {
    const revocations = parsed({ _all: NOON_TEXT });
    expect(isRevoked(revocations, at(NOON - 1_000, 'anyone@example.com'))).toBe(true);
    expect(isRevoked(revocations, at(NOON))).toBe(false);
  });

  test('ends by the later of the two', () => {
    const hour = 3_600_000;
    const revocations = parsed({ _all: '2026-11-21T10:00:00Z', [hashOf(KATE)]: NOON_TEXT });
    expect(isRevoked(revocations, at(NOON - hour))).toBe(true);
    expect(isRevoked(revocations, at(NOON - hour, 'other@example.com'))).toBe(false);
    expect(isRevoked(revocations, at(NOON - 3 * hour, 'other@example.com'))).toBe(true);
  });

  test('is found by its lowercased email, letters outside ASCII included', () => {
    const revocations = parsed({ [hashOf('åsa@example.com')]: NOON_TEXT });
    expect(isRevoked(revocations, at(0, 'ÅSA@Example.com'))).toBe(true);
  });

  test('ends when it was read before, as soon as it is revoked, and at each use', async () => {
    const key = new TextEncoder().encode('0123456789abcdef0123456789abcdef');
    let revocations = NO_REVOCATIONS;
    const rules = {
      keys: [key],
      isRevoked: (session: { email: string; issuedMs: number }) => isRevoked(revocations, session),
    };
    const read = async () => (await readSessionToken(token, NOON + 1_000, rules))?.user;
    const user = { sub: 's', email: KATE, name: 'Kate', groups: [] };
    const token = await signSessionToken(user, key, { issuedMs: NOON + 900, lifetimeMs: 3_600_000 });
    expect(await read()).toEqual(user);
    revocations = parsed({ [hashOf(KATE)]: '2026-11-21T12:00:01Z' });
    expect(await read()).toBeUndefined();
    revocations = NO_REVOCATIONS;
    expect(await read()).toEqual(user);
  });
});

describe('a time', () => {
  test.each([
    ['2026-11-21T12:00:00Z', NOON],
    ['2026-11-21t12:00:00z', NOON],
    [' 2026-11-21T12:00:00Z\n', NOON],
    ['2026-11-21T13:00:00+01:00', NOON],
    ['2026-11-21T06:30:00-05:30', NOON],
    ['2026-11-21T12:00:00-00:00', NOON],
    ['2026-11-21T12:00:00.25Z', NOON + 250],
    ['2026-11-21T12:00:00.123456789Z', NOON + 123.456_789],
    ['2026-11-21T11:59:60Z', NOON],
    ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
  ])('%j is one', (text, time) => {
    expect(parsed({ _all: text }).everyone).toBe(time);
  });

  test.each([
    '',
    'now',
    '1795267866',
    '2026-11-21',
    '2026-11-21T12:00Z',
    '2026-11-21T12:00:00',
    '2026-11-21 12:00:00Z',
    '2026-11-21T12:00:00+0100',
    '2026-11-21T12:00:00.Z',
    '2026-11-21T12:00:00.1234567890Z',
    '2026-11-31T12:00:00Z',
    '2027-02-29T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-00-01T12:00:00Z',
    '2026-11-00T12:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T12:60:00Z',
    '2026-11-21T12:00:61Z',
    '2026-11-21T12:00:00+24:00',
    '2026-11-21T12:00:00+01:60',
    '+002026-11-21T12:00:00Z',
    '2026-11-21T12:00:00Z 2026-11-21T12:00:00Z',
  ])('%j is none, and ends nothing', (text) => {
    const revocations = parsed({ _all: text });
    expect(revocations).toMatchObject({ everyone: undefined, malformedCount: 1 });
    expect(revocations.malformed).toEqual([{ key: '_all', problem: 'timeMalformed' }]);
    expect(isRevoked(revocations, at(0))).toBe(false);
  });
});

test('a time of 200,000 characters is none, at once', () => {
  for (const text of ['2026-11-21T12:00:00Z'.repeat(10_000), `2026-11-21T12:00:00.${'1'.repeat(200_000)}Z`]) {
    expect(parsed({ _all: text }).malformedCount).toBe(1);
    expect(quietMsOf(() => void parsed({ _all: text }))).toBeLessThan(100);
  }
});

describe('a key', () => {
  test('that is neither a hash nor _all ends nothing, and is never logged: it may be an email', () => {
    for (const key of [KATE, '_ALL', 'all', hashOf(KATE).slice(1), `${hashOf(KATE)}0`, '__proto__', '']) {
      const revocations = parseRevocations([[key, NOON_TEXT]]);
      expect([key, revocations.malformed]).toEqual([key, [{ key: undefined, problem: 'keyMalformed' }]]);
      expect(revocations.byEmail.size).toBe(0);
    }
  });

  test('in capitals is the same hash; of two times the later counts', () => {
    const [lower, upper] = [hashOf(KATE), hashOf(KATE).toUpperCase()];
    const entries: [string, string][] = [
      [upper, NOON_TEXT],
      [lower, '2020-01-01T00:00:00Z'],
    ];
    for (const order of [entries, entries.toReversed()]) {
      expect(isRevoked(parseRevocations(order), at(NOON - 1_000))).toBe(true);
    }
  });

  test('of which there are too many ends nothing; good ones beside malformed ones do', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => [hashOf(String(index)), NOON_TEXT] as const);
    const revocations = parseRevocations([['malformed', ''], ['_all', 'soon'], ...many]);
    expect(revocations.byEmail.size).toBe(16_384);
    expect(revocations.malformedCount).toBe(2 + 20_000 - 16_384);
    expect(revocations.malformed).toHaveLength(20);
    expect(isRevoked(revocations, at(0, '0'))).toBe(true);
  });
});
