import { beforeEach, describe, expect, it } from 'vitest';
import { annotation } from '../../harness/annotation.ts';
import { clientFor, DEVELOPER_A } from '../../harness/api-client.ts';
import { errorOf, listOf } from '../../harness/answers.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { becomes } from '../../integration/replicas.ts';
import { namesOf, next, openListPagesFixture } from './list-pages-fixture.ts';

const { here, allPages, page, send, settled, list, seed } = openListPagesFixture();

describe('pages of a list', () => {
  it('are given only when the query names `limit`; without it the list is the contract’s, whatever else is there', async () => {
    for (const name of ['a', 'b', 'c']) await seed(name);
    await settled();
    const whole = listOf(await send(here.stack.admin, 'q=a&sort=nonsense&continue=x'));
    expect(Object.keys(whole).sort()).toEqual(['canCreate', 'namespace', 'secrets']);
    expect(namesOf(whole)).toEqual(['a', 'b', 'c']);
    expect(await page('limit=2')).toMatchObject({ namespace: here.namespace, canCreate: true, total: 3 });
  });

  it('have the summaries of the list, at most `limit` of them, in its order, and `continue` on all but the last', async () => {
    for (const name of ['c', 'a', 'e', 'b', 'd']) await seed(name);
    const { secrets } = await settled();
    expect(await allPages('limit=2')).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(await allPages('limit=5')).toEqual([['a', 'b', 'c', 'd', 'e']]);
    const one = await page('limit=500');
    expect(one).toEqual({ namespace: here.namespace, secrets, canCreate: true, total: 5 });
  });

  it('may have another limit each', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await seed(name);
    await settled();
    const first = await page('limit=1');
    expect(namesOf(await page(next(first, 'limit=500')))).toEqual(['b', 'c', 'd']);
  });

  it('of an empty namespace are one, without Secrets', async () => {
    expect(await page('limit=2')).toEqual({
      namespace: here.namespace,
      secrets: [],
      canCreate: true,
      total: 0,
    });
  });

  it('are filtered by access before they are cut, and `total` counts what one may see', async () => {
    await seed('a', { [annotation('allowed-groups')]: 'team-b' });
    await seed('b', { [annotation('allowed-groups')]: 'team-a' });
    await seed('c', { [annotation('allowed-users')]: 'someone@example.com' });
    await seed('d');
    await settled();
    expect(await allPages('limit=1', here.stack.developerA)).toEqual([['b'], ['d']]);
    expect((await page('limit=1', here.stack.developerA)).total).toBe(2);
    expect(await allPages('limit=3', here.stack.admin)).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('are without snapshots', async () => {
    await secretsOf(here.stack.admin, here.namespace).createWithHistory('versioned', 2);
    expect(namesOf(await page('limit=500'))).toEqual(['versioned']);
  });

  it('follow the namespace policy as the list does: hidden, `canCreate`, 503 where it is broken', async () => {
    await seed('a');
    await seed('b', { [annotation('allowed-groups')]: 'team-a' });
    await here.stack.kube.setPolicy(here.namespace, { allowedGroups: '["someone-else"]' });
    await list(here.stack.developerA);
    expect(await page('limit=9', here.stack.developerA)).toMatchObject({
      secrets: [{ name: 'b' }],
      canCreate: false,
      total: 1,
    });
    await here.stack.kube.setPolicy(here.namespace, { allowedGroups: 'broken' });
    await becomes(async () => (await send(here.stack.developerA, 'limit=9')).status, 503);
    expect(errorOf(await send(here.stack.developerA, 'limit=9'), 503)).toBe(
      'Namespace access policy is unavailable',
    );
    expect((await page('limit=9')).total).toBe(2);
  });

  it('say that they come from memory, and are compressed as lists are', async () => {
    await seed('a');
    await settled();
    const { headers } = await send(here.stack.admin, 'limit=1');
    expect(headers.get('x-list-source')).toBe('cache');
    expect(headers.get('age')).toMatch(/^\d+$/);
    expect(headers.get('vary')).toBe('Accept-Encoding');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('a search in pages', () => {
  beforeEach(async () => {
    await here.stack.kube.createSecret(
      here.namespace,
      nativeSecret('orders-db', { Password: 'planted-needle', username: 'x' }),
    );
    await seed('orders-cache', {
      [annotation('description')]: 'Redis of the ORDERS team, Ärger inclusive (ΔΗΜΟΣΙΟ)',
    });
    await seed('billing', { [annotation('allowed-groups')]: 'orders-readers' });
    await settled();
  });

  it.each([
    ['orders', ['orders-cache', 'orders-db']],
    ['ORDERS', ['orders-cache', 'orders-db']],
    ['password orders', ['orders-db']],
    ['  db   pass ', ['orders-db']],
    ['redis', ['orders-cache']],
    ['ärger', ['orders-cache']],
    ['ΔΗΜΟΣ', ['orders-cache']],
    ['orders billing', []],
    ['needle', []],
    ['readers', []],
    ['.*', []],
    ['', ['billing', 'orders-cache', 'orders-db']],
    ['   ', ['billing', 'orders-cache', 'orders-db']],
  ])('finds for %j what has each word in name, key names or description: %j', async (q, found) => {
    const { total, ...one } = await page(`limit=9&q=${encodeURIComponent(q)}`);
    expect(namesOf(one)).toEqual(found);
    expect(total).toBe(found.length);
  });

  it('is cut like everything else', async () => {
    expect(await allPages('limit=1&q=orders')).toEqual([['orders-cache'], ['orders-db']]);
  });
});

describe('the order of pages', () => {
  it('with sort=changed has what was changed last first, and is by name with sort=name and without', async () => {
    const at = (time: string) => ({ [annotation('last-modified-at')]: time });
    await seed('a', at('2026-01-02T00:00:00Z'));
    await seed('b', at('2026-01-04T00:00:00Z'));
    await seed('c', at('2026-01-03T00:00:00Z'));
    await settled();
    expect(await allPages('limit=2&sort=changed')).toEqual([['b', 'c'], ['a']]);
    expect(await allPages('limit=2&sort=name')).toEqual(await allPages('limit=2'));
    await secretsOf(here.stack.admin, here.namespace).update('a', { data: { key: 'other' } });
    expect((await allPages('limit=1&sort=changed'))[0]).toEqual(['a']);
  });
});

describe('all pages of a token', () => {
  beforeEach(async () => {
    for (const name of ['b', 'c', 'd', 'e']) await seed(name);
    await settled();
  });

  it('are of one state, whatever happens between them', async () => {
    const first = await page('limit=2');
    await seed('a');
    await seed('d2');
    await here.stack.kube.deleteSecret(here.namespace, 'e');
    expect(namesOf(await settled())).toEqual(['a', 'b', 'c', 'd', 'd2']);
    const second = await page(next(first));
    expect(namesOf(second)).toEqual(['d', 'e']);
    expect(second).toMatchObject({ total: 4 });
    expect(second).not.toHaveProperty('continue');
    expect(await allPages('limit=9')).toEqual([['a', 'b', 'c', 'd', 'd2']]);
  });

  it('are had from another replica, too, as long as that has the same state', async () => {
    const first = await page('limit=2');
    const { url } = await here.stack.anotherService();
    const there = await clientFor(url, DEVELOPER_A);
    const mine = await page('limit=2', here.stack.developerA);
    await there.get(secretsPath(here.namespace), { headers: { 'cache-control': 'no-cache' } });
    expect(namesOf(await page(next(mine), there))).toEqual(['d', 'e']);
    errorOf(await send(there, next(first)), 410);
    await seed('f');
    await there.get(secretsPath(here.namespace), { headers: { 'cache-control': 'no-cache' } });
    expect(errorOf(await send(there, next(mine)), 410)).toMatch(/begin with the first page/);
  });

  it('are not for anyone else, whose answer is the same as for a state that is gone', async () => {
    const first = await page('limit=2');
    for (const client of [here.stack.developerA, here.stack.guest]) {
      expect(errorOf(await send(client, next(first)), 410)).toMatch(/begin with the first page/);
    }
    expect(namesOf(await page(next(first)))).toEqual(['d', 'e']);
  });

  it('are not for another namespace', async () => {
    const first = await page('limit=2');
    const other = await here.stack.namespace();
    errorOf(await here.stack.admin.get(`${secretsPath(other)}?${next(first)}`), 410);
  });

  it('end when the access of the person changes', async () => {
    const first = await page('limit=2', here.stack.developerA);
    await here.stack.kube.setPolicy(here.namespace, { allowedGroups: '["someone-else"]' });
    await becomes(async () => (await page('limit=9', here.stack.developerA)).total, 0);
    errorOf(await send(here.stack.developerA, next(first)), 410);
  });

  it('end when access to a Secret that they would still show is taken away, by its rules or with the Secret of its name', async () => {
    const first = await page('limit=1', here.stack.developerA);
    const closed = { [annotation('allowed-groups')]: 'someone-else' };
    await here.stack.kube.patchSecret(here.namespace, 'd', { metadata: { annotations: closed } });
    await becomes(async () => (await page('limit=9', here.stack.developerA)).total, 3);
    expect(namesOf(await page(next(first, 'limit=1'), here.stack.developerA))).toEqual(['c']);
    errorOf(await send(here.stack.developerA, next(first)), 410);

    const second = await page('limit=2', here.stack.developerA);
    await here.stack.kube.deleteSecret(here.namespace, 'e');
    await seed('e', closed);
    await becomes(async () => (await page('limit=9', here.stack.developerA)).total, 2);
    errorOf(await send(here.stack.developerA, next(second)), 410);
  });

  it('have the same q and sort', async () => {
    const first = await page('limit=1&q=s');
    expect(first.total).toBe(0);
    const { continue: token = '' } = await page('limit=2');
    for (const more of ['q=b', 'sort=changed']) {
      expect(errorOf(await send(here.stack.admin, `limit=2&continue=${token}&${more}`), 400)).toMatch(
        /^q and sort/,
      );
    }
  });
});
