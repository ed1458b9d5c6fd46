import { describe, expect, it } from 'vitest';
import { createFakeHistoryIndex } from '../../../fakes/fake-history-index.ts';
import type { FakeCluster } from '../../../fakes/fake-cluster.ts';
import { archive } from '../../../../src/history/snapshot/archive.ts';
import { beginDeletion, confirmArchived } from '../../../../src/history/snapshot/confirm.ts';
import type { HistoryIndex } from '../../../../src/history/snapshot/inventory.ts';
import type { StoredSecret } from '../../../../src/kube/secret.ts';
import type { ErrorCode } from '../../../../src/errors/service-error.ts';
import { contextOf, deadline, callLines, clusterWithLive, withEntries } from '../live-secret.ts';

async function fixture(index?: (cluster: FakeCluster) => HistoryIndex) {
  const { cluster, live } = clusterWithLive();
  const archived = await archive(contextOf(cluster.secrets), live, 3, deadline);
  cluster.calls.length = 0;
  const ref = { namespace: archived.stored.namespace, name: archived.stored.name };
  return {
    cluster,
    live,
    ref,
    listed: archived.stored,
    snapshot: () => cluster.peek(ref),
    confirm: (isNew = archived.isNew) =>
      confirmArchived(
        contextOf(cluster.secrets, { index: index?.(cluster) }),
        { ...archived, isNew },
        { ...live, resourceVersion: '2000' },
        deadline,
      ),
  };
}

