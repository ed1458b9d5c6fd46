import { describe, expect, test } from 'vitest';
import { createAuthentication, mockAdmin } from '../../../../src/auth/authentication.ts';
import type { Fetch } from '../../../../src/auth/login/provider-requests.ts';
import { readSettings } from '../../../../src/config/settings.ts';
import { signSessionToken } from '../../../../src/auth/session/session-token.ts';
import { isServiceError, ServiceError } from '../../../../src/errors/service-error.ts';
import { createLogger } from '../../../../src/observability/logger.ts';

const ISSUER = 'https://issuer-of-this-test.example';
const CONFIGURED = {
  OIDC_ISSUER: ISSUER,
  OIDC_CLIENT_ID: 'client',
  SESSION_SECRET: '0123456789abcdef0123456789abcdef',
  NEXT_PUBLIC_APP_URL: 'https://secrets.example/base',
};

const DOCUMENT = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize?tenant=1`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/jwks`,
};

const answers = (document: unknown): Response =>
  new Response(JSON.stringify(document), { headers: { 'content-type': 'application/json' } });

interface Tried {
  readonly authentication: ReturnType<typeof createAuthentication>;
  readonly requested: string[];
  readonly log: string[];
}

function arrange(environment: Readonly<Record<string, string>>, fetch: Fetch): Tried {
  const requested: string[] = [];
  const log: string[] = [];
  const authentication = createAuthentication({
    settings: readSettings(environment),
    logger: createLogger('trace', { write: (line: string) => void log.push(line) }),
    now: Date.now,
    fetch: (url, init) => {
      requested.push(url as string);
      return fetch(url, init);
    },
  });
  return { authentication, requested, log };
}

async function refusalOf(promise: Promise<unknown>) {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isServiceError(error)) throw new TypeError('expected a ServiceError', { cause: error });
  return { code: error.code, text: error.message };
}

