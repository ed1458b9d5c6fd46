import { describe, expect, it } from 'vitest';
import { ADMIN, clientFor, DEVELOPER_A } from '../../harness/api-client.ts';
import { errorOf, secretOf, versionsOf, type SecretJson } from '../../harness/answers.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import { nativeSecret, secretsPath, snapshotNameOf } from '../../harness/secret-paths.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { openNamespaceFixture } from './namespace-fixture.ts';

const KIND = 'service.io/kind';

const here = openNamespaceFixture();
const { freshName, native } = here;

const put = ({ name, resourceVersion }: SecretJson, body: object = {}, client = here.stack.admin) =>
  client.put(here.secrets.path(name), { resourceVersion, ...body });

const uidOf = async (name: string) => (await native(name)).metadata.uid ?? '';
const historyOf = async (uid: string) =>
  here.stack.kube.listSecrets(here.namespace, `${KIND}=history,service.io/history-uid=${uid}`);

describe('a snapshot', () => {
  it('holds the raw data of the source, its metadata, and nothing else', async () => {
    const name = freshName();
    const values = [
      ['text', 'ä\r\n'],
      ['binary', Uint8Array.of(0, 0xff, 0x80)],
      ['__proto__', 'own'],
      ['empty', ''],
    ] as const;
    const metadata = {
      labels: { app: 'x' },
      annotations: {
        'service.io/last-modified-by': 'before@example.com',
        'service.io/last-modified-at': '2026-01-02T03:04:05Z',
        other: 'x',
      },
      finalizers: ['example.com/hold'],
    };
    await here.stack.kube.createSecret(
      here.namespace,
      nativeSecret(name, values, { type: 'platform.io/custom', metadata }),
    );
    const source = await native(name);
    await here.secrets.update(name, { description: 'd', allowedGroups: ['g'] });

    const uid = source.metadata.uid ?? '';
    const snapshot = await native(snapshotNameOf(name, 1, uid));
    expect(snapshot.metadata.labels).toEqual({ [KIND]: 'history', 'service.io/history-uid': uid });
    expect(snapshot.metadata.annotations).toEqual({
      [KIND]: 'history',
      'service.io/history-of': name,
      'service.io/history-uid': uid,
      'service.io/history-version': '1',
      'service.io/history-resource-version': source.metadata.resourceVersion,
      'service.io/history-type': 'platform.io/custom',
      'service.io/history-replaced-by': (await native(name)).metadata.resourceVersion,
      'service.io/last-modified-by': 'before@example.com',
      'service.io/last-modified-at': '2026-01-02T03:04:05Z',
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
    const name = freshName();
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
    ['its UID', { metadata: { annotations: { 'service.io/history-uid': null } } }],
    ['its version', { metadata: { annotations: { 'service.io/history-version': null } } }],
    ['its true version', { metadata: { annotations: { 'service.io/history-version': '2' } } }],
    ['its source revision', { metadata: { annotations: { 'service.io/history-resource-version': '' } } }],
    ['its type', { metadata: { annotations: { 'service.io/history-type': null } } }],
    ['its true live name', { metadata: { annotations: { 'service.io/history-of': 'another' } } }],
  ])(
    'that has lost %s is neither listed, nor read, nor restored, nor taken for a live Secret',
    async (_what, patch) => {
      const name = freshName();
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
    ['DELETE', undefined],
    ['GET', 'versions'],
    ['GET', 'versions/1'],
    ['POST', 'restore'],
  ])('%s …/%s', async (method, below) => {
    const name = freshName();
    await here.secrets.createWithHistory(name, 1);
    const snapshot = await native(snapshotNameOf(name, 1, await uidOf(name)));
    const path = secretsPath(here.namespace, snapshot.metadata.name, below);
    const query = method === 'DELETE' ? `?resourceVersion=${snapshot.metadata.resourceVersion ?? ''}` : '';
    const json = {
      resourceVersion: snapshot.metadata.resourceVersion,
      ...(below === 'restore' ? { version: 1 } : {}),
    };
    const hasBody = method === 'PUT' || method === 'POST';
    const answer = await here.stack.admin.send(method, `${path}${query}`, hasBody ? { json } : {});
    expect(errorOf(answer, 404)).toBe('Secret not found');
    expect(await native(snapshot.metadata.name)).toEqual(snapshot);
  });

  it.each([
    ['the label', { labels: { [KIND]: 'history' } }],
    ['the annotation', { annotations: { [KIND]: 'history' } }],
  ])('%s alone is enough to hide an object', async (_what, metadata) => {
    const name = freshName();
    await here.stack.kube.createSecret(here.namespace, nativeSecret(name, { a: 'b' }, { metadata }));
    errorOf(await here.stack.admin.get(here.secrets.path(name)), 404);
  });

  it('another kind does not hide one', async () => {
    const name = freshName();
    const metadata = { labels: { [KIND]: 'live' }, annotations: { [KIND]: 'History' } };
    await here.stack.kube.createSecret(here.namespace, nativeSecret(name, { a: 'b' }, { metadata }));
    expect((await here.secrets.read(name)).keys).toEqual(['a']);
  });
});

describe('collisions', () => {
  it('an unrelated object under the snapshot name answers 409, and neither object changes', async () => {
    const name = freshName();
    const secret = await here.secrets.create(name);
    const squatter = nativeSecret(snapshotNameOf(name, 1, await uidOf(name)), { other: 'x' });
    const stored = await here.stack.kube.createSecret(here.namespace, squatter);
    const live = await native(name);
    expect(errorOf(await put(secret, { data: { a: '2' } }), 409)).toMatch(
      /admin must review.*recoverCounter: true/,
    );
    expect([await native(name), await native(stored.metadata.name)]).toEqual([live, stored]);
  });

  it('with recoverCounter an admin gets past an unrelated object, which stays as it is', async () => {
    const name = freshName();
    const secret = await here.secrets.create(name);
    const squatter = nativeSecret(snapshotNameOf(name, 1, await uidOf(name)), { other: 'x' });
    const stored = await here.stack.kube.createSecret(here.namespace, squatter);
    expect(secretOf(await put(secret, { data: { a: '2' }, recoverCounter: true })).version).toBe(3);
    expect(await here.secrets.versions(name)).toEqual([2]);
    expect(await native(stored.metadata.name)).toEqual(stored);
  });

  it('one recovery gets past all planted names, whatever their numbers are', async () => {
    const name = freshName();
    const secret = await here.secrets.create(name);
    const uid = await uidOf(name);
    for (const version of [1, 3, 5, 9_007_199_254_740_990, Number.MAX_SAFE_INTEGER]) {
      await here.stack.kube.createSecret(
        here.namespace,
        nativeSecret(snapshotNameOf(name, version, uid), {}),
      );
    }
    errorOf(await put(secret, { description: 'blocked' }), 409);
    const recovered = secretOf(await put(secret, { description: 'free', recoverCounter: true }));
    expect(recovered.version).toBe(7);
    let next = recovered;
    for (const version of [8, 9, 10]) {
      next = secretOf(await put(next, { description: `version ${version}` }, here.stack.developerA));
      expect(next.version).toBe(version);
    }
  });

  it('no one takes the name of a snapshot through the service, administrators included', async () => {
    const name = freshName();
    await here.secrets.create(name);
    const taken = snapshotNameOf(name, 1, await uidOf(name));
    for (const client of [here.stack.developerA, here.stack.admin]) {
      const answer = await client.post(here.secrets.path(), { name: taken });
      expect(errorOf(answer, 400)).toMatch(/^name must not end like the name of a snapshot/);
    }
    expect(await here.stack.kube.getSecret(here.namespace, taken)).toBeUndefined();
  });

  /** Leaves a snapshot of version 1 whose source was edited with kubectl afterwards. */
  async function outdatedSnapshot(): Promise<SecretJson> {
    const name = freshName();
    await here.secrets.createWithHistory(name, 1);
    await here.stack.kube.patchSecret(here.namespace, name, {
      metadata: { annotations: { 'service.io/version': '1' } },
    });
    return here.secrets.read(name);
  }

  it('a snapshot of another source revision answers 409 before the replacement', async () => {
    const secret = await outdatedSnapshot();
    const before = await native(secret.name);
    errorOf(await put(secret, { description: 'd' }), 409);
    expect(await native(secret.name)).toEqual(before);
  });

  it('recoverCounter is for admins: others get 403, and nothing changes', async () => {
    const secret = await outdatedSnapshot();
    const before = await native(secret.name);
    expect(errorOf(await put(secret, { recoverCounter: true }, here.stack.developerA), 403)).toMatch(/admin/);
    expect(await native(secret.name)).toEqual(before);
  });

  it('with recoverCounter an admin moves the counter past the newest archived version; both states are kept', async () => {
    const secret = await outdatedSnapshot();
    const recovered = secretOf(await put(secret, { data: { key: 'after' }, recoverCounter: true }));
    expect(recovered.version).toBe(3);
    expect(await here.secrets.versions(secret.name)).toEqual([2, 1]);
    expect(secretOf(await put(recovered, { description: 'goes on' })).version).toBe(4);
  });

  it('recoverCounter without a collision changes nothing about an update', async () => {
    const secret = await here.secrets.createWithHistory(freshName(), 2);
    expect(secretOf(await put(secret, { recoverCounter: true })).version).toBe(4);
    expect(await here.secrets.versions(secret.name)).toEqual([3, 2, 1]);
  });
});

describe('the limit', () => {
  it('each update removes the snapshot that falls out of SERVICE_HISTORY_LIMIT', async () => {
    const { url } = await here.stack.anotherService({ env: { SERVICE_HISTORY_LIMIT: '2' } });
    const limited = secretsOf(await clientFor(url, ADMIN), here.namespace);
    const name = freshName();
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

describe.runIf(ON_DEV_CLUSTER)('with the request log and faults of the development cluster', () => {
  it('the snapshot is stored before the live object is replaced', async () => {
    const secret = await here.secrets.create(freshName());
    const since = here.stack.dev.requests.last;
    await here.secrets.update(secret.name);
    const calls = here.stack.dev.requests
      .list(since)
      .filter((call) => call.namespace === here.namespace && call.resource === 'secrets');
    const writes = calls
      .filter(({ verb }) => verb !== 'get')
      .map(({ verb, name, status }) => [verb, name, status]);
    const snapshot = snapshotNameOf(secret.name, 1, await uidOf(secret.name));
    expect(writes).toEqual([
      ['create', '', 201],
      ['update', secret.name, 200],
      ['patch', snapshot, 200],
    ]);
  });

  it('after a replacement that failed, the next attempt reuses the snapshot and finishes the job', async () => {
    const secret = await here.secrets.create(freshName());
    const match = { verb: 'update', resource: 'secrets', name: secret.name };
    here.stack.dev.faults.add({ match, times: 1, action: { type: 'status', status: 503 } });
    errorOf(await put(secret, { data: { a: '2' } }), 503);
    const uid = await uidOf(secret.name);
    const archived = await native(snapshotNameOf(secret.name, 1, uid));
    expect((await here.secrets.read(secret.name)).resourceVersion).toBe(secret.resourceVersion);
    expect(secretOf(await put(secret, { data: { a: '2' } }))).toMatchObject({ version: 2, data: { a: '2' } });
    expect((await historyOf(uid)).map(({ metadata }) => metadata.uid)).toEqual([archived.metadata.uid]);
  });

  it('after a failed replacement and an edit with kubectl, the update is refused until an admin has reviewed', async () => {
    const secret = await here.secrets.create(freshName(), { data: { a: 'first' } });
    const match = { verb: 'update', resource: 'secrets', name: secret.name };
    here.stack.dev.faults.add({ match, times: 1, action: { type: 'status', status: 503 } });
    errorOf(await put(secret, { data: { a: 'lost' } }), 503);
    await here.stack.kube.patchSecret(here.namespace, secret.name, {
      data: { a: Buffer.from('by kubectl').toString('base64') },
    });
    const edited = await here.secrets.read(secret.name);
    errorOf(await put(edited, { data: { a: 'again' } }), 409);
    const recovered = secretOf(await put(edited, { data: { a: 'again' }, recoverCounter: true }));
    expect(recovered.version).toBe(3);
    const { versions } = versionsOf(await here.stack.admin.get(here.secrets.path(secret.name, '/versions')));
    expect(versions.map(({ version, resourceVersion }) => [version, resourceVersion])).toEqual([
      [2, edited.resourceVersion],
      [1, secret.resourceVersion],
    ]);
  });

  it.each([
    ['created', 'create', 1],
    ['pruned', 'delete', 11],
  ])('a snapshot that cannot be %s answers 503 before the replacement', async (_what, verb, snapshots) => {
    const secret = await here.secrets.createWithHistory(freshName(), snapshots);
    const fault = here.stack.dev.faults.add({
      match: { verb, resource: 'secrets', namespace: here.namespace },
      action: { type: 'status', status: 500 },
    });
    expect(errorOf(await put(secret, { data: { a: '2' } }), 503)).toMatch(/history/i);
    fault.remove();
    expect((await here.secrets.read(secret.name)).resourceVersion).toBe(secret.resourceVersion);
    expect(secretOf(await put(secret, { data: { a: '2' } })).version).toBe(secret.version + 1);
  });
});

describe('what has lost both labels of its kind', () => {
  it.each([
    ['with the label of its UID', { labels: { [KIND]: null }, annotations: { [KIND]: null } }],
    [
      'with the annotation of its UID',
      { labels: { [KIND]: null, 'service.io/history-uid': null }, annotations: { [KIND]: null } },
    ],
  ])(
    'is still history, %s: no list shows it, no name finds it, no one changes it',
    async (_what, metadata) => {
      const name = freshName();
      await here.secrets.createWithHistory(name, 1);
      const snapshot = snapshotNameOf(name, 1, await uidOf(name));
      await here.stack.kube.patchSecret(here.namespace, snapshot, { metadata });
      const before = await native(snapshot);
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
      expect(await native(snapshot)).toEqual(before);
    },
  );
});
