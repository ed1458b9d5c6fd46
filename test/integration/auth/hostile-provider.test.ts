import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { driveLogin, type LoginEnd } from '../../hostile-idp/drive-login.ts';
import { readHostileCases, type HostileCase } from '../../hostile-idp/hostile-case.ts';
import { startHostileIdp, type HostileIdp } from '../../hostile-idp/start-hostile-idp.ts';
import { resolveValue } from '../../hostile-idp/resolve-values.ts';
import { startAuthServer } from './auth-server.ts';

const cases = readHostileCases();
let idp: HostileIdp;
beforeAll(async () => {
  idp = await startHostileIdp(cases);
});
afterAll(() => idp.close());

interface Played {
  readonly login: LoginEnd;
  readonly log: string;
  readonly user: unknown;
}

async function play(hostile: HostileCase): Promise<Played> {
  const issuer = idp.issuerOf(hostile);
  const service = await startAuthServer({
    timeoutMs: 1_000,
    environment: () => ({
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'hostile-client',
      OIDC_ALLOW_HTTP: 'true',
      SESSION_SECRET: 'b7b0f3c09d1c4c55a7c16a6ce93f7c1a',
      ...(resolveValue(hostile.environment ?? {}, { issuer }) as Record<string, string>),
    }),
  });
  try {
    const login = await driveLogin(service.url, hostile);
    const cookie = [...login.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const me = await fetch(`${service.url}/api/auth/me`, { headers: { cookie } });
    const { user } = (await me.json()) as { user: unknown };
    return { login, log: service.logLines.join(''), user };
  } finally {
    await service.close();
  }
}

/** Nothing that the provider planted, and nothing of the transaction, may come through. */
function expectNothingPlanted(text: string, { secrets }: LoginEnd): void {
  expect(text.toLowerCase()).not.toContain(idp.canary);
  expect(text).not.toContain('<script');
  for (const secret of secrets) expect(text).not.toContain(secret);
}

describe('a hostile provider', () => {
  test('is played in at least 40 ways', () => {
    expect(cases.length).toBeGreaterThanOrEqual(40);
    expect(new Set(cases.map((hostile) => idp.issuerOf(hostile))).size).toBe(cases.length);
  });

  test.concurrent.each(cases)('$name', async (hostile) => {
    const { login, log, user } = await play(hostile);
    const { at, code, idpError, descriptionCode } = hostile.expect;
    const line = JSON.parse(log.trim().split('\n').at(-1) ?? '{}') as Record<string, unknown>;

    if (at === 'login') {
      expect(login).toMatchObject({ at, status: 502, setCookies: [], location: undefined });
      expect(login.body).toContain(`(${code ?? ''})`);
      expect(login.body).not.toContain(new URL(idp.origin).host);
      expect(line).toMatchObject({ event: 'login could not begin', code });
    } else if (at === 'callback') {
      const query = idpError === undefined ? '' : `&idp_error=${idpError}`;
      expect(login).toMatchObject({ at, status: 302, location: `/login?auth=error${query}` });
      expect(line).toMatchObject({ event: 'login failed', code });
      expect(line['idpError']).toBe(idpError);
      expect(line['descriptionCode']).toBe(descriptionCode);
    } else {
      expect(login).toMatchObject({ at, status: 302, location: '/' });
      expect(user).toMatchObject({ sub: 'subject', email: 'user@example.com', ...hostile.expect.user });
    }
    if (at !== 'login') expectConsumed(login);
    if (at !== 'home' && hostile.browser?.replay !== true) expect(user).toBeNull();
    const requests = idp.requestsOf(hostile);
    expect(requests.get('token') ?? 0).toBe(at === 'login' ? 0 : (hostile.expect.tokenRequests ?? 1));
    expect(requests.get('stolen')).toBeUndefined();
    expectNothingPlanted(`${log}${login.location ?? ''}${login.body}`, login);
    if (at !== 'home') expectNothingPlanted(login.setCookies.join('\n'), login);
  });
});

function expectConsumed({ setCookies }: LoginEnd): void {
  for (const name of ['state', 'nonce', 'verifier']) {
    const line = setCookies.find((cookie) => cookie.startsWith(`service_login_${name}=`));
    expect(line).toMatch(new RegExp(`^service_login_${name}=; Max-Age=0; `));
  }
}
