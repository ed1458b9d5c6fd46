import { afterEach, describe, expect, it } from 'vitest';
import { errorOf } from '../../harness/answers.ts';
import { nativeSecret, snapshotNameOf, stateOf } from '../../harness/secret-paths.ts';
import { HISTORY, openDeleteFixture } from './delete-fixture.ts';
import { annotation } from '../../harness/annotation.ts';
import { eventually } from '../../harness/eventually.ts';

const { here, snapshotNames } = openDeleteFixture();

const liveUid = async (name: string): Promise<string> =>
  (await here.stack.kube.getSecret(here.namespace, name))?.metadata.uid ?? '';

describe('a deletion', () => {
  it('is 200 with exactly status, name, deleted, uid and history once the Secret is confirmed absent', async () => {
    const { resourceVersion } = await here.secrets.createWithHistory('a', 2);
    const uid = await liveUid('a');
    const answer = await here.stack.admin.delete(here.secrets.deletePath('a', resourceVersion));
    expect(answer.status).toBe(200);
    expect(answer.json).toStrictEqual({
      status: 'deleted',
      name: 'a',
      deleted: 'a',
      uid,
      history: 'cleaned',
    });
    expect(await here.stack.kube.listSecrets(here.namespace, HISTORY)).toEqual([]);
    errorOf(await here.stack.admin.get(here.secrets.path('a')), 404);
  });

  it('needs no history, and may be of a Secret that the service does not manage', async () => {
    await here.stack.kube.createSecret(here.namespace, nativeSecret('foreign', { key: 'v' }));
    const { resourceVersion } = await here.secrets.read('foreign');
    const answer = await here.stack.admin.delete(here.secrets.deletePath('foreign', resourceVersion));
    expect(answer.json).toMatchObject({ status: 'deleted', history: 'cleaned' });
  });

  it('may be of an immutable Secret', async () => {
    await here.stack.kube.createSecret(
      here.namespace,
      nativeSecret('fixed', { key: 'v' }, { immutable: true }),
    );
    const { resourceVersion } = await here.secrets.read('fixed');
    expect((await here.stack.admin.delete(here.secrets.deletePath('fixed', resourceVersion))).status).toBe(
      200,
    );
  });

  it('may be of a service account token', async () => {
    const type = 'kubernetes.io/service-account-token';
    const metadata = { annotations: { 'kubernetes.io/service-account.name': 'robot' } };
    // A controller removes tokens of no one, and fills in those of someone while this goes on.
    await here.stack.kube.createServiceAccount(here.namespace, 'robot');
    await here.stack.kube.createSecret(here.namespace, nativeSecret('token', {}, { type, metadata }));
    await eventually(async () => {
      const { resourceVersion } = await here.secrets.read('token');
      expect((await here.stack.admin.delete(here.secrets.deletePath('token', resourceVersion))).status).toBe(
        200,
      );
    });
  });

  it('needs no more than access by the rules of the Secret', async () => {
    const { resourceVersion } = await here.secrets.create('a', {
      data: {},
      allowedUsers: ['GUEST@example.com'],
    });
    expect((await here.stack.guest.delete(here.secrets.deletePath('a', resourceVersion))).status).toBe(200);
  });

  it('a revision that is no longer live is 409 and leaves Secret and history alone', async () => {
    const { resourceVersion } = await here.secrets.createWithHistory('a', 1);
    await here.stack.kube.patchSecret(here.namespace, 'a', { metadata: { labels: { touched: 'yes' } } });
    const before = await stateOf(here.stack.kube, here.namespace);
    expect(
      errorOf(await here.stack.admin.delete(here.secrets.deletePath('a', resourceVersion)), 409),
    ).toMatch(/reload/i);
    expect(await stateOf(here.stack.kube, here.namespace)).toEqual(before);
  });
});

describe('a deletion of a Secret with finalizers', () => {
  const FINALIZER = 'example.com/hold';

  // What is still held would hold the namespace, too.
  afterEach(() => here.stack.kube.removeFinalizers(here.namespace));

  async function held(name: string): Promise<string> {
    await here.secrets.createWithHistory(name, 1);
    await here.stack.kube.patchSecret(here.namespace, name, { metadata: { finalizers: [FINALIZER] } });
    return (await here.secrets.read(name)).resourceVersion;
  }

  it('is 202 with status, name, uid, resourceVersion, deletionTimestamp and history, and no deleted', async () => {
    const answer = await here.stack.admin.delete(here.secrets.deletePath('a', await held('a')));
    const { metadata } = (await here.stack.kube.getSecret(here.namespace, 'a')) ?? { metadata: { name: '' } };
    expect(answer.status).toBe(202);
    expect(metadata.deletionTimestamp).toEqual(expect.any(String));
    expect(answer.json).toStrictEqual({
      status: 'pending',
      name: 'a',
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
      deletionTimestamp: metadata.deletionTimestamp,
      history: 'cleaned',
    });
  });

  it('leaves the row in the list, with its deletionTimestamp, until the finalizers are gone', async () => {
    await here.stack.admin.delete(here.secrets.deletePath('a', await held('a')));
    const rows = async () =>
      (
        (await here.stack.admin.get(here.secrets.path())).json as {
          secrets: { deletionTimestamp?: string }[];
        }
      ).secrets;
    expect(await rows()).toEqual([
      expect.objectContaining({ deletionTimestamp: expect.any(String) as string }),
    ]);
    expect((await here.secrets.read('a')).deletionTimestamp).toEqual(expect.any(String));
    await here.stack.kube.patchSecret(here.namespace, 'a', { metadata: { finalizers: null } });
    // Someone else's change is seen by a watch, a little later.
    await eventually(async () => {
      expect(await rows()).toEqual([]);
    });
  });

  it('may be requested again, and is pending again', async () => {
    await here.stack.admin.delete(here.secrets.deletePath('a', await held('a')));
    const { resourceVersion } = await here.secrets.read('a');
    expect((await here.stack.admin.delete(here.secrets.deletePath('a', resourceVersion))).status).toBe(202);
  });

  it('with keepHistory=true is pending and retained', async () => {
    const answer = await here.stack.admin.delete(
      here.secrets.deletePath('a', await held('a'), '&keepHistory=true'),
    );
    expect(answer.status).toBe(202);
    expect(answer.json).toMatchObject({ status: 'pending', history: 'retained' });
    expect(await snapshotNames()).toHaveLength(1);
  });
});

