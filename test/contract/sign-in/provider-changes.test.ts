import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { driveLogin } from '../../hostile-idp/drive-login.ts';
import type { HostileCase } from '../../hostile-idp/hostile-case.ts';
import { startHostileIdp, type HostileIdp } from '../../hostile-idp/start-hostile-idp.ts';
import { startServiceFixture, type ComposedService, type Fixture } from './composed-service.ts';

type Behaviour = Omit<HostileCase, 'name' | 'expect'>;

const ES256: Behaviour = {
  discovery: { set: { id_token_signing_alg_values_supported: ['ES256'] } },
  idToken: { sign: 'ec' },
  jwks: { publish: [{ key: 'ec' }] },
};

/** What the provider does from the second login on; the service runs on. */
const CHANGES: readonly (readonly [name: string, now: Behaviour])[] = [
  ['moves from RS256 to ES256', ES256],
  ['rotates its key', { idToken: { sign: 'next' }, jwks: { publish: [{ key: 'next' }] } }],
  [
    'makes another key of the same name',
    {
      idToken: { sign: 'next', header: { set: { kid: 'own' } } },
      jwks: { publish: [{ key: 'next', set: { kid: 'own' } }] },
    },
  ],
  [
    'rotates its key while discovery is down',
    { discovery: { status: 503 }, idToken: { sign: 'next' }, jwks: { publish: [{ key: 'next' }] } },
  ],
  [
    'moves its keys to another address',
    {
      discovery: { set: { jwks_uri: '{issuer}/moved/jwks' } },
      idToken: { sign: 'next' },
      jwks: { publish: [{ key: 'next' }] },
    },
  ],
  [
    'signs UserInfo with a new key',
    {
      discovery: { set: { userinfo_signing_alg_values_supported: ['ES256'] } },
      userinfo: { jwt: { sign: 'ec' } },
      jwks: { publish: [{ key: 'own' }, { key: 'ec' }] },
    },
  ],
];
const REFUSED: readonly (readonly [name: string, now: Behaviour, code: string])[] = [
  ['signs with a key that it does not publish', { idToken: { sign: 'foreign' } }, 'signature_invalid'],
  [
    'moves to ES256 with another issuer in the document',
    {
      ...ES256,
      discovery: {
        set: { issuer: 'https://evil.example', id_token_signing_alg_values_supported: ['ES256'] },
      },
    },
    'algorithm_refused',
  ],
  [
    'moves to ES256 with a document that names a plain http address',
    {
      ...ES256,
      discovery: {
        set: { jwks_uri: 'http://evil.example/jwks', id_token_signing_alg_values_supported: ['ES256'] },
      },
    },
    'algorithm_refused',
  ],
];

const caseNamed = (name: string): HostileCase => ({ name: `provider ${name}`, expect: { at: 'home' } });
const HMAC = caseNamed('moves to HS256');
const MOVED = caseNamed('moves its endpoints');
const FLOODED = caseNamed('sends many tokens that do not fit');
let idp: HostileIdp;
let fixture: Fixture;
beforeAll(async () => {
  const cases = [...CHANGES, ...REFUSED].map(([name]) => caseNamed(name));
  [idp, fixture] = await Promise.all([
    startHostileIdp([...cases, HMAC, MOVED, FLOODED]),
    startServiceFixture(),
  ]);
});
afterAll(async () => {
  await fixture.close();
  await idp.close();
});

function start(hostile: HostileCase): Promise<ComposedService> {
  return fixture.start({
    OIDC_ISSUER: idp.issuerOf(hostile),
    OIDC_CLIENT_ID: 'hostile-client',
    OIDC_ALLOW_HTTP: 'true',
  });
}

const lastLine = (service: ComposedService, event: string) =>
  service.logLines().findLast((line) => line['event'] === event);

describe('a provider that changes while the service runs', () => {
  test.each(CHANGES)('%s: people sign in without a restart', async (name, now) => {
    const hostile = caseNamed(name);
    const service = await start(hostile);
    expect((await driveLogin(service.url, hostile)).at).toBe('home');
    idp.change(hostile, now);
    // The first login after the change, too: its code is redeemed once, and its token judged again.
    expect((await driveLogin(service.url, hostile)).at).toBe('home');
    expect((await driveLogin(service.url, hostile)).at).toBe('home');
    expect(idp.requestsOf(hostile).get('token')).toBe(3);
    expect(idp.requestsOf(hostile).get('openid-configuration')).toBe(2);
    expect(lastLine(service, 'userinfo failed')).toBeUndefined();
    expect(service.log()).not.toContain(idp.canary);
  });

  test.each(REFUSED)('%s: no one signs in, and the provider stays as it was', async (name, now, code) => {
    const hostile = caseNamed(name);
    const service = await start(hostile);
    expect((await driveLogin(service.url, hostile)).at).toBe('home');
    idp.change(hostile, now);
    expect((await driveLogin(service.url, hostile)).at).toBe('callback');
    expect(lastLine(service, 'login failed')).toMatchObject({ code });
    expect(idp.requestsOf(hostile).get('token')).toBe(2);
    expect(service.log()).not.toContain('evil.example');
    idp.change(hostile, {});
    expect((await driveLogin(service.url, hostile)).at).toBe('home');
  });

  test('signs no one in with HS256, whatever its document says', async () => {
    const service = await start(HMAC);
    expect((await driveLogin(service.url, HMAC)).at).toBe('home');
    idp.change(HMAC, {
      discovery: { set: { id_token_signing_alg_values_supported: ['HS256'] } },
      idToken: { sign: 'publicKeyAsSecret' },
    });
    expect((await driveLogin(service.url, HMAC)).at).toBe('callback');
    expect(lastLine(service, 'login failed')).toMatchObject({ code: 'algorithm_refused', stage: 'token' });
  });

  test('keeps its endpoints until a restart, which the log calls for', async () => {
    const service = await start(MOVED);
    expect((await driveLogin(service.url, MOVED)).at).toBe('home');
    idp.change(MOVED, {
      ...ES256,
      discovery: {
        set: { token_endpoint: '{issuer}/stolen', id_token_signing_alg_values_supported: ['ES256'] },
      },
    });
    expect((await driveLogin(service.url, MOVED)).at).toBe('home');
    expect((await driveLogin(service.url, MOVED)).at).toBe('home');
    expect(idp.requestsOf(MOVED).get('stolen')).toBeUndefined();
    expect(lastLine(service, 'provider changed its endpoints')).toMatchObject({ level: 'warn' });
  });

  test('gets one more request, however many tokens come that do not fit', async () => {
    const service = await start(FLOODED);
    expect((await driveLogin(service.url, FLOODED)).at).toBe('home');
    idp.change(FLOODED, { idToken: { sign: 'foreign' } });
    const ends = await Promise.all(Array.from({ length: 20 }, () => driveLogin(service.url, FLOODED)));
    expect(new Set(ends.map(({ at }) => at))).toEqual(new Set(['callback']));
    const requests = idp.requestsOf(FLOODED);
    expect(requests.get('token')).toBe(21);
    expect(requests.get('openid-configuration')).toBe(2);
  });
});
