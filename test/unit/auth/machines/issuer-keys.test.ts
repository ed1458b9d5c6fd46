import { errors, exportJWK, type CryptoKey } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  createIssuerKeys,
  FETCH_INTERVAL_MS,
  MAX_AGE_MS,
  REFRESH_AFTER_MS,
} from '../../../../src/auth/machines/issuer-keys.ts';
import { createSigningKeys } from '../../../hostile-idp/forge-jwt.ts';

const ISSUER = 'https://ci.example.com';
const { own, next } = createSigningKeys();
const KEYS = { keys: [own.publicJwk] };
const NEXT = { keys: [next.publicJwk] };
const headerOf = (kid: string) => ({ alg: 'RS256', kid });

function open(jwksUri?: string) {
  let time = 0;
  let answer: (url: string) => unknown = () => KEYS;
  const requested: string[] = [];
  const failures: string[] = [];
  const keys = createIssuerKeys({
    issuer: { name: 'ci', issuer: ISSUER, jwksUri },
    request: (url) => {
      requested.push(url);
      const isDiscovery = url.endsWith('/openid-configuration');
      const body = isDiscovery ? { issuer: ISSUER, jwks_uri: `${ISSUER}/jwks` } : undefined;
      try {
        const given = answer(url);
        return Promise.resolve(given instanceof Response ? given : Response.json(body ?? given));
      } catch (error) {
        return Promise.reject(error instanceof Error ? error : new TypeError());
      }
    },
    elapsed: () => time,
    logger: { warn: (event) => void failures.push(event) },
  });
  const find = async (kid: string) =>
    (await keys.find(headerOf(kid), { payload: '', signature: '' })) as CryptoKey;
  return {
    keys,
    /** The key of the tokens that the issuer signs from the beginning. */
    current: () => find('own'),
    find,
    failures,
    fetches: () => requested.filter((url) => url.endsWith('/jwks')).length,
    requested,
    answers: (now: typeof answer) => {
      answer = now;
    },
    after: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

const down = (): never => {
  throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
};

describe('the keys of an issuer', () => {
  it('do not come from the discovery document of another issuer', async () => {
    const { current, answers, fetches } = open();
    answers((url) =>
      url.endsWith('/openid-configuration')
        ? Response.json({ issuer: `${ISSUER}/`, jwks_uri: `${ISSUER}/jwks` })
        : KEYS,
    );
    await expect(current()).rejects.toMatchObject({ code: 'unavailable', reason: 'issuerKeys' });
    expect(fetches()).toBe(0);
  });

  it('come from its discovery document, or from its jwksUri alone', async () => {
    const discovered = open();
    await discovered.current();
    expect(discovered.requested).toEqual([`${ISSUER}/.well-known/openid-configuration`, `${ISSUER}/jwks`]);
    const configured = open('https://keys.example.com/jwks');
    await configured.current();
    expect(configured.requested).toEqual(['https://keys.example.com/jwks']);
  });

  it('are fetched once for concurrent tokens, and kept', async () => {
    const { current, fetches, after } = open();
    await Promise.all([current(), current()]);
    const one = await current();
    after(REFRESH_AFTER_MS - 1);
    expect([(await current()) === one, fetches()]).toEqual([true, 1]);
  });

  it('are fetched again after ten minutes, for which no one waits', async () => {
    const { current, fetches, after } = open();
    const first = await current();
    after(REFRESH_AFTER_MS);
    expect(await current()).toBe(first);
    await expect.poll(async () => (await current()) !== first).toBe(true);
    expect(fetches()).toBe(2);
  });

  it('are fetched again for an unknown key at most once in 30 s, however many tokens name one', async () => {
    const { current, find, fetches, after, answers } = open();
    await current();
    for (let count = 0; count < 1_000; count++) {
      await expect(find('next')).rejects.toBeInstanceOf(errors.JWKSNoMatchingKey);
    }
    expect(fetches()).toBe(1);
    after(FETCH_INTERVAL_MS);
    answers(() => NEXT);
    const renewed = await Promise.all(Array.from({ length: 100 }, () => find('next')));
    expect(await exportJWK(renewed[0] ?? new Uint8Array())).toMatchObject({ n: next.publicJwk['n'] });
    expect(fetches()).toBe(2);
  });

  it('hold for an hour while the issuer cannot be reached, and then no longer', async () => {
    const { current, failures, after, answers } = open();
    const first = await current();
    answers(down);
    after(MAX_AGE_MS - 1);
    expect(await current()).toBe(first);
    await expect.poll(() => failures.length).toBe(1);
    after(1);
    await expect(current()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 30 });
  });

  it('are unavailable for an unknown key while the issuer cannot be reached, also between two fetches', async () => {
    const { current, find, requested, after, answers } = open();
    const first = await current();
    answers(down);
    after(FETCH_INTERVAL_MS);
    await expect(find('next')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(find('next')).rejects.toMatchObject({ code: 'unavailable', reason: 'issuerKeys' });
    expect(requested).toHaveLength(3);
    expect(await current()).toBe(first);
  });

  it('are unavailable until the first fetch succeeds, with one attempt in 30 s', async () => {
    const { keys, current, requested, after, answers } = open();
    answers(down);
    for (let count = 0; count < 10; count++) {
      await expect(current()).rejects.toMatchObject({ code: 'unavailable' });
    }
    expect(requested).toHaveLength(1);
    expect(keys.ageMs()).toBeUndefined();
    answers(() => KEYS);
    after(FETCH_INTERVAL_MS);
    expect(await exportJWK(await current())).toMatchObject({ n: own.publicJwk['n'] });
    expect(keys.ageMs()).toBe(0);
  });

  it('are no longer used once the issuer publishes none', async () => {
    const { current, find, after, answers } = open();
    await current();
    answers(() => ({ keys: [] }));
    after(FETCH_INTERVAL_MS);
    await expect(find('next')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(current()).rejects.toMatchObject({ code: 'unavailable' });
    answers(() => NEXT);
    after(FETCH_INTERVAL_MS);
    expect(await exportJWK(await find('next'))).toMatchObject({ n: next.publicJwk['n'] });
  });

  it.each([
    ['a status', () => new Response('{}', { status: 500 })],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: 'https://evil.example.com' } }),
    ],
    ['no JSON', () => new Response('keys')],
    ['null', () => Response.json(null)],
    ['no key set', () => ({ keys: 'all' })],
    [
      'the document of another issuer',
      () => Response.json({ issuer: `${ISSUER}/`, jwks_uri: `${ISSUER}/jwks` }),
    ],
    ['no address of keys', () => Response.json({ issuer: ISSUER })],
  ])('are not replaced by an answer with %s', async (_what, answer) => {
    const { current, failures, after, answers } = open();
    const first = await current();
    answers(answer);
    after(REFRESH_AFTER_MS);
    expect(await current()).toBe(first);
    await expect.poll(() => failures.length).toBe(1);
    expect(await current()).toBe(first);
  });
});
