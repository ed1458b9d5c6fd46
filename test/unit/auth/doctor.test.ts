import { describe, expect, test } from 'vitest';
import { examineSignIn } from '../../../src/auth/doctor/examine-sign-in.ts';
import { type CheckResult, exitCodeFor, reportLines } from '../../../src/auth/doctor/check-result.ts';
import { readSettings } from '../../../src/config/settings.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const ISSUER = 'https://provider.example';
const ENVIRONMENT = {
  NODE_ENV: 'production',
  NEXT_PUBLIC_APP_URL: 'https://secrets.example',
  OIDC_ISSUER: ISSUER,
  OIDC_CLIENT_ID: 'client',
  SESSION_SECRET: 'Zq3v9Lk2Xw7Rt5Yb8Nc4Mf6Hd1Js0PgA',
};
const DOCUMENT = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  userinfo_endpoint: `${ISSUER}/userinfo`,
  jwks_uri: `${ISSUER}/jwks`,
  code_challenge_methods_supported: ['plain', 'S256'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
  id_token_signing_alg_values_supported: ['RS256'],
  scopes_supported: ['openid', 'profile', 'email', 'groups'],
  claims_supported: ['sub', 'email', 'groups'],
};

interface Deployment {
  readonly environment?: Readonly<Record<string, string>>;
  readonly document?: Readonly<Record<string, unknown>>;
  /** Members that the document lacks. */
  readonly without?: readonly string[];
  readonly keys?: unknown;
  readonly date?: string;
  readonly answer?: () => Promise<Response>;
  /** What the token endpoint says to each way of authenticating; the first is for all that are not named. */
  readonly token?: (request: TokenRequest) => Response | Promise<Response>;
}

/** How a made-up code came in. */
interface TokenRequest {
  readonly method: 'client_secret_basic' | 'client_secret_post' | 'none';
  readonly body: URLSearchParams;
  readonly headers: Headers;
}

const refusedCode = () => tokenError(400, 'invalid_grant');
const tokenError = (status: number, error: string) =>
  Response.json({ error, error_description: 'c4n4ry' }, { status });

function tokenRequest({ headers, body }: RequestInit): TokenRequest {
  const parameters = body as URLSearchParams;
  const given = new Headers(headers);
  const method = given.has('authorization')
    ? 'client_secret_basic'
    : parameters.has('client_secret')
      ? 'client_secret_post'
      : 'none';
  return { method, body: parameters, headers: given };
}

async function examine(deployment: Deployment = {}): Promise<readonly CheckResult[]> {
  const { environment, document, without = [], keys = [{}], date, answer, token = refusedCode } = deployment;
  const entries = Object.entries({ ...DOCUMENT, ...document }).filter(([name]) => !without.includes(name));
  const headers = { 'content-type': 'application/json', date: date ?? new Date(NOW).toUTCString() };
  const variables = { ...ENVIRONMENT, ...environment };
  const examination: Parameters<typeof examineSignIn>[0] = {
    settings: readSettings(variables),
    now: () => NOW,
    fetch: async (url, init) => {
      if (answer !== undefined) return answer();
      if (init?.method === 'POST') return token(tokenRequest(init));
      const body = (url as string).endsWith('/jwks') ? { keys } : Object.fromEntries(entries);
      return new Response(JSON.stringify(body), { headers });
    },
  };
  return examineSignIn(examination, variables);
}

