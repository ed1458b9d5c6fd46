import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../src/errors/service-error.ts';
import { cleanHistory } from '../../../../src/history/snapshot/cleanup.ts';
import {
  contextOf,
  deadline,
  callLines,
  clusterWithLive,
  seedAttempt,
  seedSnapshot,
  withEntries,
} from '../live-secret.ts';

function fixture(versions: readonly number[]) {
  const { cluster, live } = clusterWithLive();
  const snapshots = versions.map((version) => seedSnapshot(cluster, live, version));
  const checks: number[] = [];
  const clean = (requireUnchanged: () => Promise<void> = () => Promise.resolve()) =>
    cleanHistory(
      contextOf(cluster.secrets),
      live,
      () => {
        checks.push(cluster.calls.length);
        return requireUnchanged();
      },
      deadline,
    );
  return { cluster, live, snapshots, clean, checks };
}

describe('cleaning the history of a Secret', () => {
  it('rechecks the live object before each deletion, confirms each absence, and lists again at the end', async () => {
    const { cluster, clean, checks, live } = fixture([1, 2]);
    expect(await clean()).toBe(2);
    expect(callLines(cluster)).toEqual([
      'listMetadata',
      'delete db.v1.…',
      'read db.v1.…',
      'delete db.v2.…',
      'read db.v2.…',
      'listMetadata',
    ]);
    expect(checks).toEqual([1, 3]);
    expect(cluster.all()).toEqual([live]);
  });

  it('removes the oldest first, whatever their numbers are', async () => {
    const { cluster, live, clean } = fixture([4, 5]);
    seedSnapshot(cluster, { ...live }, 1, ({ annotations }) => ({
      annotations: withEntries(annotations, { 'service.io/history-resource-version': '6' }),
    }));
    await clean();
    const deleted = callLines(cluster).filter((line) => line.startsWith('delete'));
    expect(deleted).toEqual(['delete db.v4.…', 'delete db.v5.…', 'delete db.v1.…']);
  });

  it('annotates the snapshot of the live revision before it reads the live object again', async () => {
    const { cluster, clean, checks, live } = fixture([2]);
    seedAttempt(cluster, live, 3);
    expect(await clean()).toBe(2);
    expect(callLines(cluster)).toEqual([
      'listMetadata',
      'delete db.v2.…',
      'read db.v2.…',
      'patchMetadata db.v3.…',
      'delete db.v3.…',
      'read db.v3.…',
      'listMetadata',
    ]);
    expect(checks).toEqual([1, 4]);
  });

  it('annotates it once, however many deletions fail', async () => {
    const { cluster, live, clean } = fixture([]);
    seedAttempt(cluster, live, 3);
    cluster.fail({ method: 'secrets.delete' }, 'unavailable');
    await expect(clean()).rejects.toMatchObject({ code: 'historyUnavailable' });
    await clean();
    expect(callLines(cluster).filter((line) => line.startsWith('patch'))).toHaveLength(1);
    expect(cluster.all()).toEqual([live]);
  });

  it.each([
    ['conflict', { code: 'conflict', reason: 'snapshotPrecondition' }],
    ['unavailable', { code: 'historyUnavailable', reason: 'snapshotNotDeleted:unavailable' }],
  ] as const)('deletes nothing when the annotation fails with %s', async (code, failure) => {
    const { cluster, live, clean } = fixture([]);
    const snapshot = seedAttempt(cluster, live, 3);
    cluster.fail({ method: 'secrets.patchMetadata' }, code);
    await expect(clean()).rejects.toMatchObject(failure);
    expect(cluster.peek(snapshot)).toEqual(snapshot);
  });

  it('takes one that is gone before it is annotated as removed', async () => {
    const { cluster, live, clean } = fixture([]);
    const snapshot = seedAttempt(cluster, live, 3);
    cluster.on({ method: 'secrets.patchMetadata' }, () => {
      cluster.remove(snapshot);
    });
    expect(await clean()).toBe(1);
  });

  it('with no snapshots is one list, which is the final inventory', async () => {
    const { cluster, clean, checks } = fixture([]);
    expect(await clean()).toBe(0);
    expect(callLines(cluster)).toEqual(['listMetadata']);
    expect(checks).toEqual([]);
  });

  it('leaves what is not eligible', async () => {
    const { cluster, live, clean } = fixture([1]);
    const unbound = seedSnapshot(cluster, live, 2, ({ annotations }) => ({
      annotations: withEntries(annotations, { 'service.io/history-type': undefined }),
    }));
    expect(await clean()).toBe(1);
    expect(cluster.peek(unbound)).toEqual(unbound);
  });

  it('deletes each snapshot with its own UID and revision only', async () => {
    const { cluster, snapshots, clean } = fixture([1]);
    const [snapshot] = snapshots;
    if (snapshot === undefined) throw new Error('no snapshot');
    cluster.on({ method: 'secrets.delete' }, () => void cluster.touch(snapshot));
    await expect(clean()).rejects.toMatchObject({ code: 'conflict', reason: 'snapshotPrecondition' });
    expect(cluster.peek(snapshot)).toBeDefined();
  });

  it('stops when the live object has changed, and does not roll back', async () => {
    const { cluster, clean, snapshots } = fixture([1, 2, 3]);
    let checks = 0;
    const changed = clean(() =>
      ++checks === 2 ? Promise.reject(new ServiceError('conflict', 'changed')) : Promise.resolve(),
    );
    await expect(changed).rejects.toMatchObject({ code: 'conflict' });
    expect(snapshots.map((snapshot) => cluster.peek(snapshot) !== undefined)).toEqual([false, true, true]);
  });

  it('fails when a snapshot is still there, whatever the cluster said of its deletion', async () => {
    const { cluster, live, clean } = fixture([]);
    const draft = seedSnapshot(cluster, live, 1);
    cluster.remove(draft);
    cluster.seed({ ...draft, finalizers: ['example.com/hold'] });
    await expect(clean()).rejects.toMatchObject({
      code: 'historyUnavailable',
      reason: 'snapshotStillPresent',
    });
  });

  it('fails when a snapshot was recreated meanwhile', async () => {
    const { cluster, live, clean } = fixture([1]);
    cluster.on({ method: 'secrets.delete', when: 'after' }, () => void seedSnapshot(cluster, live, 1));
    await expect(clean()).rejects.toMatchObject({ code: 'historyUnavailable', reason: 'snapshotRecreated' });
  });

  it('fails when the history grew meanwhile', async () => {
    const { cluster, live, clean } = fixture([1]);
    cluster.on({ method: 'secrets.listMetadata', skip: 1 }, () => void seedSnapshot(cluster, live, 2));
    await expect(clean()).rejects.toMatchObject({ code: 'historyUnavailable', reason: 'historyGrew' });
  });

  it('is content with a snapshot that someone else removed', async () => {
    const { cluster, snapshots, clean, live } = fixture([1, 2]);
    cluster.on({ method: 'secrets.delete' }, () => {
      for (const snapshot of snapshots) cluster.remove(snapshot);
    });
    await clean();
    expect(cluster.all()).toEqual([live]);
  });

  it.each([
    ['the first list', 'secrets.listMetadata', 0, 'before', 'historyNotListed:unavailable', [1, 2]],
    ['a deletion', 'secrets.delete', 0, 'before', 'snapshotNotDeleted:unavailable', [1, 2]],
    ['a deletion after its effect', 'secrets.delete', 0, 'after', 'snapshotNotDeleted:unavailable', [2]],
    ['an absence check', 'secrets.read', 0, 'before', 'snapshotAbsenceNotConfirmed:unavailable', [2]],
    ['the second deletion', 'secrets.delete', 1, 'before', 'snapshotNotDeleted:unavailable', [2]],
    ['the second absence check', 'secrets.read', 1, 'before', 'snapshotAbsenceNotConfirmed:unavailable', []],
    ['the final list', 'secrets.listMetadata', 1, 'before', 'historyNotListed:unavailable', []],
  ] as const)(
    'fails with 503 when %s fails, and a retry finishes',
    async (_what, method, skip, when, reason, left) => {
      const { cluster, live, clean } = fixture([1, 2]);
      cluster.fail({ method, skip, when }, 'unavailable');
      await expect(clean()).rejects.toMatchObject({ code: 'historyUnavailable', reason });
      const versions = cluster
        .all()
        .flatMap(({ annotations }) => annotations.get('service.io/history-version') ?? [])
        .map(Number);
      expect(versions).toEqual(left);
      await clean();
      expect(cluster.all()).toEqual([live]);
    },
  );
});