describe('beginning a login', () => {
  test('goes to the authorization endpoint with PKCE S256, nonce and state, and sets three cookies', async () => {
    const { authentication } = arrange(CONFIGURED, () => Promise.resolve(answers(DOCUMENT)));
    const { redirectTo, setCookies } = await authentication.begin();
    const { origin, pathname, searchParams } = new URL(redirectTo);
    expect(`${origin}${pathname}`).toBe(`${ISSUER}/authorize`);
    expect(Object.fromEntries(searchParams)).toEqual({
      tenant: '1',
      response_type: 'code',
      client_id: 'client',
      scope: 'openid profile email groups',
      redirect_uri: 'https://secrets.example/base/api/auth/callback',
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
    });
    const cookie =
      /^service_login_(state|nonce|verifier)=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/;
    expect(setCookies).toEqual([1, 2, 3].map(() => expect.stringMatching(cookie) as string));
    expect(setCookies.join()).toContain(searchParams.get('state'));
  });

  test('takes new values for every login', async () => {
    const { authentication } = arrange(CONFIGURED, () => Promise.resolve(answers(DOCUMENT)));
    const values = await Promise.all([1, 2, 3].map(async () => (await authentication.begin()).setCookies));
    expect(new Set(values.flat()).size).toBe(9);
  });

  test('sets Secure cookies in production, which no sibling host can plant', async () => {
    const environment = { ...CONFIGURED, NODE_ENV: 'production' };
    const { authentication } = arrange(environment, () => Promise.resolve(answers(DOCUMENT)));
    const { setCookies } = await authentication.begin();
    for (const cookie of setCookies) {
      expect(cookie).toMatch(
        /^__Host-service_login_(state|nonce|verifier)=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      );
    }
  });

  test.each([
    ['no issuer', { OIDC_ISSUER: '' }],
    ['no client', { OIDC_CLIENT_ID: '' }],
  ])('is notConfigured with %s, and sends no request', async (_case, change) => {
    const { authentication, requested } = arrange({ ...CONFIGURED, ...change }, () =>
      Promise.reject(new Error()),
    );
    expect(await refusalOf(authentication.begin())).toEqual({
      code: 'notConfigured',
      text: 'Sign-in is not configured. Set OIDC_ISSUER and OIDC_CLIENT_ID.',
    });
    expect(requested).toEqual([]);
  });

  test.each([undefined, 'too short', ' '.repeat(50), 'dev-secret-change-me-in-production'])(
    'is providerUnavailable with the signing key %j, names the setting only, and sends no request',
    async (key) => {
      const environment = { ...CONFIGURED, SESSION_SECRET: key ?? '' };
      const { authentication, requested, log } = arrange(environment, () => Promise.reject(new Error()));
      const refusal = await refusalOf(authentication.begin());
      expect(refusal.code).toBe('providerUnavailable');
      expect(refusal.text).toContain('(invalid_signing_key)');
      expect(refusal.text).toContain('SESSION_SECRET');
      if (key !== undefined) expect(`${refusal.text}${log.join('')}`).not.toContain(key);
      expect(requested).toEqual([]);
    },
  );

  test.each(['ECONNREFUSED', 'ENOTFOUND', 'CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN'])(
    'names the system code %s with a hint, and neither the issuer nor the message',
    async (code) => {
      const cause = Object.assign(new Error(`${code} ${ISSUER} 10.1.2.3`), { code });
      const failure = new TypeError('fetch failed', { cause });
      const { authentication, log } = arrange(CONFIGURED, () => Promise.reject(failure));
      const { text } = await refusalOf(authentication.begin());
      expect(text).toMatch(new RegExp(`^The identity provider is unavailable \\(${code}\\)\\. .{20,}$`));
      expect(JSON.parse(log[0] ?? '')).toMatchObject({ code: 'provider_unreachable', systemCode: code });
      expect(`${text}${log.join('')}`).not.toMatch(/issuer-of-this-test|10\.1\.2\.3|fetch failed/);
    },
  );

  test('says nothing of a system code that is not on the list', async () => {
    const cause = Object.assign(new Error(), { code: 'ESOMETHINGELSE' });
    const { authentication, log } = arrange(CONFIGURED, () => Promise.reject(new TypeError('x', { cause })));
    const { text } = await refusalOf(authentication.begin());
    expect(text).toContain('(provider_unreachable)');
    expect(`${text}${log.join('')}`).not.toContain('ESOMETHINGELSE');
  });
});