describe('the doctor', () => {
  test('finds nothing wrong with a good deployment, and names the redirect URI to register', async () => {
    const results = await examine();
    expect(results.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    expect(exitCodeFor(results)).toBe(0);
    expect(reportLines(results).join('\n')).toContain('https://secrets.example/api/auth/callback');
    expect(reportLines(results).at(-1)).toBe('Sign-in is configured.');
  });

  test.each<[step: string, verdict: CheckResult['verdict'], deployment: Deployment]>([
    ['sign-in', 'fix', { environment: { AUTH_DISABLED: 'true', NODE_ENV: 'development' } }],
    ['signing key', 'fix', { environment: { SESSION_SECRET: '' } }],
    ['signing key', 'fix', { environment: { SESSION_SECRET: 'too-short' } }],
    ['signing key', 'note', { environment: { SESSION_SECRET: 'ab'.repeat(20) } }],
    ['provider', 'fix', { environment: { OIDC_CLIENT_ID: '' } }],
    ['redirect URI', 'fix', { environment: { NEXT_PUBLIC_APP_URL: 'http://secrets.example' } }],
    [
      'redirect URI',
      'note',
      { environment: { OIDC_REDIRECT_URI: 'https://other.example/api/auth/callback' } },
    ],
    ['redirect URI', 'note', { environment: { OIDC_REDIRECT_URI: 'https://secrets.example/callback' } }],
    ['settings', 'note', { environment: { OIDC_CLIENT_SECRET: 's3cret\n' } }],
    ['settings', 'note', { environment: { OIDC_CLIENT_SECRET: '"s3cret"' } }],
    ['settings', 'note', { environment: { OIDC_CLIENT_ID: 'client ' } }],
    [
      'issuer address',
      'fix',
      { environment: { NODE_ENV: 'development', OIDC_ISSUER: 'http://provider.example' } },
    ],
    ['issuer address', 'fix', { environment: { OIDC_ISSUER: `${ISSUER}/.well-known/openid-configuration` } }],
    ['issuer', 'fix', { environment: { OIDC_ISSUER: `${ISSUER}/` } }],
    ['issuer', 'fix', { document: { issuer: 7 } }],
    ['endpoints', 'fix', { document: { token_endpoint: 'http://provider.example/token' } }],
    ['endpoints', 'fix', { document: { revocation_endpoint: 'http://provider.example/revoke' } }],
    ['endpoints', 'fix', { without: ['authorization_endpoint'] }],
    // Some providers send null for what they do not have, which a login accepts.
    ['endpoints', 'ok', { document: { revocation_endpoint: null } }],
    ['PKCE', 'fix', { document: { code_challenge_methods_supported: ['plain'] } }],
    ['PKCE', 'note', { without: ['code_challenge_methods_supported'] }],
    ['client authentication', 'note', { without: ['token_endpoint_auth_methods_supported'] }],
    [
      'client authentication',
      'fix',
      { environment: { OIDC_CLIENT_SECRET: 's', OIDC_CLIENT_AUTH_METHOD: 'client_secret_post' } },
    ],
    ['ID token signature', 'fix', { document: { id_token_signing_alg_values_supported: ['HS256', 'none'] } }],
    ['scopes', 'note', { document: { scopes_supported: ['openid', 'email'] } }],
    ['scopes', 'note', { without: ['scopes_supported'] }],
    ['groups claim', 'note', { environment: { OIDC_GROUPS_CLAIM: 'teams' } }],
    ['groups claim', 'note', { without: ['claims_supported'] }],
    ['UserInfo', 'note', { without: ['userinfo_endpoint'] }],
    ['logout', 'note', { environment: { OIDC_RP_LOGOUT: 'true' } }],
    [
      'endpoints',
      'fix',
      {
        environment: { OIDC_RP_LOGOUT: 'true' },
        document: { end_session_endpoint: 'http://provider.example/logout' },
      },
    ],
    ['signing keys', 'fix', { keys: [] }],
    ['clock', 'fix', { date: new Date(NOW + 302_000).toUTCString() }],
    ['clock', 'fix', { date: new Date(NOW - 302_000).toUTCString() }],
    ['clock', 'note', { date: new Date(NOW + 60_000).toUTCString() }],
    ['clock', 'note', { date: new Date(NOW - 300_000).toUTCString() }],
    ['clock', 'ok', { date: new Date(NOW - 20_000).toUTCString() }],
    ['clock', 'note', { date: 'yesterday' }],
    ['discovery', 'fix', { answer: () => Promise.resolve(new Response('no', { status: 404 })) }],
    ['discovery', 'fix', { answer: () => Promise.resolve(new Response('<html>')) }],
    [
      'discovery',
      'fix',
      { answer: () => Promise.reject(new TypeError('x', { cause: { code: 'ENOTFOUND' } })) },
    ],
  ])('%s: %s for %j', async (step, verdict, deployment) => {
    const results = await examine(deployment);
    expect(results.find((result) => result.step === step)?.verdict).toBe(verdict);
    expect(exitCodeFor(results)).toBe(results.some((result) => result.verdict === 'fix') ? 1 : 0);
  });

  test('names the URI to register for the logout, where that is chosen, and is silent about it otherwise', async () => {
    const document = { end_session_endpoint: `${ISSUER}/logout` };
    const chosen = await examine({ environment: { OIDC_RP_LOGOUT: 'true' }, document });
    expect(chosen).toContainEqual({
      step: 'logout',
      verdict: 'ok',
      text: expect.stringContaining('https://secrets.example/login') as string,
    });
    expect((await examine({ document })).map(({ step }) => step)).not.toContain('logout');
  });

  test('prints neither the signing key, nor the client secret, nor what the provider wrote', async () => {
    const results = await examine({
      environment: { SESSION_SECRET: 'short-k3y', OIDC_CLIENT_SECRET: 'cl13nt-s3cret' },
      document: { issuer: 'https://x.example/<script>', planted: 'c4n4ry', scopes_supported: ['c4n4ry'] },
      token: () => tokenError(401, 'c4n4ry'),
    });
    expect(reportLines(results).join('\n')).not.toMatch(/short-k3y|cl13nt-s3cret|c4n4ry|<script>/);
  });
});

describe('the doctor at the token endpoint', () => {
  const SECRET = { OIDC_CLIENT_SECRET: 's3cr3t-100%' };
  const POST = { ...SECRET, OIDC_CLIENT_AUTH_METHOD: 'client_secret_post' };
  const probed = async (deployment: Deployment) =>
    (await examine(deployment)).find(({ step }) => step === 'token endpoint');

  test('redeems a made-up code as a login would, and authenticates as configured', async () => {
    const requests: TokenRequest[] = [];
    const token = (request: TokenRequest) => (requests.push(request), refusedCode());
    for (const environment of [SECRET, POST, {}]) await examine({ environment, token });
    expect(requests.map(({ method }) => method)).toEqual([
      'client_secret_basic',
      'client_secret_post',
      'none',
    ]);
    for (const { body, headers } of requests) {
      expect(body.get('grant_type')).toBe('authorization_code');
      expect(body.get('redirect_uri')).toBe('https://secrets.example/api/auth/callback');
      expect(body.get('code_verifier')).toMatch(/^[\w-]{43}$/);
      expect(body.get('code')).toMatch(/^[\w-]{43}$/);
      expect(headers.get('accept')).toBe('application/json');
    }
    expect(new Set(requests.map(({ body }) => body.get('code'))).size).toBe(3);
    expect(requests[1]?.body.get('client_secret')).toBe(SECRET.OIDC_CLIENT_SECRET);
    const basic = requests[0]?.headers.get('authorization')?.replace('Basic ', '') ?? '';
    expect(Buffer.from(basic, 'base64').toString()).toBe('client:s3cr3t-100%25');
  });

  test.each<[what: string, verdict: CheckResult['verdict'], response: () => Response, shown: string]>([
    ['the code is refused', 'ok', refusedCode, 'HTTP 400 invalid_grant'],
    ['the code is refused with 401', 'ok', () => tokenError(401, 'invalid_grant'), 'HTTP 401 invalid_grant'],
    ['the client is refused', 'fix', () => tokenError(401, 'invalid_client'), '(HTTP 401 invalid_client)'],
    ['the client is refused with 400', 'fix', () => tokenError(400, 'invalid_client'), '(HTTP 400'],
    [
      'it is unauthorized',
      'fix',
      () => tokenError(400, 'unauthorized_client'),
      '(HTTP 400 unauthorized_client)',
    ],
    ['401 without a word', 'fix', () => new Response(null, { status: 401 }), '(HTTP 401)'],
    ['401 with a page', 'fix', () => new Response('<html>c4n4ry', { status: 401 }), '(HTTP 401)'],
    ["Glewlwyd's invalid_code", 'ok', () => tokenError(403, 'invalid_code'), '(HTTP 403 invalid_grant)'],
    ['another error', 'note', () => tokenError(400, 'invalid_request'), '(HTTP 400 invalid_request)'],
    ['an unknown error', 'note', () => tokenError(400, 'c4n4ry'), '(HTTP 400 provider_error)'],
    ['a failure', 'note', () => new Response('c4n4ry', { status: 503 }), '(HTTP 503)'],
    ['a redirect', 'note', () => new Response(null, { status: 302 }), '(HTTP 302)'],
    ['success', 'note', () => Response.json({ access_token: 'c4n4ry' }), '(HTTP 200)'],
    ['JSON that is no object', 'note', () => Response.json(null), '(HTTP 200)'],
  ])('says when %s: %s', async (_what, verdict, response, shown) => {
    for (const environment of [SECRET, POST, {}]) {
      const found = await probed({ environment, token: response });
      expect(found).toMatchObject({ verdict, text: expect.stringContaining(shown) as string });
      expect(found?.text).not.toMatch(/c4n4ry|s3cr3t/);
    }
  });

  test.each<[accepted: TokenRequest['method'], environment: Readonly<Record<string, string>>, cure: string]>([
    ['client_secret_post', SECRET, 'set OIDC_CLIENT_AUTH_METHOD=client_secret_post'],
    ['client_secret_basic', POST, 'set OIDC_CLIENT_AUTH_METHOD=client_secret_basic'],
    ['none', SECRET, 'unset OIDC_CLIENT_SECRET'],
    ['client_secret_basic', {}, 'Set OIDC_CLIENT_SECRET'],
  ])('tries what would work in place of the settings: %s for %j', async (accepted, environment, cure) => {
    const methods: string[] = [];
    const token = ({ method }: TokenRequest) => {
      methods.push(method);
      return method === accepted ? refusedCode() : tokenError(401, 'invalid_client');
    };
    const found = await probed({ environment, token });
    expect(found).toMatchObject({ verdict: 'fix', text: expect.stringContaining(cure) as string });
    expect(new Set(methods).size).toBe(methods.length);
  });

  test('says that the secret is wrong where no method is accepted, after three requests', async () => {
    let requests = 0;
    const token = () => (requests++, tokenError(401, 'invalid_client'));
    expect((await probed({ environment: SECRET, token }))?.text).toContain(
      'client_secret_post is not accepted either',
    );
    expect(requests).toBe(3);
  });

  test('says that nothing answers there', async () => {
    const token = () => Promise.reject(new TypeError('x', { cause: { code: 'ECONNREFUSED' } }));
    const found = await probed({ token });
    expect(found).toMatchObject({ verdict: 'fix', text: expect.stringContaining('ECONNREFUSED') as string });
  });

  test.each<[what: string, deployment: Deployment]>([
    ['whose issuer is another one', { document: { issuer: 'https://elsewhere.example' } }],
    ['without a token endpoint', { without: ['token_endpoint'] }],
    ['whose token endpoint is not https', { document: { token_endpoint: 'http://provider.example/token' } }],
  ])('sends no secret to a provider %s', async (_what, deployment) => {
    let requests = 0;
    const token = () => (requests++, refusedCode());
    const results = await examine({ ...deployment, environment: SECRET, token });
    expect(requests).toBe(0);
    expect(exitCodeFor(results)).toBe(1);
  });
});

test.each([
  [404, 'OIDC_ISSUER'],
  [302, 'a redirect'],
  [503, 'the log of the provider'],
])(
  'the doctor reports the status %i of discovery, and blames the settings only where it can',
  async (status, hint) => {
    const results = await examine({ answer: () => Promise.resolve(new Response(null, { status })) });
    const found = results.find(({ step }) => step === 'discovery');
    expect(found?.text).toContain(`(HTTP ${status})`);
    expect(found?.text).toContain(hint);
  },
);

test('the report prints nothing that could steer a terminal', () => {
  const lines = reportLines([{ step: 'issuer', verdict: 'fix', text: 'is \u001b[2J\u202eelsewhere' }]);
  expect(lines[0]).toBe('FIX   issuer  is \\u{1b}[2J\\u{202e}elsewhere');
});
