import { describe, expect, test } from 'vitest';
import { describeClaims, examineClaims } from '../../../src/auth/doctor/claim-checks.ts';
import { type CheckResult, reportLines } from '../../../src/auth/doctor/check-result.ts';
import { createLoginRecord } from '../../../src/auth/doctor/trial-login.ts';
import { isLoopbackAddress } from '../../../src/auth/doctor/loopback.ts';
import { trialRedirectUri } from '../../../src/auth/doctor/trial-login.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { spelledOut } from '../../../src/contract/printable.ts';

const ENVIRONMENT = { OIDC_ISSUER: 'https://provider.example', OIDC_CLIENT_ID: 'client' };

function oidcOf(environment: Readonly<Record<string, string>> = {}) {
  const { oidc } = readSettings({ ...ENVIRONMENT, ...environment }).auth;
  if (oidc === undefined) throw new Error('the settings should have a provider');
  return oidc;
}

const textOf = (results: readonly CheckResult[], step: string) => {
  const found = results.find((result) => result.step === step);
  return found === undefined ? undefined : `${found.verdict}: ${found.text}`;
};

describe('claims', () => {
  test('are described by name, type and count', () => {
    const idToken = {
      sub: 'c4n4ry',
      blank: '  ',
      exp: 4711,
      email_verified: false,
      nothing: null,
      groups: ['c4n4ry', 'c4n4ry2'],
      mixed: ['c4n4ry', 1],
      numbers: [4711],
      none: [],
      address: { c4n4ry: 'c4n4ry', b: 2 },
    };
    const lines = describeClaims({ idToken }, oidcOf()).map(({ text }) => text);
    expect(lines).toEqual([
      'sub: text',
      'blank: blank text',
      'exp: number',
      'email_verified: true or false',
      'nothing: null',
      'groups: list of 2, all texts',
      'mixed: list of 2, not all texts',
      'numbers: list of 1, no texts',
      'none: list of 0, all texts',
      'address: object with 2 members',
    ]);
    expect(lines.join()).not.toMatch(/c4n4ry|4711/);
  });

  test('within objects are described where the settings name them', () => {
    const userInfo = { realm_access: { roles: ['c4n4ry'] }, resource_access: { app: { roles: ['a', 'b'] } } };
    const oidc = oidcOf({ OIDC_GROUPS_CLAIM: 'resource_access.app.roles' });
    const lines = describeClaims({ idToken: {}, userInfo }, oidc).map(({ step, text }) => `${step} ${text}`);
    expect(lines).toEqual([
      'UserInfo realm_access: object with 1 member',
      'UserInfo resource_access: object with 1 member',
      'UserInfo resource_access.app.roles: list of 2, all texts',
      'UserInfo realm_access.roles: list of 1, all texts',
    ]);
  });

  test('with hostile names neither steer the terminal nor flood it', () => {
    const names = Array.from({ length: 1_000 }, (_, index) => [`claim${index}`, 1] as const);
    const idToken = { '\u001b[2Jred\n': 1, ['x'.repeat(5_000)]: 1, ...Object.fromEntries(names) };
    const lines = reportLines(describeClaims({ idToken }, oidcOf()));
    expect(lines.length).toBeLessThan(110);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(250);
    expect(lines).toEqual(lines.map(spelledOut));
    expect(lines).toContainEqual(expect.stringContaining('and 902 more'));
  });
});

describe('what the service makes of claims', () => {
  const idToken = { sub: 's', email: 'c4n4ry@example.com', email_verified: true, groups: ['c4n4ry', 'b'] };

  test('is said without values', () => {
    const results = examineClaims({ idToken }, oidcOf(), 2);
    expect(textOf(results, 'email')).toBe('ok: the service takes email, from the ID token');
    expect(textOf(results, 'email_verified')).toBe('ok: says that the email is verified');
    expect(textOf(results, 'groups')).toBe('ok: 2 from groups, from the ID token');
    expect(JSON.stringify(results)).not.toContain('c4n4ry');
  });

  test('goes by UserInfo where that has the claim, and by a text that counts as one group', () => {
    const userInfo = { sub: 's', email: 'a@example.com', roles: 'c4n4ry' };
    const results = examineClaims({ idToken: { ...idToken, groups: [] }, userInfo }, oidcOf(), 1);
    expect(textOf(results, 'email')).toContain('from UserInfo');
    expect(textOf(results, 'email_verified')).toMatch(/^note: absent/);
    expect(textOf(results, 'groups')).toBe('ok: 1 from roles, from UserInfo');
  });

  test('says how many groups the filter keeps', () => {
    expect(textOf(examineClaims({ idToken }, oidcOf(), 1), 'groups')).toContain(
      'SERVICE_GROUPS_FILTER keeps 1',
    );
  });

  test('says why a flag that is not true does not refuse the login', () => {
    const claims = { idToken: { ...idToken, email_verified: false, preferred_username: 'c' } };
    const allowed = examineClaims(claims, oidcOf({ OIDC_ALLOW_UNVERIFIED_EMAIL: 'true' }), 2);
    expect(textOf(allowed, 'email_verified')).toContain('OIDC_ALLOW_UNVERIFIED_EMAIL');
    const other = examineClaims(claims, oidcOf({ OIDC_USERNAME_CLAIM: 'preferred_username' }), 2);
    expect(textOf(other, 'email_verified')).toContain('not looked at');
  });
});

describe('the record of a login', () => {
  test('shows what the log line of a failure has, the HTTP status as such, and no actor', () => {
    const record = createLoginRecord();
    const { logger } = record;
    logger.info('signed in', { actor: 'c4n4ry' });
    logger
      .with({ requestId: 'c4n4ry' })
      .warn('userinfo failed', { code: 'timeout', hint: 'Wait.', status: 504 });
    logger.warn('login failed', {
      code: 'provider_refused',
      hint: 'Try.',
      idpError: 'invalid_grant',
      actor: 'c4n4ry',
    });
    expect(record.failure('login')).toEqual({
      step: 'login',
      verdict: 'fix',
      text: '(provider_refused, invalid_grant) Try.',
    });
    expect(record.warnings('UserInfo')).toEqual([
      { step: 'UserInfo', verdict: 'fix', text: '(timeout, HTTP 504) Wait.' },
    ]);
  });

  test('has a failure where no line was written', () => {
    expect(createLoginRecord().failure('login')).toMatchObject({ verdict: 'fix' });
  });
});

describe('the redirect URI of --login', () => {
  test.each(['http://localhost:3000/api/auth/callback', 'http://127.0.0.1/x', 'http://[::1]:8400/'])(
    'may be %s',
    (address) => {
      expect(isLoopbackAddress(address)).toBe(true);
      expect(trialRedirectUri(readSettings({ ...ENVIRONMENT, OIDC_REDIRECT_URI: address }))).toBe(address);
    },
  );

  test.each([
    'https://localhost:8400/',
    'http://localhost.example/',
    'http://user@localhost/',
    'http://localhost:8400/?a',
    'http://localhost:8400/#a',
    'http://localhost:0/',
    'ftp://localhost/',
    'c4n4ry',
  ])('may not be %s', (address) => {
    expect(isLoopbackAddress(address)).toBe(false);
  });

  test("is the doctor's own where the service has a public one", () => {
    const environment = { ...ENVIRONMENT, NEXT_PUBLIC_APP_URL: 'https://secrets.example.com' };
    expect(trialRedirectUri(readSettings(environment))).toBe('http://localhost:8400/api/auth/callback');
  });
});
