import { describe, expect, it } from 'vitest';
import type { ApiAnswer } from '../harness/api-client.ts';
import { nativeSecret } from '../harness/secret-paths.ts';
import { DEVELOPER_A, freshNamespaces, secretsIn, WITHIN_MS } from './fixture.ts';
import { eventually } from '../harness/eventually.ts';

const here = freshNamespaces();

const list = (): Promise<ApiAnswer> => here.admin.get(here.secrets.path());
const live = (): Promise<ApiAnswer> =>
  here.admin.get(here.secrets.path(), { headers: { 'cache-control': 'no-cache' } });
const sourceOf = ({ headers }: ApiAnswer): string | null => headers.get('x-list-source');

/** Waits until the list comes from the cache with what is wanted in it. */
function cachedListBecomes(wanted: readonly string[]): Promise<ApiAnswer> {
  return eventually(async () => {
    const answer = await list();
    expect(sourceOf(answer)).toBe('cache');
    expect(secretsIn(answer).map(({ name, keys }) => `${name} ${keys.join()}`)).toEqual(wanted);
    return answer;
  }, WITHIN_MS);
}

describe('a list from the cache', () => {
  it('follows what someone else creates, changes and deletes', async () => {
    await here.fixture.kube.createSecret(here.namespace, nativeSecret('a', { one: '1' }));
    await cachedListBecomes(['a one']);
    await here.fixture.kube.patchSecret(here.namespace, 'a', {
      data: { two: Buffer.from('2').toString('base64') },
    });
    await cachedListBecomes(['a one,two']);
    await here.fixture.kube.deleteSecret(here.namespace, 'a');
    await cachedListBecomes([]);
  });

  it('is the same byte for byte as a live one, which may be requested', async () => {
    await here.secrets.createWithHistory('a', 2);
    await here.fixture.kube.createSecret(here.namespace, nativeSecret('by-hand', { key: 'value' }));
    const cached = await cachedListBecomes(['a key', 'by-hand key']);
    const requested = await live();
    expect(sourceOf(requested)).toBe('live');
    expect(requested.text).toBe(cached.text);
  });

  it('shows no one what a changed policy takes away, soon after the change', async () => {
    const developer = await here.fixture.signIn(DEVELOPER_A);
    await here.secrets.create('a');
    const shown = async () => (await developer.get(here.secrets.path())).text;
    await eventually(async () => {
      expect(await shown()).toContain('"name":"a"');
    }, WITHIN_MS);
    await here.fixture.kube.setPolicy(here.namespace, { allowedGroups: '["others"]' });
    await eventually(async () => {
      expect(await shown()).not.toContain('"name":"a"');
    }, WITHIN_MS);
  });
});
