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

function open(jwksUri?: string) {
  let time = 0;
  let answer: (url: string) => unknown = () => KEYS;
  const requested: string[] = [];
  const failures: unknown[] = [];
  const keys = createIssuerKeys({
    issuer: { issuer: ISSUER, ...(jwksUri === undefined ? {} : { jwksUri }) },
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
    onFailure: (error) => failures.push(error),
  });
  return {
    keys,
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
    const { keys, answers, fetches } = open();
    answers((url) =>
      url.endsWith('/openid-configuration')
        ? Response.json({ issuer: `${ISSUER}/`, jwks_uri: `${ISSUER}/jwks` })
        : KEYS,
    );
    await expect(keys.current()).rejects.toMatchObject({ code: 'unavailable', reason: 'issuerKeys' });
    expect(fetches()).toBe(0);
  });

  it('come from its discovery document, or from its jwksUri alone', async () => {
    const discovered = open();
    await discovered.keys.current();
    expect(discovered.requested).toEqual([`${ISSUER}/.well-known/openid-configuration`, `${ISSUER}/jwks`]);
    const configured = open('https://keys.example.com/jwks');
    await configured.keys.current();
    expect(configured.requested).toEqual(['https://keys.example.com/jwks']);
  });

  it('are fetched once for concurrent tokens, and kept', async () => {
    const { keys, fetches, after } = open();
    const [one, other] = await Promise.all([keys.current(), keys.current()]);
    after(REFRESH_AFTER_MS - 1);
    expect([one === other, (await keys.current()) === one, fetches()]).toEqual([true, true, 1]);
  });

  it('are fetched again after ten minutes, for which no one waits', async () => {
    const { keys, fetches, after } = open();
    const first = await keys.current();
    after(REFRESH_AFTER_MS);
    expect(await keys.current()).toBe(first);
    await expect.poll(async () => (await keys.current()) !== first).toBe(true);
    expect(fetches()).toBe(2);
  });

  it('are fetched again for an unknown key at most once in 30 s, however many tokens name one', async () => {
    const { keys, fetches, after, answers } = open();
    const first = await keys.current();
    for (let count = 0; count < 1_000; count++) expect(await keys.renewed(first)).toBeUndefined();
    expect(fetches()).toBe(1);
    after(FETCH_INTERVAL_MS);
    answers(() => NEXT);
    const renewed = await Promise.all(Array.from({ length: 100 }, () => keys.renewed(first)));
    expect(new Set(renewed).size).toBe(1);
    expect(renewed[0]?.find.jwks()).toEqual(NEXT);
    expect(fetches()).toBe(2);
  });

  it('hold for an hour while the issuer cannot be reached, and then no longer', async () => {
    const { keys, failures, after, answers } = open();
    const first = await keys.current();
    answers(down);
    after(MAX_AGE_MS - 1);
    expect(await keys.current()).toBe(first);
    await expect.poll(() => failures.length).toBe(1);
    after(1);
    await expect(keys.current()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 30 });
  });

  it('are unavailable for an unknown key while the issuer cannot be reached, also between two fetches', async () => {
    const { keys, requested, after, answers } = open();
    const first = await keys.current();
    answers(down);
    after(FETCH_INTERVAL_MS);
    await expect(keys.renewed(first)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(keys.renewed(first)).rejects.toMatchObject({ code: 'unavailable', reason: 'issuerKeys' });
    expect(requested).toHaveLength(3);
    expect(await keys.current()).toBe(first);
  });

  it('are unavailable until the first fetch succeeds, with one attempt in 30 s', async () => {
    const { keys, requested, after, answers } = open();
    answers(down);
    for (let count = 0; count < 10; count++) {
      await expect(keys.current()).rejects.toMatchObject({ code: 'unavailable' });
    }
    expect(requested).toHaveLength(1);
    expect(keys.ageMs()).toBeUndefined();
    answers(() => KEYS);
    after(FETCH_INTERVAL_MS);
    expect((await keys.current()).find.jwks()).toEqual(KEYS);
    expect(keys.ageMs()).toBe(0);
  });

  it('are no longer used once the issuer publishes none', async () => {
    const { keys, after, answers } = open();
    const first = await keys.current();
    answers(() => ({ keys: [] }));
    after(FETCH_INTERVAL_MS);
    await expect(keys.renewed(first)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(keys.current()).rejects.toMatchObject({ code: 'unavailable' });
    answers(() => NEXT);
    after(FETCH_INTERVAL_MS);
    expect((await keys.current()).find.jwks()).toEqual(NEXT);
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
    const { keys, failures, after, answers } = open();
    const first = await keys.current();
    answers(answer);
    after(REFRESH_AFTER_MS);
    expect(await keys.current()).toBe(first);
    await expect.poll(() => failures.length).toBe(1);
    expect(await keys.current()).toBe(first);
  });
});
