import { describe, expect, it } from 'vitest';
import type { KnownSnapshot } from '../../../../src/history/snapshot/inventory.ts';
import type { StoredSecret } from '../../../../src/kube/secret.ts';
import { prune, requireGrowingNumber, surplusOf } from '../../../../src/history/snapshot/archive.ts';
import { deadline, callLines, clusterWithLive, seedSnapshot } from '../live-secret.ts';

const LIVE = { ...clusterWithLive().live, resourceVersion: '1000' };

function known(
  version: number,
  source = String(version),
  change: Partial<KnownSnapshot> = {},
): KnownSnapshot {
  return {
    namespace: 'team-a',
    name: `db.v${version}.0123456789abcdef`,
    uid: `uid of ${version}`,
    resourceVersion: '7',
    version,
    sourceResourceVersion: source,
    eligible: true,
    ...change,
  };
}

describe('what falls out of the limit with an update', () => {
  const surplus = (snapshots: readonly KnownSnapshot[], limit: number) =>
    surplusOf(LIVE, snapshots, limit).map(({ version }) => version);
  const numbered = (...versions: number[]) => versions.map((version) => known(version));

  it('is nothing while there is space for the state that the update archives', () => {
    expect(surplus([], 1)).toEqual([]);
    expect(surplus(numbered(1, 2), 3)).toEqual([]);
  });

  it('is the oldest one at the limit, and all that are older when the limit was lowered', () => {
    expect(surplus(numbered(1, 2, 3), 3)).toEqual([1]);
    expect(surplus(numbered(4, 2, 1, 3), 2)).toEqual([1, 2, 3]);
    expect(surplus(numbered(1), 1)).toEqual([1]);
  });

  it('goes by what is archived, not by its number', () => {
    expect(surplus([known(5, '9'), known(1, '100'), known(2, '101')], 3)).toEqual([5]);
  });

  it('is content with gaps: nothing among the newest goes because its number is low', () => {
    expect(surplus(numbered(1, 2, 11, 12), 5)).toEqual([]);
  });

  it('is never the state that is live, under whatever number, nor a later one; and they push nothing out', () => {
    expect(surplus([...numbered(1, 2), known(3, '1000'), known(4, '1001')], 3)).toEqual([]);
    expect(surplus([known(3, '1000'), known(4, '1001')], 1)).toEqual([]);
  });

  it('is never what has incomplete metadata or is being deleted; and that pushes nothing out', () => {
    expect(surplus([...numbered(1, 2), known(3, '3', { eligible: false })], 3)).toEqual([]);
    expect(surplus([...numbered(2, 3, 4), known(1, '1', { eligible: false })], 3)).toEqual([2]);
  });
});

describe('pruning in the write path', () => {
  function fixture(versions: readonly number[]) {
    const { cluster, live } = clusterWithLive();
    const seeded: StoredSecret[] = versions.map((version) => seedSnapshot(cluster, live, version));
    const surplus = seeded.map((stored, position) => ({
      ...known(versions[position] ?? 0),
      name: stored.name,
      uid: stored.uid,
      resourceVersion: stored.resourceVersion,
    }));
    return { cluster, seeded, pruneIt: () => prune(cluster.secrets, surplus, deadline) };
  }

  it('makes no call when nothing falls out', async () => {
    const { cluster, pruneIt } = fixture([]);
    await pruneIt();
    expect(cluster.calls).toEqual([]);
  });

  it('removes two at most, the oldest first; the rest is the reconciler’s', async () => {
    const { cluster, pruneIt } = fixture([1, 2, 3]);
    await pruneIt();
    expect(callLines(cluster)).toEqual(['delete db.v1.…', 'delete db.v2.…']);
  });

  it('never deletes a snapshot that has changed since it was known', async () => {
    const { cluster, seeded, pruneIt } = fixture([1]);
    for (const snapshot of seeded) cluster.touch(snapshot);
    await expect(pruneIt()).rejects.toMatchObject({ reason: 'snapshotNotPruned:conflict' });
    expect(cluster.all()).toHaveLength(2);
  });

  it('is content when another replica was quicker', async () => {
    const { cluster, pruneIt } = fixture([1]);
    cluster.fail({ method: 'secrets.delete' }, 'notFound');
    await pruneIt();
  });

  it.each(['unavailable', 'uncertain', 'rbacForbidden'] as const)(
    'is unavailable when the deletion fails with %s',
    async (code) => {
      const { cluster, pruneIt } = fixture([1]);
      cluster.fail({ method: 'secrets.delete' }, code);
      await expect(pruneIt()).rejects.toMatchObject({
        code: 'historyUnavailable',
        reason: `snapshotNotPruned:${code}`,
      });
    },
  );
});

describe('numbers only grow', () => {
  const isRefused = (version: number, snapshots: readonly KnownSnapshot[]) => {
    try {
      requireGrowingNumber(LIVE, version, snapshots);
      return false;
    } catch (error) {
      expect(error).toMatchObject({ code: 'snapshotCollision', reason: 'counterBehindHistory' });
      return true;
    }
  };

  it.each<[what: string, version: number, snapshots: readonly KnownSnapshot[], refused: boolean]>([
    ['nothing is archived', 1, [], false],
    ['everything archived is below', 4, [known(3), known(1)], false],
    ['one archived version is above', 4, [known(5), known(1)], true],
    ['another state has the number', 4, [known(4)], true],
    ['an earlier attempt has archived this very state', 4, [known(4, '1000')], false],
    ['this very state is archived under a higher number', 4, [known(5, '1000')], true],
    ['what has incomplete metadata has a higher number', 4, [known(5, '', { eligible: false })], true],
    ['one of two higher numbers archives an older state', 4, [known(5, '1001'), known(6, '999')], true],
    ['a higher number archives what cannot be compared', 4, [known(5, 'opaque')], true],
  ])('%s', (_what, version, snapshots, refused) => {
    expect(isRefused(version, snapshots)).toBe(refused);
  });

  it('but where all higher numbers archive later states, another writer was quicker, and no admin is needed', () => {
    const later = [known(3), known(4, '1000'), known(5, '1001'), known(6, '1005')];
    expect(() => {
      requireGrowingNumber(LIVE, 4, later);
    }).toThrow(expect.objectContaining({ code: 'conflict', reason: 'changedBeforeArchive' }) as Error);
  });
});
