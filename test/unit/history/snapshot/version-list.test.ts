import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../src/errors/service-error.ts';
import { listVersions } from '../../../../src/history/snapshot/version-list.ts';
import { collectGarbage } from '../../../harness/collect-garbage.ts';
import {
  contextOf,
  callLines,
  clusterWithLive,
  deadline,
  seedAttempt,
  seedSnapshot,
  withEntries,
} from '../live-secret.ts';

const RECORD = 'service.io/history-changes';
const bytes = (text: string) => Buffer.from(text);

/** Three archived states: a key is added with each, and one is changed with the last. */
function withHistory(limit = 10) {
  const { cluster, live } = clusterWithLive();
  const states = [{ a: '1' }, { a: '1', b: '1' }, { a: '2', b: '1', c: '1' }];
  const snapshots = states.map((data, index) =>
    seedSnapshot(cluster, live, index + 1, () => ({
      data: new Map(Object.entries(data).map(([key, value]) => [key, bytes(value)])),
    })),
  );
  const list = () => listVersions(contextOf(cluster.secrets, { limit }), live, deadline);
  const annotationsOf = (index: number) => {
    const snapshot = snapshots[index];
    return (snapshot && cluster.peek(snapshot)?.annotations) ?? new Map<string, string>();
  };
  const reads = () => callLines(cluster).filter((line) => line.startsWith('read'));
  return { cluster, live, snapshots, list, annotationsOf, reads };
}

const CHANGES = [
  { added: ['c'], changed: ['a'], removed: [] },
  { added: ['b'], changed: [], removed: [] },
  undefined,
];

describe('what changed with a version', () => {
  it('is compared once, and then read from the metadata', async () => {
    const { cluster, list, reads } = withHistory();
    const first = await list();
    expect(first.snapshots.map(({ changes }) => changes)).toEqual(CHANGES);
    expect(reads()).toEqual(['read db.v3.…', 'read db.v2.…', 'read db.v1.…']);
    cluster.calls.length = 0;
    const second = await list();
    expect(second.snapshots.map(({ changes }) => changes)).toEqual(CHANGES);
    expect(second.snapshots.map(({ keys }) => keys)).toEqual([['a', 'b', 'c'], ['a', 'b'], ['a']]);
    // Only what the live state is compared with.
    expect(reads()).toEqual(['read db.v3.…']);
  });

  it('holds names alone', async () => {
    const { cluster, live, list, annotationsOf } = withHistory();
    const data = new Map([['key', bytes('planted-4711')]]);
    seedSnapshot(cluster, live, 4, () => ({ data }));
    await list();
    const all = [0, 1, 2].map((index) => annotationsOf(index).get(RECORD)).join();
    expect(all).toContain('"since":"2"');
    expect(
      cluster
        .all()
        .map(({ annotations }) => annotations.get(RECORD))
        .join(),
    ).not.toMatch(/planted|4711/);
  });

  it('is not recorded on what the next update removes, which expects it unchanged', async () => {
    const { cluster, list, annotationsOf } = withHistory(4);
    const before = cluster.all().find(({ name }) => name.startsWith('db.v1.'));
    await list();
    expect([0, 1, 2].map((index) => annotationsOf(index).has(RECORD))).toEqual([false, true, true]);
    expect(cluster.all()).toContainEqual(before);
  });

  it('is compared again when the version before it is gone', async () => {
    const { cluster, snapshots, list } = withHistory();
    await list();
    const [, second] = snapshots;
    if (second !== undefined) cluster.remove(second);
    const { snapshots: left } = await list();
    expect(left.map(({ changes }) => changes)).toEqual([
      { added: ['b', 'c'], changed: ['a'], removed: [] },
      undefined,
    ]);
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"since":"2"}',
    '{"since":"2","keys":[1],"binaryKeys":[],"added":[],"changed":[],"removed":[]}',
  ])('is compared again when the record is %j', async (record) => {
    const { cluster, snapshots, list } = withHistory();
    await list();
    const [, , third] = snapshots;
    if (third !== undefined) {
      const annotations = withEntries(third.annotations, { [RECORD]: record });
      cluster.touch(third, { annotations });
    }
    expect((await list()).snapshots.map(({ changes }) => changes)).toEqual(CHANGES);
  });

  it('is not recorded where the cluster refuses it: it is compared each time', async () => {
    const { cluster, list } = withHistory();
    cluster.fail({ method: 'secrets.patchMetadata', times: Infinity }, 'rbacForbidden');
    expect((await list()).snapshots.map(({ changes }) => changes)).toEqual(CHANGES);
  });

  it('is not recorded on the snapshot of the live state, which an update may be about to confirm', async () => {
    const { cluster, live } = clusterWithLive();
    const attempt = seedAttempt(cluster, live, 3);
    await listVersions(contextOf(cluster.secrets), live, deadline);
    expect(cluster.peek(attempt)?.resourceVersion).toBe(attempt.resourceVersion);
  });

  it('is not recorded where it would leave no space for what a snapshot gains later', async () => {
    const { cluster, snapshots, list, annotationsOf } = withHistory();
    const [, , third] = snapshots;
    if (third !== undefined) {
      const annotations = withEntries(third.annotations, { note: 'x'.repeat(240_000) });
      cluster.touch(third, { annotations });
    }
    expect((await list()).snapshots.map(({ changes }) => changes)).toEqual(CHANGES);
    expect(annotationsOf(2).has(RECORD)).toBe(false);
    expect(annotationsOf(1).has(RECORD)).toBe(true);
  });

  it('is recorded as it is found, so that a list that runs out of time goes on from there', async () => {
    const { cluster, live, list } = withHistory();
    for (let version = 4; version <= 8; version++)
      seedSnapshot(cluster, live, version, () => ({ data: new Map([['a', bytes(String(version))]]) }));
    let left = 0;
    cluster.on({ method: 'secrets.read', times: Infinity }, () => {
      if (left-- === 0) throw new ServiceError('unavailable', 'too late', { reason: 'deadlineExceeded' });
    });
    const attempts: string[] = [];
    while (attempts.at(-1) !== 'listed' && attempts.length < 10) {
      left = 4; // of eight versions
      attempts.push(
        await list().then(
          () => 'listed',
          () => 'failed',
        ),
      );
    }
    expect(attempts).toEqual(['failed', 'failed', 'listed']);
  });

  it('goes on without a version that is removed while it is read', async () => {
    const { cluster, snapshots, list } = withHistory();
    const [first] = snapshots;
    cluster.on({ method: 'secrets.read' }, () => {
      if (first !== undefined) cluster.remove(first);
    });
    expect((await list()).snapshots.map(({ version }) => version)).toEqual([3, 2]);
  });

  it('is left out where the version before it is removed while they are compared', async () => {
    const { cluster, snapshots, list } = withHistory();
    const [, second] = snapshots;
    cluster.on({ method: 'secrets.read', times: 1, when: 'after' }, () => {
      if (second !== undefined) cluster.remove(second);
    });
    const versions = async () => (await list()).snapshots.map(({ version, changes }) => [version, changes]);
    expect(await versions()).toEqual([
      [3, undefined],
      [1, undefined],
    ]);
    expect(await versions()).toEqual([
      [3, { added: ['b', 'c'], changed: ['a'], removed: [] }],
      [1, undefined],
    ]);
  });
});

