import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCookies } from '../../../src/auth/session/cookies.ts';
import { createSessions } from '../../../src/auth/session/sessions.ts';
import { createTerminalSignIn } from '../../../src/auth/session/terminal.ts';
import { ADMIN, DEVELOPER_A, person, sessionCookie } from '../../harness/api-client.ts';
import { CHALLENGE, redeemCode, VERIFIER } from '../../harness/terminal-token.ts';
import { TEST_SESSION_SECRET } from '../../harness/service-process.ts';
import { startServiceFixture, type ComposedService, type Fixture } from './composed-service.ts';

const FORM = 'application/x-www-form-urlencoded';

let fixture: Fixture;
/** Two replicas of one service, and one of another with the same key. */
let service: ComposedService;
let replica: ComposedService;
let elsewhere: ComposedService;
beforeAll(async () => {
  fixture = await startServiceFixture();
  service = await fixture.start();
  replica = await fixture.start({ NEXT_PUBLIC_APP_URL: service.url });
  elsewhere = await fixture.start();
});
afterAll(() => fixture.close());

function requestCode(query: string, headers: Readonly<Record<string, string>> = {}) {
  return fetch(`${service.url}/api/auth/code?${query}`, { method: 'POST', headers });
}

function post(path: string, form: string, headers: Readonly<Record<string, string>> = {}, at = service) {
  return fetch(`${at.url}${path}`, {
    method: 'POST',
    body: form,
    headers: { 'content-type': FORM, ...headers },
  });
}

async function codeFor(user = DEVELOPER_A, options = {}): Promise<string> {
  const cookie = await sessionCookie(user, TEST_SESSION_SECRET, options);
  const response = await requestCode(`code_challenge=${CHALLENGE}`, { cookie });
  expect(response.status).toBe(200);
  const { code, expiresIn } = (await response.json()) as { code: string; expiresIn: number };
  expect(expiresIn).toBe(60);
  return code;
}

const redeem = (code: string, verifier = VERIFIER, at = service) => redeemCode(at.url, code, verifier);

async function tokenFor(user = DEVELOPER_A, options = {}): Promise<string> {
  const response = await redeem(await codeFor(user, options));
  expect(response.status).toBe(200);
  return ((await response.json()) as { access_token: string }).access_token;
}

function me(token: string, at = service, headers: Readonly<Record<string, string>> = {}) {
  return fetch(`${at.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}`, ...headers } });
}

const auditLines = (at = service) => at.logLines().filter(({ event }) => event === 'audit');

describe('POST /api/auth/code', () => {
  it('requires a session, before the challenge is looked at', async () => {
    expect((await requestCode('code_challenge=short')).status).toBe(401);
  });

  it('accepts one S256 challenge', async () => {
    const cookie = await sessionCookie(DEVELOPER_A);
    for (const form of ['', 'code_challenge=', 'code_challenge=short', `code_challenge=${CHALLENGE}=`]) {
      expect([form, (await requestCode(form, { cookie })).status]).toEqual([form, 400]);
    }
    const twice = `code_challenge=${CHALLENGE}&code_challenge=${CHALLENGE}`;
    expect((await requestCode(twice, { cookie })).status).toBe(400);
  });

  it('is refused to another site', async () => {
    const cookie = await sessionCookie(DEVELOPER_A);
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const form = `code_challenge=${CHALLENGE}`;
      expect((await requestCode(form, { cookie, ...headers })).status).toBe(403);
    }
  });

  it('refuses someone whose groups do not fit a token, before there is a code', async () => {
    const groups = Array.from({ length: 200 }, (_, index) => `department-of-long-names-${index}`);
    const cookie = await sessionCookie(person('many@example.com', groups));
    const response = await requestCode(`code_challenge=${CHALLENGE}`, { cookie });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ error: 'You are in too many groups for a token' });
  });

  it('is not for a bearer token', async () => {
    const authorization = `Bearer ${await tokenFor()}`;
    expect((await requestCode(`code_challenge=${CHALLENGE}`, { authorization })).status).toBe(401);
  });
});

