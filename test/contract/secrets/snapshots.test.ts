import { describe, expect, it } from 'vitest';
import { ADMIN, clientFor, DEVELOPER_A } from '../../harness/api-client.ts';
import { errorOf, secretOf } from '../../harness/answers.ts';
import { nativeSecret, secretsPath, snapshotNameOf } from '../../harness/secret-paths.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { KIND, openSnapshotsFixture } from './snapshots-fixture.ts';
import { annotation } from '../../harness/annotation.ts';

const { here, historyOf, uidOf } = openSnapshotsFixture();

describe('a snapshot', () => {
  it('holds the raw data of the source, its metadata, and nothing else', async () => {
    const name = here.freshName();
    const values = [
      ['text', 'ä\r\n'],
      ['binary', Uint8Array.of(0, 0xff, 0x80)],
      ['__proto__', 'own'],
      ['empty', ''],
    ] as const;
    const metadata = {
      labels: { app: 'x' },
      annotations: {
        [annotation('last-modified-by')]: 'before@example.com',
        [annotation('last-modified-at')]: '2026-01-02T03:04:05Z',
        other: 'x',
      },
      finalizers: ['example.com/hold'],
    };
    await here.stack.kube.createSecret(
      here.namespace,
      nativeSecret(name, values, { type: 'platform.io/custom', metadata }),
    );
    const source = await here.native(name);
    await here.secrets.update(name, { description: 'd', allowedGroups: ['g'] });

    const uid = source.metadata.uid ?? '';
    const snapshot = await here.native(snapshotNameOf(name, 1, uid));
    expect(snapshot.metadata.labels).toEqual({ [KIND]: 'history', [annotation('history-uid')]: uid });
    // Only where the watch of a busy machine is behind.
    const { [annotation('history-replaced-by')]: replacedBy, ...annotations } =
      snapshot.metadata.annotations ?? {};
    expect([undefined, (await here.native(name)).metadata.resourceVersion]).toContain(replacedBy);
    expect(annotations).toEqual({
      [KIND]: 'history',
      [annotation('history-of')]: name,
      [annotation('history-uid')]: uid,
      [annotation('history-version')]: '1',
      [annotation('history-resource-version')]: source.metadata.resourceVersion,
      [annotation('history-type')]: 'platform.io/custom',
      [annotation('last-modified-by')]: 'before@example.com',
      [annotation('last-modified-at')]: '2026-01-02T03:04:05Z',
    });
    expect(Object.entries(snapshot.data ?? {})).toEqual(Object.entries(source.data ?? {}));
    expect([snapshot.type, snapshot.immutable]).toEqual(['Opaque', true]);
    expect([snapshot.metadata.ownerReferences, snapshot.metadata.finalizers]).toEqual([undefined, undefined]);
    await here.stack.kube.patchSecret(here.namespace, name, { metadata: { finalizers: null } });
  });

  it('of a Secret whose name fills the limit has a name that fits and is found again', async () => {
    const name = `a.${'x'.repeat(200)}.${'y'.repeat(50)}`;
    await here.secrets.createWithHistory(name, 2);
    expect(await here.secrets.versions(name)).toEqual([2, 1]);
    const snapshots = await historyOf(await uidOf(name));
    for (const { metadata } of snapshots) {
      expect(metadata.name).toMatch(/^a\.x+\.y+\.v[12]\.[0-9a-f]{16}$/);
      expect(metadata.name.length).toBe(253);
    }
  });

  it('is never attached to a recreated name', async () => {
    const name = here.freshName();
    const former = await here.secrets.createWithHistory(name, 1);
    await here.stack.admin.delete(here.secrets.deletePath(name, former.resourceVersion, '&keepHistory=true'));
    await here.secrets.create(name);
    expect(await here.secrets.versions(name)).toEqual([]);
    errorOf(await here.stack.admin.get(here.secrets.path(name, '/versions/1')), 404);
    await here.secrets.update(name);
    expect(await here.secrets.versions(name)).toEqual([1]);
  });

  // A lost label is another matter: while the annotations agree it is put back.
  it.each<[string, object]>([
    ['its kind annotation', { metadata: { annotations: { [KIND]: null } } }],
    ['its UID', { metadata: { annotations: { [annotation('history-uid')]: null } } }],
    ['its version', { metadata: { annotations: { [annotation('history-version')]: null } } }],
    ['its true version', { metadata: { annotations: { [annotation('history-version')]: '2' } } }],
    ['its source revision', { metadata: { annotations: { [annotation('history-resource-version')]: '' } } }],
    ['its type', { metadata: { annotations: { [annotation('history-type')]: null } } }],
    ['its true live name', { metadata: { annotations: { [annotation('history-of')]: 'another' } } }],
  ])(
    'that has lost %s is neither listed, nor read, nor restored, nor taken for a live Secret',
    async (_what, patch) => {
      const name = here.freshName();
      const live = await here.secrets.createWithHistory(name, 1);
      const snapshot = snapshotNameOf(name, 1, await uidOf(name));
      await here.stack.kube.patchSecret(here.namespace, snapshot, patch);
      expect(await here.secrets.versions(name)).toEqual([]);
      errorOf(await here.stack.admin.get(here.secrets.path(name, '/versions/1')), 404);
      const restore = { resourceVersion: live.resourceVersion, version: 1 };
      errorOf(await here.stack.admin.post(here.secrets.path(name, '/restore'), restore), 404);
      errorOf(await here.stack.admin.get(secretsPath(here.namespace, snapshot)), 404);
    },
  );
});