describe('keepHistory=true', () => {
  it('leaves every snapshot exactly as it was', async () => {
    const { resourceVersion } = await here.secrets.createWithHistory('a', 2);
    const before = await here.stack.kube.listSecrets(here.namespace, HISTORY);
    const answer = await here.stack.admin.delete(
      here.secrets.deletePath('a', resourceVersion, '&keepHistory=true'),
    );
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ status: 'deleted', history: 'retained' });
    expect(before).toHaveLength(2);
    expect(await here.stack.kube.listSecrets(here.namespace, HISTORY)).toEqual(before);
  });

  it('retained snapshots never attach to a recreated name', async () => {
    const first = await here.secrets.createWithHistory('a', 2);
    const retained = [1, 2].map(async (version) => snapshotNameOf('a', version, await liveUid('a')));
    const names = await Promise.all(retained);
    await here.stack.admin.delete(here.secrets.deletePath('a', first.resourceVersion, '&keepHistory=true'));

    const second = await here.secrets.create('a');
    expect(second.version).toBe(1);
    expect(await here.secrets.versions('a')).toEqual([]);
    errorOf(await here.stack.admin.get(here.secrets.path('a', '/versions/1')), 404);
    const { resourceVersion } = second;
    errorOf(
      await here.stack.admin.post(here.secrets.path('a', '/restore'), { resourceVersion, version: 1 }),
      404,
    );

    const updated = await here.secrets.update('a', { data: { key: 'second life' } });
    expect(await here.secrets.versions('a')).toEqual([1]);
    expect(
      (await here.stack.admin.delete(here.secrets.deletePath('a', updated.resourceVersion))).json,
    ).toMatchObject({
      history: 'cleaned',
    });
    expect(await snapshotNames()).toEqual(names.sort());
  });
});

describe('only eligible bound snapshots are cleaned', () => {
  /**
   * Objects that look like history of `a` but lack a part of its metadata, or carry one that disagrees. A lost label is none of them:
   * the reconciler puts it back.
   */
  async function lookalikes(uid: string): Promise<readonly string[]> {
    const metadataOf = (version: number) => ({
      labels: { [annotation('kind')]: 'history', [annotation('history-uid')]: uid },
      annotations: {
        [annotation('kind')]: 'history',
        [annotation('history-of')]: 'a',
        [annotation('history-uid')]: uid,
        [annotation('history-version')]: String(version),
        [annotation('history-resource-version')]: '1',
        [annotation('history-type')]: 'Opaque',
      },
    });
    const without = (map: Readonly<Record<string, string>>, key: string) =>
      Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));
    const good = metadataOf(7);
    const objects: [string, object][] = [
      ['a.other-name', good],
      [
        snapshotNameOf('a', 71, uid),
        { ...metadataOf(71), annotations: without(metadataOf(71).annotations, annotation('kind')) },
      ],
      [snapshotNameOf('a', 74, uid), metadataOf(75)],
      [
        snapshotNameOf('a', 76, uid),
        {
          ...metadataOf(76),
          annotations: { ...metadataOf(76).annotations, [annotation('history-uid')]: 'another-uid' },
        },
      ],
      [snapshotNameOf('b', 7, uid), metadataOf(7)],
    ];
    for (const [name, metadata] of objects) {
      await here.stack.kube.createSecret(here.namespace, nativeSecret(name, { key: 'v' }, { metadata }));
    }
    return objects.map(([name]) => name).sort();
  }

  it('objects whose metadata is incomplete, or disagrees, or belongs to another Secret, stay', async () => {
    await here.secrets.createWithHistory('neighbour', 1);
    const neighbours = await snapshotNames();
    const { resourceVersion } = await here.secrets.createWithHistory('a', 2);
    const others = await lookalikes(await liveUid('a'));
    const answer = await here.stack.admin.delete(here.secrets.deletePath('a', resourceVersion));
    expect(answer.json).toMatchObject({ status: 'deleted', history: 'cleaned' });
    const left = (await here.stack.kube.listSecrets(here.namespace))
      .map(({ metadata }) => metadata.name)
      .sort();
    expect(left).toEqual([...others, ...neighbours, 'neighbour'].sort());
  });
});