describe('discovery', () => {
  test('sends its request below the issuer, once per process, also for logins at the same time', async () => {
    const { authentication, requested } = arrange(CONFIGURED, () => Promise.resolve(answers(DOCUMENT)));
    await Promise.all([authentication.begin(), authentication.begin()]);
    await authentication.begin();
    expect(requested).toEqual([`${ISSUER}/.well-known/openid-configuration`]);
  });

  test('compares the issuer to the letter, where a URL parser would see no difference', async () => {
    for (const issuer of [`${ISSUER}/`, ISSUER.toUpperCase(), `${ISSUER}:443`]) {
      const { authentication } = arrange(CONFIGURED, () => Promise.resolve(answers({ ...DOCUMENT, issuer })));
      expect((await refusalOf(authentication.begin())).text).toContain('(issuer_mismatch)');
    }
  });

  test('is tried again after a failure, by the next login', async () => {
    let up = false;
    const { authentication, requested } = arrange(CONFIGURED, () =>
      Promise.resolve(up ? answers(DOCUMENT) : new Response('down', { status: 503 })),
    );
    const both = await Promise.allSettled([authentication.begin(), authentication.begin()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(requested).toHaveLength(1);
    up = true;
    expect((await authentication.begin()).redirectTo).toContain('/authorize');
    expect(requested).toHaveLength(2);
  });
});

describe('the end of a login', () => {
  test.each(['/api/auth/callback', '/api/auth/callback?', '/api/auth/callback?code=x&state=y'])(
    'consumes all three cookies although none came: %s',
    async (url) => {
      const { authentication, requested } = arrange(CONFIGURED, () => Promise.reject(new Error()));
      const { redirectTo, setCookies } = await authentication.finish(url, undefined);
      expect(redirectTo).toBe('/login?auth=error');
      expect(setCookies).toHaveLength(3);
      for (const cookie of setCookies) expect(cookie).toMatch(/^service_login_\w+=; Max-Age=0;/);
      expect(requested).toEqual([]);
    },
  );

  const TRANSACTION = 'service_login_state=y; service_login_nonce=n; service_login_verifier=v';
  const HOST_ONLY = TRANSACTION.replaceAll('service_', '__Host-service_');

  test.each([
    ['production', TRANSACTION, 'transaction_incomplete'],
    [
      'production',
      HOST_ONLY.replace('__Host-service_login_state', 'service_login_state'),
      'transaction_incomplete',
    ],
    ['production', HOST_ONLY, 'state_mismatch'],
    ['development', HOST_ONLY, 'transaction_incomplete'],
    ['development', TRANSACTION, 'state_mismatch'],
  ])('takes in %s the transaction cookies of that name alone: %s', async (name, cookies, outcome) => {
    const environment = { ...CONFIGURED, NODE_ENV: name };
    const { authentication } = arrange(environment, () => Promise.reject(new Error()));
    const end = await authentication.finish('/api/auth/callback?code=x&state=another', cookies);
    expect(end.outcome).toBe(outcome);
    const prefix = name === 'production' ? '__Host-' : '';
    for (const cookie of end.setCookies) {
      expect(cookie.startsWith(`${prefix}service_login_`)).toBe(true);
      expect(cookie).toMatch(/=; Max-Age=0;.*; Path=\//);
      expect(cookie).not.toContain('Domain');
    }
  });

  test.each([
    ['https://secrets.example', true],
    ['http://secrets.example', false],
    ['https://secrets.example:8443', false],
    ['http://10.0.0.7:3000', false],
    ['not a base', false],
  ])(
    'the log says whether the request came in by the base of the redirect URI: %s',
    async (base, expected) => {
      const { authentication, log } = arrange(CONFIGURED, () => Promise.reject(new Error()));
      await authentication.finish('/api/auth/callback?code=x&state=y', undefined, base);
      expect(JSON.parse(log[0] ?? '')).toMatchObject({ redirectBaseMatches: expected });
      expect(log.join('')).not.toContain('10.0.0.7');
    },
  );
});

describe('a callback that comes again while no one can say which sessions have ended', () => {
  test('is a failed login, by the reason that it has without a session', async () => {
    const log: string[] = [];
    const authentication = createAuthentication({
      settings: readSettings(CONFIGURED),
      logger: createLogger('trace', { write: (line: string) => void log.push(line) }),
      now: Date.now,
      isRevoked: () => {
        throw new ServiceError('unavailable', 'not known');
      },
    });
    const user = { sub: 's', email: 'a@example.com', name: 'Ada', groups: [] };
    const key = new TextEncoder().encode(CONFIGURED.SESSION_SECRET);
    const token = await signSessionToken(user, key, { issuedMs: Date.now(), lifetimeMs: 60_000 });
    const end = await authentication.finish('/api/auth/callback?code=x&state=y', `service_session=${token}`);
    expect(end.redirectTo).toBe('/login?auth=error');
    expect(end.outcome).toBe('transaction_incomplete');
    expect(log.join('')).not.toContain('internal');
  });
});

describe('with sign-in disabled', () => {
  const environment = { AUTH_DISABLED: 'true' };
  const unreachable: Fetch = () => Promise.reject(new Error('a request was sent'));

  test('everyone is the mock admin, with any cookie or none', async () => {
    const { authentication } = arrange(environment, unreachable);
    expect(await authentication.authenticate(undefined)).toEqual({ user: mockAdmin, sessionId: undefined });
    expect((await authentication.authenticate('service_session=garbage')).user).toBe(mockAdmin);
  });

  test('login goes home without a key, a token or a provider', async () => {
    const { authentication, requested } = arrange(environment, unreachable);
    expect(await authentication.begin()).toEqual({ redirectTo: '/', setCookies: [], outcome: 'ok' });
    expect((await authentication.finish('/api/auth/callback?code=x', undefined)).redirectTo).toBe('/');
    expect(requested).toEqual([]);
  });
});
