import { describe, expect, test } from 'vitest';
import { LoginFailure } from '../../../../src/auth/login/login-failure.ts';
import { createProvider, REFRESH_AFTER_MS } from '../../../../src/auth/login/provider.ts';
import { readSettings } from '../../../../src/config/settings.ts';
import { createLogger } from '../../../../src/observability/logger.ts';

const DOCUMENT = {
  issuer: 'https://provider.example',
  authorization_endpoint: 'https://provider.example/authorize',
  token_endpoint: 'https://provider.example/token',
  jwks_uri: 'https://provider.example/jwks',
  id_token_signing_alg_values_supported: ['RS256'],
};
const MOVED = {
  ...DOCUMENT,
  authorization_endpoint: 'https://provider.example/elsewhere',
  token_endpoint: 'https://provider.example/elsewhere/token',
  userinfo_endpoint: 'https://provider.example/userinfo',
  jwks_uri: 'https://provider.example/elsewhere/jwks',
  id_token_signing_alg_values_supported: ['ES256'],
  userinfo_signing_alg_values_supported: ['ES256'],
};

function arrange() {
  const log: string[] = [];
  const state = {
    now: Date.UTC(2026, 10, 22),
    reads: 0,
    answer: (): Promise<Response> => Promise.resolve(Response.json(DOCUMENT)),
  };
  const { oidc } = readSettings({
    OIDC_ISSUER: DOCUMENT.issuer,
    OIDC_CLIENT_ID: 'client',
    NEXT_PUBLIC_APP_URL: 'https://secrets.example',
  }).auth;
  if (oidc === undefined) throw new Error('sign-in is configured');
  const provider = createProvider({
    oidc,
    fetch: () => {
      state.reads++;
      return state.answer();
    },
    logger: createLogger('trace', { write: (line: string) => void log.push(line) }),
    now: () => state.now,
  });
  const lines = () => log.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { provider, state, lines };
}

const says = (document: object) => () => Promise.resolve(Response.json(document));
const fails = () => Promise.resolve(new Response('down', { status: 503 }));

describe('the provider of a process', () => {
  test('is found once, also by logins at the same time, and kept for a minute', async () => {
    const { provider, state } = arrange();
    const [one, other] = await Promise.all([provider.metadata(), provider.metadata()]);
    expect(one).toBe(other);
    state.now += REFRESH_AFTER_MS - 1;
    expect(await provider.metadata()).toBe(one);
    expect(state.reads).toBe(1);
  });

  test('is looked for again by the next login after the first discovery failed', async () => {
    const { provider, state } = arrange();
    state.answer = fails;
    await expect(provider.metadata()).rejects.toBeInstanceOf(LoginFailure);
    state.answer = says(DOCUMENT);
    expect((await provider.metadata()).issuer).toBe(DOCUMENT.issuer);
    expect(state.reads).toBe(2);
  });

  test('has the algorithms and the key address of the document that is read after a minute', async () => {
    const { provider, state, lines } = arrange();
    await provider.metadata();
    state.answer = says({ ...DOCUMENT, id_token_signing_alg_values_supported: ['ES256'] });
    state.now += REFRESH_AFTER_MS;
    const metadata = await provider.metadata();
    expect(metadata.id_token_signing_alg_values_supported).toEqual(['ES256']);
    expect(state.reads).toBe(2);
    expect(lines()).toEqual([]);
  });

  test('keeps the endpoints of the first document, and logs that a restart is needed for others', async () => {
    const { provider, state, lines } = arrange();
    await provider.metadata();
    state.answer = says(MOVED);
    state.now += REFRESH_AFTER_MS;
    expect(await provider.metadata()).toEqual({
      ...DOCUMENT,
      jwks_uri: MOVED.jwks_uri,
      id_token_signing_alg_values_supported: ['ES256'],
      userinfo_signing_alg_values_supported: ['ES256'],
    });
    expect(lines()).toMatchObject([{ level: 'warn', event: 'provider changed its endpoints' }]);
    expect(JSON.stringify(lines())).not.toContain('elsewhere');
  });

  test('forgets an algorithm that the provider no longer announces', async () => {
    const { provider, state } = arrange();
    state.answer = says(MOVED);
    await provider.metadata();
    state.answer = says(DOCUMENT);
    state.now += REFRESH_AFTER_MS;
    const metadata = await provider.metadata();
    expect(metadata.id_token_signing_alg_values_supported).toEqual(['RS256']);
    expect(metadata.userinfo_signing_alg_values_supported).toEqual(['RS256']);
  });

  test('takes UserInfo with the signatures of ID tokens, where the document does not say with which', async () => {
    const { provider } = arrange();
    const metadata = await provider.metadata();
    expect(metadata.userinfo_signing_alg_values_supported).toEqual(['RS256']);
  });

  test('is read again when the clock was set back', async () => {
    const { provider, state } = arrange();
    await provider.metadata();
    state.now -= 86_400_000;
    await provider.metadata();
    await provider.metadata();
    expect(state.reads).toBe(2);
  });

  test('stays as it is when the refresh fails, which is logged and tried once a minute', async () => {
    const { provider, state, lines } = arrange();
    const found = await provider.metadata();
    state.answer = fails;
    for (let minute = 1; minute <= 9; minute++) {
      const { reads } = state;
      state.now += REFRESH_AFTER_MS - 1;
      expect(await provider.metadata()).toBe(found);
      expect(state.reads).toBe(reads);
      state.now += 1;
      expect(await provider.metadata()).toBe(found);
      expect(state.reads).toBe(reads + 1);
    }
    expect(lines()).toHaveLength(9);
    const line = { event: 'discovery refresh failed', level: 'warn', code: 'unexpected_status' };
    expect(lines()[0]).toMatchObject({ ...line, stage: 'discovery', status: 503 });
  });

  test('is requested once by all logins that find it due, and only the first of them waits', async () => {
    const { provider, state } = arrange();
    const found = await provider.metadata();
    let answer: (response: Response) => void = () => undefined;
    state.answer = () => new Promise((resolve) => (answer = resolve));
    state.now += REFRESH_AFTER_MS;
    const first = provider.metadata();
    expect(await Promise.all([provider.metadata(), provider.metadata()])).toEqual([found, found]);
    answer(Response.json(DOCUMENT));
    expect(await first).not.toBe(found);
    expect(state.reads).toBe(2);
  });
});
