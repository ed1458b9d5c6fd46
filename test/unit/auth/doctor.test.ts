import { describe, expect, test } from 'vitest';
import { examineSignIn } from '../../../src/auth/doctor/examine-sign-in.ts';
import type { Finding } from '../../../src/auth/doctor/finding.ts';
import { exitCodeFor, reportLines } from '../../../src/auth/doctor/report.ts';
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
}

async function examine(deployment: Deployment = {}): Promise<readonly Finding[]> {
  const { environment, document, without = [], keys = [{}], date, answer } = deployment;
  const entries = Object.entries({ ...DOCUMENT, ...document }).filter(([name]) => !without.includes(name));
  const headers = { 'content-type': 'application/json', date: date ?? new Date(NOW).toUTCString() };
  return examineSignIn({
    settings: readSettings({ ...ENVIRONMENT, ...environment }),
    now: () => NOW,
    fetch: (url) => {
      if (answer !== undefined) return answer();
      const body = (url as string).endsWith('/jwks') ? { keys } : Object.fromEntries(entries);
      return Promise.resolve(new Response(JSON.stringify(body), { headers }));
    },
  });
}

describe('the doctor', () => {
  test('finds nothing wrong with a good deployment, and names the redirect URI to register', async () => {
    const findings = await examine();
    expect(findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    expect(exitCodeFor(findings)).toBe(0);
    expect(reportLines(findings).join('\n')).toContain('https://secrets.example/api/auth/callback');
    expect(reportLines(findings).at(-1)).toBe('Sign-in is configured.');
  });

  test.each<[step: string, verdict: Finding['verdict'], deployment: Deployment]>([
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
    ['issuer address', 'fix', { environment: { OIDC_ISSUER: 'http://provider.example' } }],
    ['issuer address', 'fix', { environment: { OIDC_ISSUER: `${ISSUER}/.well-known/openid-configuration` } }],
    ['issuer', 'fix', { environment: { OIDC_ISSUER: `${ISSUER}/` } }],
    ['issuer', 'fix', { document: { issuer: 7 } }],
    ['endpoints', 'fix', { document: { token_endpoint: 'http://provider.example/token' } }],
    ['endpoints', 'fix', { document: { revocation_endpoint: 'http://provider.example/revoke' } }],
    ['endpoints', 'fix', { without: ['authorization_endpoint'] }],
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
    ['signing keys', 'fix', { keys: [] }],
    ['clock', 'fix', { date: new Date(NOW + 60_000).toUTCString() }],
    ['clock', 'fix', { date: new Date(NOW - 60_000).toUTCString() }],
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
    const findings = await examine(deployment);
    expect(findings.find((finding) => finding.step === step)?.verdict).toBe(verdict);
    expect(exitCodeFor(findings)).toBe(findings.some((finding) => finding.verdict === 'fix') ? 1 : 0);
  });

  test('tells neither the signing key, nor the client secret, nor what the provider wrote', async () => {
    const findings = await examine({
      environment: { SESSION_SECRET: 'short-k3y', OIDC_CLIENT_SECRET: 'cl13nt-s3cret' },
      document: { issuer: 'https://x.example/<script>', planted: 'c4n4ry', scopes_supported: ['c4n4ry'] },
    });
    expect(reportLines(findings).join('\n')).not.toMatch(/short-k3y|cl13nt-s3cret|c4n4ry|<script>/);
  });
});

test('the report prints nothing that could steer a terminal', () => {
  const lines = reportLines([{ step: 'issuer', verdict: 'fix', text: 'is \u001b[2J\u202eelsewhere' }]);
  expect(lines[0]).toBe('FIX   issuer  is \\u{1b}[2J\\u{202e}elsewhere');
});
