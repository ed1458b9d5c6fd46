import { describe, expect, it } from 'vitest';
import { errorOf, secretOf, versionsOf, type SecretJson } from '../../harness/answers.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import { nativeSecret, snapshotNameOf } from '../../harness/secret-paths.ts';
import { openSnapshotsFixture } from './snapshots-fixture.ts';
import { annotation } from '../../harness/annotation.ts';

const { here, historyOf, uidOf } = openSnapshotsFixture();

const put = ({ name, resourceVersion }: SecretJson, body: object = {}, client = here.stack.admin) =>
  client.put(here.secrets.path(name), { resourceVersion, ...body });

describe('collisions', () => {
  it('an unrelated object under the snapshot name answers 409, and neither object changes', async () => {
    const name = here.freshName();
    const secret = await here.secrets.create(name);
    const squatter = nativeSecret(snapshotNameOf(name, 1, await uidOf(name)), { other: 'x' });
    const stored = await here.stack.kube.createSecret(here.namespace, squatter);
    const live = await here.native(name);
    expect(errorOf(await put(secret, { data: { a: '2' } }), 409)).toMatch(
      /admin must review.*recoverCounter: true/,
    );
    expect([await here.native(name), await here.native(stored.metadata.name)]).toEqual([live, stored]);
  });

  it('the answer to a PATCH, which has no recoverCounter, names the PUT that has', async () => {
    const name = here.freshName();
    const secret = await here.secrets.create(name);
    const squatter = nativeSecret(snapshotNameOf(name, 1, await uidOf(name)), { other: 'x' });
    await here.stack.kube.createSecret(here.namespace, squatter);
    const patch = ({ resourceVersion }: SecretJson) =>
      here.stack.admin.patch(here.secrets.path(name), { resourceVersion, set: { a: '2' } });
    expect(errorOf(await patch(secret), 409)).toMatch(/admin must review.* PUT with recoverCounter: true$/);
    const recovered = secretOf(await put(secret, { recoverCounter: true }));
    expect(secretOf(await patch(recovered))).toMatchObject({ version: 4 });
  });

  it('with recoverCounter an admin gets past an unrelated object, which stays as it is', async () => {
    const name = here.freshName();
    const secret = await here.secrets.create(name);
    const squatter = nativeSecret(snapshotNameOf(name, 1, await uidOf(name)), { other: 'x' });
    const stored = await here.stack.kube.createSecret(here.namespace, squatter);
    expect(secretOf(await put(secret, { data: { a: '2' }, recoverCounter: true })).version).toBe(3);
    expect(await here.secrets.versions(name)).toEqual([2]);
    expect(await here.native(stored.metadata.name)).toEqual(stored);
  });

  it('one recovery gets past all planted names, whatever their numbers are', async () => {
    const name = here.freshName();
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
    const name = here.freshName();
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
    const name = here.freshName();
    await here.secrets.createWithHistory(name, 1);
    await here.stack.kube.patchSecret(here.namespace, name, {
      metadata: { annotations: { [annotation('version')]: '1' } },
    });
    return here.secrets.read(name);
  }

  it('a snapshot of another source revision answers 409 before the replacement', async () => {
    const secret = await outdatedSnapshot();
    const before = await here.native(secret.name);
    errorOf(await put(secret, { description: 'd' }), 409);
    expect(await here.native(secret.name)).toEqual(before);
  });

  it('recoverCounter is for admins: others get 403, and nothing changes', async () => {
    const secret = await outdatedSnapshot();
    const before = await here.native(secret.name);
    expect(errorOf(await put(secret, { recoverCounter: true }, here.stack.developerA), 403)).toMatch(/admin/);
    expect(await here.native(secret.name)).toEqual(before);
  });

  it('with recoverCounter an admin moves the counter past the newest archived version; both states are kept', async () => {
    const secret = await outdatedSnapshot();
    const recovered = secretOf(await put(secret, { data: { key: 'after' }, recoverCounter: true }));
    expect(recovered.version).toBe(3);
    expect(await here.secrets.versions(secret.name)).toEqual([2, 1]);
    expect(secretOf(await put(recovered, { description: 'goes on' })).version).toBe(4);
  });

  it('recoverCounter without a collision changes nothing about an update', async () => {
    const secret = await here.secrets.createWithHistory(here.freshName(), 2);
    expect(secretOf(await put(secret, { recoverCounter: true })).version).toBe(4);
    expect(await here.secrets.versions(secret.name)).toEqual([3, 2, 1]);
  });
});

describe.runIf(ON_DEV_CLUSTER)('with the request log and faults of the development cluster', () => {
  it('the snapshot is stored before the live object is replaced', async () => {
    const secret = await here.secrets.create(here.freshName());
    const since = here.stack.dev.requests.last;
    await here.secrets.update(secret.name);
    const calls = here.stack.dev.requests
      .list(since)
      .filter((call) => call.namespace === here.namespace && call.resource === 'secrets');
    const writes = calls
      .filter(({ verb }) => verb !== 'get')
      .map(({ verb, name, status }) => [verb, name, status]);
    const snapshot = snapshotNameOf(secret.name, 1, await uidOf(secret.name));
    expect(writes.slice(0, 2)).toEqual([
      ['create', '', 201],
      ['update', secret.name, 200],
    ]);
    // Only where the watch of a busy machine is behind.
    for (const further of writes.slice(2)) expect(further).toEqual(['patch', snapshot, 200]);
  });

  it('after a replacement that failed, the next attempt reuses the snapshot and finishes the job', async () => {
    const secret = await here.secrets.create(here.freshName());
    const match = { verb: 'update', resource: 'secrets', name: secret.name };
    here.stack.dev.faults.add({ match, times: 1, action: { type: 'status', status: 503 } });
    errorOf(await put(secret, { data: { a: '2' } }), 503);
    const uid = await uidOf(secret.name);
    const archived = await here.native(snapshotNameOf(secret.name, 1, uid));
    expect((await here.secrets.read(secret.name)).resourceVersion).toBe(secret.resourceVersion);
    expect(secretOf(await put(secret, { data: { a: '2' } }))).toMatchObject({ version: 2, data: { a: '2' } });
    expect((await historyOf(uid)).map(({ metadata }) => metadata.uid)).toEqual([archived.metadata.uid]);
  });

  it('after a failed replacement and an edit with kubectl, the update is refused until an admin has reviewed', async () => {
    const secret = await here.secrets.create(here.freshName(), { data: { a: 'first' } });
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
    const secret = await here.secrets.createWithHistory(here.freshName(), snapshots);
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
