import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { isRevoked, NO_REVOCATIONS, parseRevocations } from '../../../../src/auth/session/revocations.ts';
import { createTerminalSignIn } from '../../../../src/auth/session/terminal.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 21, 12);
const VERIFIER = 'v'.repeat(43);
const USER = { sub: 's', email: 'kate@example.com', name: 'Kate', groups: [] };
/** Of a sign-in seven hours ago. */
const SESSION = { user: USER, sessionId: 'id', issuedMs: NOW - 7 * HOUR, expiresMs: NOW + HOUR, keyIndex: 0 };

let revocations = NO_REVOCATIONS;
const terminal = createTerminalSignIn({
  sessionSecret: '0123456789abcdef0123456789abcdef',
  publicUrl: 'https://service.example.com',
  isRevoked: (session) => isRevoked(revocations, session),
  now: () => NOW,
});

async function redeem(session = SESSION) {
  const sealed = await terminal.seal(session, hash('sha256', VERIFIER, 'base64url'));
  return terminal.redeem('code' in sealed ? sealed.code : '', VERIFIER);
}

test.each([
  ['eight hours', SESSION.expiresMs],
  ['a week', NOW + 168 * HOUR],
])('a terminal’s token ends eight hours after the sign-in of its session of %s', async (_what, expiresMs) => {
  expect((await redeem({ ...SESSION, expiresMs }))?.expiresInSeconds).toBe(3_600);
});

test('a terminal’s token ends with a revocation between the sign-in and the code', async () => {
  const { token = '' } = (await redeem()) ?? {};
  expect((await terminal.authenticate(token))?.user).toEqual(USER);
  revocations = parseRevocations([['_all', new Date(NOW - HOUR).toISOString()]]);
  expect(await terminal.authenticate(token)).toBeUndefined();
  expect(await redeem()).toBeUndefined();
});