describe('POST /api/auth/token', () => {
  it('gives a bearer token that ends with the session, whichever replica redeems the code', async () => {
    const code = await codeFor(DEVELOPER_A, { lifetimeMs: 600_000 });
    const response = await redeem(code, VERIFIER, replica);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const answer = (await response.json()) as Record<string, unknown>;
    expect(Object.keys(answer)).toEqual(['access_token', 'token_type', 'expires_in']);
    expect(answer['token_type']).toBe('Bearer');
    expect(answer['expires_in']).toBeGreaterThan(590);
    expect(answer['expires_in']).toBeLessThanOrEqual(600);
    expect(await (await me(String(answer['access_token']))).json()).toEqual({ user: DEVELOPER_A });
  });

  it('holds a session that claims a longer life to 8 hours from its sign-in', async () => {
    const response = await redeem(await codeFor(DEVELOPER_A, { lifetimeMs: 100 * 3_600_000 }));
    const { expires_in: expiresIn } = (await response.json()) as { expires_in: number };
    expect(expiresIn).toBeLessThanOrEqual(8 * 3_600);
  });

  it('answers as RFC 6749 says', async () => {
    const code = await codeFor();
    const grant = 'grant_type=authorization_code';
    const verifier = `code_verifier=${VERIFIER}`;
    for (const [form, error] of [
      ['', 'invalid_request'],
      [`${grant}&code=${code}`, 'invalid_request'],
      [`${grant}&${verifier}`, 'invalid_request'],
      [`code=${code}&${verifier}`, 'invalid_request'],
      [`${grant}&code=${code}&code=${code}&${verifier}`, 'invalid_request'],
      [`${grant}&${grant}&code=${code}&${verifier}`, 'invalid_request'],
      [`grant_type=password&code=${code}&${verifier}`, 'unsupported_grant_type'],
      ['grant_type=password&username=x&password=x', 'unsupported_grant_type'],
      ['grant_type=&code=x', 'invalid_request'],
      ['grant_type=password&grant_type=password', 'invalid_request'],
      [`${grant}&code=x&${verifier}`, 'invalid_grant'],
      [`${grant}&code=${code}&code_verifier=${'w'.repeat(43)}`, 'invalid_grant'],
      [`${grant}&code=${code}&code_verifier=${'v'.repeat(42)}`, 'invalid_grant'],
      [`${grant}&code=${code}&code_verifier=${CHALLENGE}`, 'invalid_grant'],
    ] as const) {
      const response = await post('/api/auth/token', form);
      expect([form, response.status]).toEqual([form, 400]);
      const answer = (await response.json()) as { error: string; error_description: string };
      expect([form, answer.error]).toEqual([form, error]);
      expect(JSON.stringify(answer)).not.toContain(code);
    }
    expect((await post('/api/auth/token', '{}', { 'content-type': 'application/json' })).status).toBe(415);
    expect((await post('/api/auth/token', 'x'.repeat(16_385))).status).toBe(413);
    expect((await redeem(code)).status).toBe(200);
  });

  it('refuses a changed code, one that has expired, one of another service, and what is no code', async () => {
    const code = await codeFor();
    const parts = code.split('.');
    const tag = parts[4] ?? '';
    const changed = [...parts.slice(0, 4), `${tag.startsWith('A') ? 'B' : 'A'}${tag.slice(1)}`].join('.');
    const old = createTerminalSignIn({ ...OPTIONS, now: () => Date.now() - 61_000 });
    const session = {
      user: DEVELOPER_A,
      sessionId: 's',
      issuedMs: Date.now() - 90_000,
      expiresMs: Date.now() + 9e6,
    };
    const expired = await old.seal(session, CHALLENGE);
    const cases = [
      changed,
      expired.kind === 'sealed' ? expired.code : '',
      await tokenFor(),
      'a'.repeat(12_289),
    ];
    for (const one of cases) expect((await redeem(one)).status).toBe(400);
    expect((await redeem(code, VERIFIER, elsewhere)).status).toBe(400);
  });

  it('is audited, with nothing of the code or the token', async () => {
    const code = await codeFor(ADMIN);
    const token = ((await (await redeem(code)).json()) as { access_token: string }).access_token;
    await redeem(code, 'w'.repeat(43));
    const lines = auditLines();
    const signedIn = lines.filter(({ via, actor }) => via === 'terminal' && actor === ADMIN.email);
    expect(signedIn).toMatchObject([{ action: 'session.signIn', outcome: 'succeeded' }]);
    expect(lines.at(-1)).toMatchObject({ action: 'session.signInFailed', code: 'invalid_grant' });
    for (const text of [code, token, VERIFIER, CHALLENGE]) expect(service.log()).not.toContain(text);
  });
});

const OPTIONS = {
  sessionSecret: TEST_SESSION_SECRET,
  previousSessionSecret: undefined,
  isRevoked: undefined,
  get publicUrl() {
    return service.url;
  },
};

