import { describe, expect, test } from 'vitest';
import { LoginFailure } from '../../../../src/auth/login/login-failure.ts';
import {
  createProviderCache,
  FIRST_RETRY_MS,
  REFRESH_INTERVAL_MS,
  RENEWAL_INTERVAL_MS,
} from '../../../../src/auth/login/provider.ts';
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

function arrange(random = 0) {
  const log: string[] = [];
  const state = {
    now: Date.UTC(2026, 10, 22),
    reads: 0,
    answer: (): Promise<typeof DOCUMENT> => Promise.resolve(DOCUMENT),
  };
  const discover = () => {
    state.reads++;
    return state.answer();
  };
  const logger = createLogger('trace', { write: (line: string) => void log.push(line) });
  const cache = createProviderCache(
    discover,
    logger,
    () => state.now,
    () => random,
  );
  const lines = () => log.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { cache, state, lines };
}

const fails = () =>
  Promise.reject(new LoginFailure('unexpected_status', { stage: 'discovery', status: 503 }));

describe('the provider of a process', () => {
  test('is found once, also by logins at the same time, and kept for an hour', async () => {
    const { cache, state } = arrange();
    const [one, other] = await Promise.all([cache.current(), cache.current()]);
    expect(one).toBe(other);
    state.now += REFRESH_INTERVAL_MS - 1;
    expect(await cache.current()).toBe(one);
    expect(state.reads).toBe(1);
  });

  test('is looked for again by the next login after the first discovery failed', async () => {
    const { cache, state } = arrange();
    state.answer = fails;
    await expect(cache.current()).rejects.toBeInstanceOf(LoginFailure);
    state.answer = () => Promise.resolve(DOCUMENT);
    expect((await cache.current()).metadata.issuer).toBe(DOCUMENT.issuer);
    expect(state.reads).toBe(2);
  });

  test('has the algorithms and the key address of the document that is read after an hour', async () => {
    const { cache, state, lines } = arrange();
    await cache.current();
    state.answer = () => Promise.resolve({ ...DOCUMENT, id_token_signing_alg_values_supported: ['ES256'] });
    state.now += REFRESH_INTERVAL_MS;
    const { metadata, keys } = await cache.current();
    expect(metadata.id_token_signing_alg_values_supported).toEqual(['ES256']);
    expect(keys.cached).toBeUndefined();
    expect(state.reads).toBe(2);
    expect(lines()).toEqual([]);
  });

  test('keeps the endpoints of the first document, and logs that a restart is needed for others', async () => {
    const { cache, state, lines } = arrange();
    await cache.current();
    state.answer = () => Promise.resolve(MOVED);
    state.now += REFRESH_INTERVAL_MS;
    expect((await cache.current()).metadata).toEqual({
      ...DOCUMENT,
      jwks_uri: MOVED.jwks_uri,
      id_token_signing_alg_values_supported: ['ES256'],
      userinfo_signing_alg_values_supported: ['ES256'],
    });
    expect(lines()).toMatchObject([{ level: 'warn', event: 'provider changed its endpoints' }]);
    expect(JSON.stringify(lines())).not.toContain('elsewhere');
  });

  test('forgets an algorithm that the provider no longer announces', async () => {
    const { cache, state } = arrange();
    state.answer = () => Promise.resolve(MOVED);
    await cache.current();
    state.answer = () => Promise.resolve(DOCUMENT);
    state.now += REFRESH_INTERVAL_MS;
    const { metadata } = await cache.current();
    expect(metadata.id_token_signing_alg_values_supported).toEqual(['RS256']);
    expect(metadata.userinfo_signing_alg_values_supported).toEqual(['RS256']);
  });

  test('takes UserInfo with the signatures of ID tokens, where the document does not say with which', async () => {
    const { cache } = arrange();
    const { metadata } = await cache.current();
    expect(metadata.userinfo_signing_alg_values_supported).toEqual(['RS256']);
  });

  test('is read again up to a tenth sooner, so that replicas do not read together', async () => {
    const { cache, state } = arrange(0.999);
    await cache.current();
    state.now += REFRESH_INTERVAL_MS * 0.9;
    await cache.current();
    expect(state.reads).toBe(1);
    state.now += REFRESH_INTERVAL_MS * 0.001;
    await cache.current();
    expect(state.reads).toBe(2);
  });

  test('is read again when the clock was set back', async () => {
    const { cache, state } = arrange();
    await cache.current();
    state.now -= 86_400_000;
    await cache.current();
    await cache.current();
    expect(state.reads).toBe(2);
  });

  test('stays as it is when the refresh fails, which is logged and tried less and less often', async () => {
    const { cache, state, lines } = arrange();
    const found = await cache.current();
    state.answer = fails;
    state.now += REFRESH_INTERVAL_MS;
    expect(await cache.current()).toBe(found);
    for (const delay of [1, 2, 4, 8, 16, 32, 60, 60].map((times) => times * FIRST_RETRY_MS)) {
      const { reads } = state;
      state.now += delay - 1;
      expect(await cache.current()).toBe(found);
      expect(state.reads).toBe(reads);
      state.now += 1;
      expect(await cache.current()).toBe(found);
      expect(state.reads).toBe(reads + 1);
    }
    expect(lines()).toHaveLength(9);
    const line = { event: 'discovery refresh failed', level: 'warn', code: 'unexpected_status' };
    expect(lines()[0]).toMatchObject({ ...line, stage: 'discovery', status: 503 });
  });

  test('is requested once by all logins that find it due, and only the first of them waits', async () => {
    const { cache, state } = arrange();
    const found = await cache.current();
    let answer: (document: typeof DOCUMENT) => void = () => undefined;
    state.answer = () => new Promise((resolve) => (answer = resolve));
    state.now += REFRESH_INTERVAL_MS;
    const first = cache.current();
    expect(await Promise.all([cache.current(), cache.current()])).toEqual([found, found]);
    answer({ ...DOCUMENT });
    expect(await first).not.toBe(found);
    expect(state.reads).toBe(2);
  });
});