describe('after a replacement, an archived state that the watch shows as this attempt has stored it', () => {
  it('needs no call', async () => {
    const { cluster, confirm, snapshot, listed } = await fixture(createFakeHistoryIndex);
    await confirm();
    expect(callLines(cluster)).toEqual([]);
    expect(snapshot()).toEqual(listed);
  });

  it('is looked for at the revision of the replacement', async () => {
    const revisions: string[] = [];
    const { confirm } = await fixture((cluster) => ({
      at: (where, within) => {
        revisions.push(where.resourceVersion);
        return createFakeHistoryIndex(cluster).at(where, within);
      },
    }));
    await confirm();
    expect(revisions).toEqual(['2000']);
  });

  it('is marked all the same when an earlier attempt has stored it', async () => {
    const { cluster, confirm } = await fixture(createFakeHistoryIndex);
    await confirm(false);
    expect(callLines(cluster)).toEqual(['patchMetadata db.v3.…']);
  });

  it('is marked when a deletion of the replaced revision has begun', async () => {
    const { cluster, ref, listed, confirm, snapshot } = await fixture(createFakeHistoryIndex);
    const begun = await beginDeletion(contextOf(cluster.secrets), listed, deadline);
    await confirm();
    expect(snapshot()?.annotations.get('service.io/history-replaced-by')).toBe('2000');
    await expect(cluster.secrets.delete(ref, begun, deadline)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is marked when it is being deleted, which is then found', async () => {
    const { cluster, confirm } = await fixture((given) => {
      const current = createFakeHistoryIndex(given);
      return {
        at: async (where, within) => {
          const known = await current.at(where, within);
          if (known === undefined) return undefined;
          const historyOf = (uid: string) =>
            known.historyOf(uid).map((one) => ({ ...one, terminating: true }));
          return { ...known, historyOf };
        },
      };
    });
    await confirm();
    expect(callLines(cluster)).toContain('patchMetadata db.v3.…');
  });

  it('is stored again when it is gone', async () => {
    const { cluster, ref, confirm, snapshot } = await fixture(createFakeHistoryIndex);
    cluster.remove(ref);
    await confirm();
    expect(snapshot()).toBeDefined();
  });

  it('is marked when the watch has not reached the replacement', async () => {
    const { cluster, confirm } = await fixture(() => ({ at: () => Promise.resolve(undefined) }));
    await confirm();
    expect(callLines(cluster)).toEqual(['patchMetadata db.v3.…']);
  });
});

const holdsThe = (live: StoredSecret) => ({ type: 'Opaque', immutable: true, data: live.data });

describe('after a replacement, the archived state', () => {
  it('is marked with one call, which says what has replaced it', async () => {
    const { cluster, live, confirm, snapshot } = await fixture();
    await confirm();
    expect(callLines(cluster)).toEqual(['patchMetadata db.v3.…']);
    expect(snapshot()).toMatchObject(holdsThe(live));
    expect(snapshot()?.annotations.get('service.io/history-replaced-by')).toBe('2000');
  });

  it('can no longer be deleted by whoever has listed it before', async () => {
    const { cluster, ref, listed, confirm, snapshot } = await fixture();
    await confirm();
    await expect(cluster.secrets.delete(ref, listed, deadline)).rejects.toMatchObject({ code: 'conflict' });
    expect(snapshot()).toBeDefined();
  });

  it('is stored again, byte for byte, when it is gone', async () => {
    const { cluster, live, ref, listed, confirm, snapshot } = await fixture();
    cluster.remove(ref);
    await confirm();
    expect(callLines(cluster)).toEqual(['patchMetadata db.v3.…', 'read db.v3.…', 'create db.v3.…']);
    expect(snapshot()).toMatchObject(holdsThe(live));
    expect(snapshot()?.annotations).toEqual(
      withEntries(listed.annotations, { 'service.io/history-replaced-by': '2000' }),
    );
    await expect(cluster.secrets.delete(ref, listed, deadline)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is marked in the revision that it has when someone has changed it', async () => {
    const { cluster, ref, confirm, snapshot } = await fixture();
    cluster.touch(ref);
    await confirm();
    expect(snapshot()?.annotations.get('service.io/history-replaced-by')).toBe('2000');
  });

  it.each<[what: string, when: 'before' | 'after', code: ErrorCode]>([
    ['that did not happen', 'before', 'unavailable'],
    ['that may have happened', 'before', 'uncertain'],
    ['that has happened', 'after', 'uncertain'],
  ])('is looked at again after a confirmation %s', async (_what, when, code) => {
    const { cluster, confirm, snapshot } = await fixture();
    cluster.fail({ method: 'secrets.patchMetadata', when }, code);
    await confirm();
    expect(snapshot()?.annotations.get('service.io/history-replaced-by')).toBe('2000');
  });

  it('is looked at again after it was stored again without an answer', async () => {
    const { cluster, ref, confirm, snapshot } = await fixture();
    cluster.remove(ref);
    cluster.fail({ method: 'secrets.create', when: 'after' }, 'uncertain');
    await confirm();
    expect(snapshot()).toBeDefined();
    expect(callLines(cluster).at(-1)).toBe('read db.v3.…');
  });
});

describe('an update is not acknowledged', () => {
  const unproven = (reason: string) => ({
    code: 'uncertain',
    reason: `archiveNotConfirmed:${reason}`,
    message: expect.stringContaining('The Secret was changed') as string,
  });

  it('when its archived state is being deleted', async () => {
    const { cluster, ref, confirm } = await fixture();
    cluster.touch(ref, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/hold'] });
    await expect(confirm()).rejects.toMatchObject(unproven('snapshotBeingDeleted'));
  });

  it('when its archived state was marked without an answer, and is being deleted since', async () => {
    const { cluster, ref, confirm } = await fixture();
    cluster.fail({ method: 'secrets.patchMetadata', when: 'after' }, 'uncertain');
    cluster.on({ method: 'secrets.read' }, () => {
      cluster.touch(ref, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/hold'] });
    });
    await expect(confirm()).rejects.toMatchObject(unproven('snapshotBeingDeleted'));
  });

  it('when its archived state is another one now', async () => {
    const { cluster, ref, confirm } = await fixture();
    cluster.touch(ref, { data: new Map() });
    await expect(confirm()).rejects.toMatchObject(unproven('snapshotReplaced'));
  });

  it('when a webhook changes what is stored again', async () => {
    const { cluster, ref, confirm } = await fixture();
    cluster.remove(ref);
    cluster.on({ method: 'secrets.create' }, () => {
      cluster.mutate(({ annotations, ...draft }) => ({
        ...draft,
        annotations: withEntries(annotations, { 'service.io/history-type': 'other' }),
      }));
    });
    await expect(confirm()).rejects.toMatchObject(unproven('snapshotChangedOnCreate'));
  });

  it.each(['rbacForbidden', 'rejected', 'admissionRefused'] as const)(
    'when the confirmation fails with %s',
    async (code) => {
      const { cluster, confirm } = await fixture();
      cluster.fail({ method: 'secrets.patchMetadata' }, code);
      await expect(confirm()).rejects.toMatchObject(unproven(code));
    },
  );

  it('when nothing can be proven, after a few attempts', async () => {
    const { cluster, confirm } = await fixture();
    cluster.fail({ method: 'secrets.patchMetadata', times: Infinity }, 'unavailable');
    await expect(confirm()).rejects.toMatchObject(unproven('unavailable'));
    expect(cluster.calls.length).toBeLessThan(8);
  });

  it('when it cannot be looked at', async () => {
    const { cluster, confirm } = await fixture();
    cluster.fail({ method: 'secrets.patchMetadata' }, 'uncertain');
    cluster.fail({ method: 'secrets.read' }, 'unavailable');
    await expect(confirm()).rejects.toMatchObject(unproven('unavailable'));
  });

  it('a defect is not taken for a failure of the cluster', async () => {
    const { cluster, confirm } = await fixture();
    cluster.fail({ method: 'secrets.patchMetadata' }, new TypeError('a defect'));
    await expect(confirm()).rejects.toThrow(TypeError);
  });
});