describe('a snapshot name as :name answers 404 on every named operation', () => {
  it.each([
    ['GET', undefined],
    ['PUT', undefined],
    ['PATCH', undefined],
    ['DELETE', undefined],
    ['GET', 'versions'],
    ['GET', 'versions/1'],
    ['GET', 'keys/key'],
    ['GET', 'versions/1/keys/key'],
    ['POST', 'restore'],
  ])('%s …/%s', async (method, below) => {
    const name = here.freshName();
    await here.secrets.createWithHistory(name, 1);
    const snapshot = await here.native(snapshotNameOf(name, 1, await uidOf(name)));
    const path = secretsPath(here.namespace, snapshot.metadata.name, below);
    const query = method === 'DELETE' ? `?resourceVersion=${snapshot.metadata.resourceVersion ?? ''}` : '';
    const json = {
      resourceVersion: snapshot.metadata.resourceVersion,
      ...(below === 'restore' ? { version: 1 } : {}),
    };
    const hasBody = ['PUT', 'PATCH', 'POST'].includes(method);
    const answer = await here.stack.admin.send(method, `${path}${query}`, hasBody ? { json } : {});
    expect(errorOf(answer, 404)).toBe('Secret not found');
    expect(await here.native(snapshot.metadata.name)).toEqual(snapshot);
  });

  it.each([
    ['the label', { labels: { [KIND]: 'history' } }],
    ['the annotation', { annotations: { [KIND]: 'history' } }],
  ])('%s alone is enough to hide an object', async (_what, metadata) => {
    const name = here.freshName();
    await here.stack.kube.createSecret(here.namespace, nativeSecret(name, { a: 'b' }, { metadata }));
    errorOf(await here.stack.admin.get(here.secrets.path(name)), 404);
  });

  it('another kind does not hide one', async () => {
    const name = here.freshName();
    const metadata = { labels: { [KIND]: 'live' }, annotations: { [KIND]: 'History' } };
    await here.stack.kube.createSecret(here.namespace, nativeSecret(name, { a: 'b' }, { metadata }));
    expect((await here.secrets.read(name)).keys).toEqual(['a']);
  });
});

describe('the limit', () => {
  it('each update removes the snapshot that falls out of SERVICE_HISTORY_LIMIT', async () => {
    const { url } = await here.stack.anotherService({ env: { SERVICE_HISTORY_LIMIT: '2' } });
    const limited = secretsOf(await clientFor(url, ADMIN), here.namespace);
    const name = here.freshName();
    await limited.createWithHistory(name, 4);
    expect(await limited.versions(name)).toEqual([4, 3]);
    expect(await historyOf(await uidOf(name))).toHaveLength(2);
    const restore = { resourceVersion: (await limited.read(name)).resourceVersion, version: 3 };
    const client = await clientFor(url, DEVELOPER_A);
    expect(secretOf(await client.post(limited.path(name, '/restore'), restore)).data).toEqual({
      key: 'value 3',
    });
    expect(await limited.versions(name)).toEqual([5, 4]);
  });
});

describe('what has lost both labels of its kind', () => {
  it.each([
    ['with the label of its UID', { labels: { [KIND]: null }, annotations: { [KIND]: null } }],
    [
      'with the annotation of its UID',
      { labels: { [KIND]: null, [annotation('history-uid')]: null }, annotations: { [KIND]: null } },
    ],
  ])(
    'is still history, %s: no list shows it, no name finds it, no one changes it',
    async (_what, metadata) => {
      const name = here.freshName();
      await here.secrets.createWithHistory(name, 1);
      const snapshot = snapshotNameOf(name, 1, await uidOf(name));
      await here.stack.kube.patchSecret(here.namespace, snapshot, { metadata });
      const before = await here.native(snapshot);
      const live = { headers: { 'cache-control': 'no-cache' } };
      for (const client of [here.stack.admin, here.stack.developerA]) {
        errorOf(await client.get(secretsPath(here.namespace, snapshot)), 404);
        for (const answer of [
          await client.get(secretsPath(here.namespace), live),
          await client.get(secretsPath(here.namespace)),
        ]) {
          expect(answer.status).toBe(200);
          expect(answer.text).not.toContain(snapshot);
        }
      }
      const { resourceVersion } = before.metadata;
      const path = secretsPath(here.namespace, snapshot);
      errorOf(await here.stack.admin.put(path, { resourceVersion, data: {} }), 404);
      errorOf(await here.stack.admin.delete(`${path}?resourceVersion=${resourceVersion ?? ''}`), 404);
      expect(await here.native(snapshot)).toEqual(before);
    },
  );
});
