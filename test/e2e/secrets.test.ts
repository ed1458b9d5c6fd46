import { describe, expect, it } from 'vitest';
import { errorOf } from '../harness/answers.ts';
import { nativeSecret, snapshotNameOf } from '../harness/secret-paths.ts';
import { freshNamespaces } from './fixture.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const history = () => `${here.fixture.annotationPrefix}/kind=history`;

const here = freshNamespaces();

const snapshots = async (): Promise<readonly string[]> =>
  (await here.fixture.kube.listSecrets(here.namespace, history())).map(({ metadata }) => metadata.name);

describe('a Secret', () => {
  it('arrives in the cluster byte for byte, under every key that a cluster takes', async () => {
    const values: [string, string][] = [
      ['__proto__', 'polluted?'],
      ['constructor', 'no'],
      ['empty', ''],
      ['utf-8.txt', '\ufeff línea\r\n\t日本 \ufffd'],
    ];
    await here.secrets.create('hazards', { data: Object.fromEntries(values), description: 'of all kinds' });
    const native = await here.fixture.kube.getSecret(here.namespace, 'hazards');
    expect(Object.entries(native?.data ?? {}).toSorted()).toEqual(
      values.map(([key, value]) => [key, base64(value)] as const).toSorted(),
    );
    expect(native?.metadata.annotations).toMatchObject({
      [`${here.fixture.annotationPrefix}/managed-by`]: 'service',
      [`${here.fixture.annotationPrefix}/version`]: '1',
      [`${here.fixture.annotationPrefix}/description`]: 'of all kinds',
    });
    expect(Object.entries((await here.secrets.read('hazards')).data).toSorted()).toEqual(values.toSorted());
  });

  it('with bytes that are not text is shown as base64 and not overwritten as text', async () => {
    const bytes = Uint8Array.from([0, 159, 146, 150]);
    await here.fixture.kube.createSecret(
      here.namespace,
      nativeSecret('binary', { blob: bytes, text: 'plain' }),
    );
    const secret = await here.secrets.read('binary');
    expect(secret.binaryData).toEqual({ blob: Buffer.from(bytes).toString('base64') });
    expect(secret.data).toEqual({ text: 'plain' });
    const { resourceVersion } = secret;
    errorOf(await here.admin.put(here.secrets.path('binary'), { resourceVersion, data: {} }), 422);
  });

  it('is archived before each update, and any version comes back', async () => {
    const { data } = await here.secrets.createWithHistory('a', 2);
    expect(await here.secrets.versions('a')).toEqual([2, 1]);
    const uid = (await here.fixture.kube.getSecret(here.namespace, 'a'))?.metadata.uid ?? '';
    expect((await snapshots()).toSorted()).toEqual(
      [1, 2].map((version) => snapshotNameOf('a', version, uid)),
    );
    const { resourceVersion } = await here.secrets.read('a');
    const restored = await here.admin.post(here.secrets.path('a', '/restore'), {
      resourceVersion,
      version: 1,
    });
    expect(restored.status).toBe(200);
    expect((await here.fixture.kube.getSecret(here.namespace, 'a'))?.data).toEqual({
      key: base64('value 1'),
    });
    expect(data).toEqual({ key: 'value 3' });
    expect(await here.secrets.versions('a')).toEqual([3, 2, 1]);
  });
});

describe('a Secret as large as the cluster can store', () => {
  /** The limit of requests of etcd, less what the service leaves for the rest of the object. */
  const STORED = 1_507_328;
  const KEYS = 900; // with fewer the limit of all values is met first

  /** Counted as the service counts, without annotations. */
  const dataOf = (bytes: number): Record<string, string> => {
    const names = Array.from({ length: KEYS }, (_one, index) => `${index}`.padStart(253, 'k'));
    const rest = bytes - KEYS * (2 * 253 + 24) - (2 + 24);
    return { ...Object.fromEntries(names.map((name) => [name, ''])), z: 'x'.repeat(rest) };
  };

  it.each([
    [0, 413],
    [250, 413],
    [1_000, 200],
  ])(
    'with %i bytes left for annotations answers %i to each write, and is stored or is not',
    async (left, status) => {
      const data = dataOf(STORED - left);
      const posted = await here.admin.post(here.secrets.path(), { name: 'posted', data });
      expect(posted.status).toBe(status === 200 ? 201 : status);
      for (const name of ['put', 'patched']) await here.secrets.create(name, { data: { z: 'small' } });
      const { resourceVersion } = await here.secrets.read('put');
      const put = await here.admin.put(here.secrets.path('put'), { resourceVersion, data });
      const patch = { resourceVersion: (await here.secrets.read('patched')).resourceVersion, set: data };
      const patched = await here.admin.patch(here.secrets.path('patched'), patch);
      expect([put.status, patched.status]).toEqual([status, status]);
      if (status === 413)
        for (const answer of [posted, put, patched]) expect(errorOf(answer, 413)).toContain('1,507,328');
      for (const name of ['put', 'patched'])
        expect((await here.secrets.read(name)).data).toEqual(status === 200 ? data : { z: 'small' });
      // What is stored is archived, so that it can be changed.
      if (status === 200) await here.secrets.update('put', { data: { z: 'small again' } });
      expect(await here.secrets.versions('put')).toEqual(status === 200 ? [2, 1] : []);
    },
  );
});

describe('a deletion', () => {
  it('cleans the history, unless it is requested to keep it', async () => {
    for (const [name, more, status] of [
      ['cleaned', '', 'cleaned'],
      ['retained', '&keepHistory=true', 'retained'],
    ] as const) {
      const { resourceVersion } = await here.secrets.createWithHistory(name, 2);
      const answer = await here.admin.delete(here.secrets.deletePath(name, resourceVersion, more));
      expect([answer.status, answer.json]).toEqual([200, expect.objectContaining({ history: status })]);
      expect(await here.fixture.kube.getSecret(here.namespace, name)).toBeUndefined();
    }
    expect((await snapshots()).filter((name) => name.startsWith('cleaned.'))).toEqual([]);
    expect((await snapshots()).filter((name) => name.startsWith('retained.'))).toHaveLength(2);
  });

  it('that a finalizer holds up is pending, not done', async () => {
    const metadata = { finalizers: ['example.com/hold'] };
    await here.fixture.kube.createSecret(
      here.namespace,
      nativeSecret('held', { key: 'value' }, { metadata }),
    );
    const { resourceVersion } = await here.secrets.read('held');
    const answer = await here.admin.delete(here.secrets.deletePath('held', resourceVersion));
    expect(answer.status).toBe(202);
    expect(answer.json).toMatchObject({ status: 'pending', name: 'held' });
    expect(answer.json).not.toHaveProperty('deleted');
    expect((await here.secrets.read('held')).deletionTimestamp).toBeDefined();
    await here.fixture.kube.patchSecret(here.namespace, 'held', { metadata: { finalizers: null } });
    errorOf(await here.admin.get(here.secrets.path('held')), 404);
  });

  it('under a stale revision deletes nothing', async () => {
    const { resourceVersion } = await here.secrets.create('a');
    await here.secrets.update('a', { data: { key: 'newer' } });
    errorOf(await here.admin.delete(here.secrets.deletePath('a', resourceVersion)), 409);
    expect(await here.secrets.versions('a')).toEqual([1]);
  });
});
