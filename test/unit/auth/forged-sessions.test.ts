import { describe, expect, test } from 'vitest';
import { parseCookies } from '../../../src/auth/session/cookies.ts';
import { createSessions } from '../../../src/auth/session/sessions.ts';
import { forgeSession, honestSession, readForgedSessions } from '../../hostile-idp/forge-session.ts';

const SECRET = 'key-of-this-test-b7b0f3c09d1c4c55a7c1';
const sessions = createSessions({ sessionSecret: SECRET, now: Date.now, secureCookies: false });

describe('forged sessions', () => {
  const forged = readForgedSessions();

  test('are at least 60, and the session they are made from is valid', async () => {
    expect(forged.length).toBeGreaterThanOrEqual(60);
    expect(await sessions.read(parseCookies(honestSession(SECRET)))).toMatchObject({ sub: 'forger' });
  });

  test.each(forged)('unauthenticated: $name', async (recipe) => {
    expect(await sessions.read(parseCookies(forgeSession(recipe, SECRET)))).toBeUndefined();
  });
});
