import { describe, expect, it } from 'vitest';
import { at, textAt } from '../../../hack/dev-cluster/json/json.ts';
import { namesOf, secretBody, SECRETS, useClusters } from './fixture.ts';

const start = useClusters();

describe('pages of a list', () => {
  it('show the moment of the first page, whatever happens in between', async () => {
    const { client } = await start();
    for (const name of ['a', 'b', 'c', 'd']) await client.post(SECRETS, secretBody(name));
    const first = await client.get(`${SECRETS}?limit=2`);
    await client.delete(`${SECRETS}/c`, {});
    await client.post(SECRETS, secretBody('cc'));
    await client.patch(`${SECRETS}/d`, { data: { k: 'bmV3' } });
    const second = await client.get(
      `${SECRETS}?limit=2&continue=${textAt(first.body, 'metadata', 'continue')}`,
    );
    expect(namesOf(second.body)).toEqual(['c', 'd']);

    expect(JSON.stringify(second.body)).not.toContain('bmV3');
    expect(textAt(second.body, 'metadata', 'resourceVersion')).toBe(
      textAt(first.body, 'metadata', 'resourceVersion'),
    );
    expect(namesOf((await client.get(SECRETS)).body)).toEqual(['a', 'b', 'cc', 'd']);
  });

  it('go over all namespaces in the order of namespace and name', async () => {
    const { client } = await start();
    await client.post(SECRETS, secretBody('z'));
    await client.post('/api/v1/namespaces/kube-public/secrets', secretBody('a'));
    await client.post('/api/v1/namespaces/kube-system/secrets', secretBody('b'));
    const first = await client.get('/api/v1/secrets?limit=2');
    expect(namesOf(first.body)).toEqual(['z', 'a']);
    const rest = await client.get(
      `/api/v1/secrets?limit=2&continue=${textAt(first.body, 'metadata', 'continue')}`,
    );
    expect(namesOf(rest.body)).toEqual(['b']);
  });

  it('of a selection do not count what is left', async () => {
    const { client } = await start();
    for (const name of ['a', 'b', 'c']) await client.post(SECRETS, secretBody(name, { labels: { l: 'x' } }));
    const page = await client.get(`${SECRETS}?limit=1&labelSelector=l%3Dx`);
    expect(at(page.body, 'metadata', 'remainingItemCount')).toBeUndefined();
    expect(textAt(page.body, 'metadata', 'continue')).not.toBe('');
  });

  it('expire with the history', async () => {
    const { cluster, client } = await start();
    for (const name of ['a', 'b']) await client.post(SECRETS, secretBody(name));
    const first = await client.get(`${SECRETS}?limit=1`);
    cluster.compact();
    const next = await client.get(
      `${SECRETS}?limit=1&continue=${textAt(first.body, 'metadata', 'continue')}`,
    );
    expect(next.status).toBe(410);
    expect(textAt(next.body, 'metadata', 'continue')).not.toBe('');
  });
});

describe('the revision of a list', () => {
  it('may be an exact one of the past', async () => {
    const { client } = await start();
    const created = await client.post(SECRETS, secretBody('a'));
    await client.post(SECRETS, secretBody('b'));
    const revision = textAt(created.body, 'metadata', 'resourceVersion');
    const exact = await client.get(`${SECRETS}?resourceVersion=${revision}&resourceVersionMatch=Exact`);
    expect(namesOf(exact.body)).toEqual(['a']);
    const fresh = await client.get(
      `${SECRETS}?resourceVersion=${revision}&resourceVersionMatch=NotOlderThan`,
    );
    expect(namesOf(fresh.body)).toEqual(['a', 'b']);
  });

  it('may not be combined with continue, nor be exactly 0', async () => {
    const { client } = await start();
    for (const name of ['a', 'b']) await client.post(SECRETS, secretBody(name));
    const token = textAt((await client.get(`${SECRETS}?limit=1`)).body, 'metadata', 'continue');
    expect((await client.get(`${SECRETS}?continue=${token}&resourceVersion=5`)).status).toBe(400);
    expect((await client.get(`${SECRETS}?resourceVersion=0&resourceVersionMatch=Exact`)).status).toBe(422);
    expect((await client.get(`${SECRETS}?resourceVersion=abc`)).status).toBe(400);
    expect((await client.get(`${SECRETS}?limit=-1`)).status).toBe(400);
  });
});

describe('a large cluster', () => {
  it('pages through 5,000 Secrets of 8 KB', { timeout: 60_000 }, async () => {
    const { client } = await start();
    const value = Buffer.alloc(8 * 1024, 'x').toString('base64');
    const names = Array.from({ length: 5_000 }, (_, index) => `s${String(index).padStart(5, '0')}`);
    const queue = names.values();
    const writer = async (): Promise<void> => {
      for (const name of queue) await client.post(SECRETS, { metadata: { name }, data: { v: value } });
    };
    await Promise.all(Array.from({ length: 50 }, writer));
    const seen: string[] = [];
    let token = '';
    do {
      const page = await client.get(`${SECRETS}?limit=500&continue=${token}`);
      seen.push(...namesOf(page.body));
      token = textAt(page.body, 'metadata', 'continue');
    } while (token !== '');
    expect(seen).toEqual(names);
  });
});