describe('a token that does not fit', () => {
  test('has the document and the keys read again, once for all logins at that time', async () => {
    const { cache, state } = arrange();
    const old = await cache.current();
    state.answer = () => Promise.resolve({ ...DOCUMENT, id_token_signing_alg_values_supported: ['ES256'] });
    const renewed = await Promise.all([1, 2, 3].map(() => cache.renewed(old)));
    expect(new Set(renewed).size).toBe(1);
    expect(renewed[0]?.metadata.id_token_signing_alg_values_supported).toEqual(['ES256']);
    expect(state.reads).toBe(2);
  });

  test('makes no request when a later document is there already', async () => {
    const { cache, state } = arrange();
    const old = await cache.current();
    const later = await cache.renewed(old);
    expect(await cache.renewed(old)).toBe(later);
    expect(state.reads).toBe(2);
  });

  test('makes at most one request in ten seconds, however many such tokens there are', async () => {
    const { cache, state } = arrange();
    await cache.current();
    for (let login = 0; login < 1_000; login++) {
      await cache.renewed(await cache.current());
      state.now += RENEWAL_INTERVAL_MS / 100;
    }
    expect(state.reads).toBe(1 + 10);
  });

  test('has the keys read again also where the document cannot be', async () => {
    const { cache, state, lines } = arrange();
    const old = await cache.current();
    old.keys.cached = { jwks: { keys: [] }, uat: 0 };
    state.answer = fails;
    const renewed = await cache.renewed(old);
    expect(renewed).toEqual({ metadata: old.metadata, keys: {} });
    expect(await cache.current()).toBe(renewed);
    expect(lines()).toMatchObject([{ event: 'discovery refresh failed' }]);
  });
});