describe('a token of a terminal', () => {
  it('counts as its person, with their groups, and no cookie is looked at', async () => {
    const authorization = `Bearer ${await tokenFor(ADMIN)}`;
    const cookie = await sessionCookie(DEVELOPER_A);
    const access = await fetch(`${service.url}/api/access`, { headers: { authorization, cookie } });
    expect(await access.json()).toMatchObject({ admin: true });
    const invalid = await fetch(`${service.url}/api/access`, {
      headers: { authorization: `${authorization}x`, cookie },
    });
    expect(invalid.status).toBe(401);
    expect(invalid.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(await invalid.json()).toEqual({ error: 'The bearer token is not accepted' });
  });

  it('may write from anywhere, and the audit line says that it was a terminal', async () => {
    const authorization = `Bearer ${await tokenFor(ADMIN)}`;
    const response = await fetch(`${service.url}/api/namespaces/default/secrets`, {
      method: 'POST',
      headers: { authorization, origin: 'https://elsewhere.example', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'from-a-terminal', data: { key: 'value' } }),
    });
    expect(response.status).toBe(201);
    const line = auditLines().find(({ name }) => name === 'from-a-terminal');
    expect(line).toMatchObject({ actor: ADMIN.email, via: 'terminal', action: 'secret.create' });
    expect(line).toHaveProperty('session');
  });

  it('is no cookie, and a cookie is no token', async () => {
    const token = await tokenFor();
    const asCookie = await fetch(`${service.url}/api/auth/me`, {
      headers: { cookie: `service_session=${token}` },
    });
    expect(asCookie.status).toBe(401);
    const session = (await sessionCookie(DEVELOPER_A)).replace(/^[^=]*=/, '');
    expect((await me(session)).status).toBe(401);
    // With the header of a terminal's token, and with the key of cookies.
    const claims = ['service', `terminal:${service.url}`] as const;
    expect((await me(await forged({ typ: 'at+jwt' }, claims))).status).toBe(401);
  });

  it('is refused by a service of another address with the same key', async () => {
    const token = await tokenFor();
    expect((await me(token)).status).toBe(200);
    expect((await me(token, elsewhere)).status).toBe(401);
  });

  it('ends with the key that signed the session, be it a former one', async () => {
    const [former, present] = ['former', 'present'].map((name) => `${name}-key-0123456789-abcdefghijklmnopq`);
    const rotating = { ...OPTIONS, sessionSecret: present, previousSessionSecret: former };
    const sessions = createSessions({ ...rotating, now: Date.now, secureCookies: false });
    const both = createTerminalSignIn(rotating);
    const alone = createTerminalSignIn({ ...rotating, previousSessionSecret: undefined });
    for (const [secret, isKept] of [
      [former, false],
      [present, true],
    ] as const) {
      const cookie = parseCookies(await sessionCookie(DEVELOPER_A, secret));
      const sealed = await both.seal(await sessions.identify(cookie), CHALLENGE);
      const redeemed = await both.redeem(sealed.kind === 'sealed' ? sealed.code : '', VERIFIER);
      expect((await both.authenticate(redeemed?.token ?? ''))?.user.email).toBe(DEVELOPER_A.email);
      expect((await alone.authenticate(redeemed?.token ?? '')) !== undefined).toBe(isKept);
    }
  });

  it('is refused when it has expired, when it is too long, and with another algorithm', async () => {
    const issuedMs = Date.now() - 9 * 3_600_000;
    const soon = createTerminalSignIn({ ...OPTIONS, now: () => issuedMs });
    const sealed = await soon.seal(
      { user: DEVELOPER_A, sessionId: 's', issuedMs, expiresMs: issuedMs + 3_600_000 },
      CHALLENGE,
    );
    const redeemed = await soon.redeem(sealed.kind === 'sealed' ? sealed.code : '', VERIFIER);
    expect(redeemed?.token).toBeDefined();
    const token = await tokenFor();
    const [header = '', payload = '', signature = ''] = token.split('.');
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    const cases = [
      redeemed?.token ?? '',
      `${header}.${payload}${'A'.repeat(8_192)}.${signature}`,
      `${none}.${payload}.`,
      `${header}.${payload}.`,
      `${header}.`,
    ];
    for (const one of cases) expect((await me(one)).status).toBe(401);
  });
});

/** As the service signs, with the key of cookies. */
function forged({ typ }: { readonly typ: string }, [issuer, audience]: readonly [string, string]) {
  return new SignJWT({ email: ADMIN.email, name: ADMIN.name, groups: [...ADMIN.groups] })
    .setProtectedHeader({ alg: 'HS256', typ })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(ADMIN.sub)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(TEST_SESSION_SECRET));
}

describe('with sign-in disabled', () => {
  it('there are no tokens', async () => {
    const open = await fixture.start({ AUTH_DISABLED: 'true' });
    for (const path of ['/api/auth/code', '/api/auth/token']) {
      const response = await post(path, `code_challenge=${CHALLENGE}`, {}, open);
      expect(response.status).toBe(501);
      expect(await response.json()).toEqual({ error: 'Sign-in is disabled: commands need no token' });
    }
  });
});