describe('a list of versions with many keys', () => {
  it('keeps the digests of two versions at most, and reads each version once', async () => {
    const { cluster, live } = clusterWithLive();
    const data = new Map(Array.from({ length: 10_000 }, (_, index) => [`key-${index}`, bytes('')]));
    for (let version = 1; version <= 20; version++) seedSnapshot(cluster, live, version, () => ({ data }));
    const heap: number[] = [];
    cluster.on({ method: 'secrets.read', times: Infinity }, () => {
      const isCompared = [4, 20].includes(
        callLines(cluster).filter((line) => line.startsWith('read')).length,
      );
      if (isCompared) collectGarbage();
      heap.push(isCompared ? process.memoryUsage().heapUsed : 0);
    });
    await listVersions(contextOf(cluster.secrets, { limit: 20 }), live, deadline);
    expect(heap).toHaveLength(20);
    expect(heap.filter((bytes) => bytes > 0)).toHaveLength(2);
    // Digests of a version take nearly a megabyte, the names of its keys a tenth of that.
    expect((heap[19] ?? Infinity) - (heap[3] ?? 0)).toBeLessThan(6_000_000);
  });

  it('ends where the names of the keys would fill the memory', async () => {
    const { cluster, live } = clusterWithLive();
    const context = contextOf(cluster.secrets, { limit: 20 });
    const keys = Array.from({ length: 10_000 }, (_, index) => `${index}`.padStart(200, 'k'));
    const data = new Map(keys.map((key) => [key, bytes('')]));
    for (let version = 1; version <= 7; version++) seedSnapshot(cluster, live, version, () => ({ data }));
    expect((await listVersions(context, live, deadline)).snapshots).toHaveLength(7);
    for (let version = 8; version <= 9; version++) seedSnapshot(cluster, live, version, () => ({ data }));
    await expect(listVersions(context, live, deadline)).rejects.toMatchObject({
      code: 'listOverBudget',
      reason: 'listOverBudget:bytes',
    });
  });
});
