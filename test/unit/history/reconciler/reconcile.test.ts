import { describe, expect, it } from 'vitest';
import { snapshotName } from '../../../../src/history/snapshot/snapshot-name.ts';
import { NAMES } from './history-objects.ts';
import { reconcileGround, type ReconcileGround } from './reconcile-ground.ts';

const DAY = 24 * 3_600_000;
const nameOf = ({ live }: ReconcileGround, version: number) => snapshotName('db', version, live.uid);
const refOf = (ground: ReconcileGround, version: number) => ({
  namespace: 'team-a',
  name: nameOf(ground, version),
});

describe('retention', () => {
  it('asks the cluster nothing while nothing is due', async () => {
    const ground = reconcileGround();
    ground.archive(1, 2, 3);
    expect(await ground.run()).toEqual({ kind: 'done' });
    expect(ground.calls).toEqual([]);
  });

  it('removes what is beyond a lowered limit, after one live read, and never touches the live Secret', async () => {
    const ground = reconcileGround({ limit: 2 });
    ground.archive(1, 2, 3, 4);
    const before = ground.cluster.peek(ground.live);
    expect(await ground.run()).toEqual({ kind: 'done' });
    expect(ground.calls).toEqual(['read db', `delete ${nameOf(ground, 1)}`, `delete ${nameOf(ground, 2)}`]);
    expect(ground.snapshots()).toEqual([nameOf(ground, 3), nameOf(ground, 4)]);
    expect(ground.cluster.peek(ground.live)).toEqual(before);
  });

  it('leaves the history alone when the live Secret turns out to be terminating', async () => {
    const ground = reconcileGround({ limit: 1 });
    ground.archive(1, 2);
    ground.cluster.touch(ground.live, { deletionTimestamp: '2026-06-01T00:00:00Z' });
    expect(await ground.run()).toEqual({ kind: 'done' });
    expect(ground.snapshots()).toHaveLength(2);
  });

  it('leaves the history alone when the live Secret turns out to be gone', async () => {
    const ground = reconcileGround({ limit: 1 });
    ground.archive(1, 2);
    ground.cluster.remove(ground.live);
    expect(await ground.run()).toEqual({ kind: 'done' });
    expect(ground.snapshots()).toHaveLength(2);
  });

  it('tries again later when a snapshot has changed since it was judged, and does not remove it', async () => {
    const ground = reconcileGround({ limit: 1 });
    ground.archive(1, 2);
    ground.cluster.touch(refOf(ground, 1));
    expect(await ground.run()).toMatchObject({ kind: 'retry' });
    expect(ground.snapshots()).toHaveLength(2);
    ground.observe();
    expect(await ground.run()).toEqual({ kind: 'done' });
    expect(ground.snapshots()).toEqual([nameOf(ground, 2)]);
  });

  it('is content when another replica was quicker', async () => {
    const ground = reconcileGround({ limit: 1 });
    ground.archive(1, 2, 3);
    ground.cluster.remove(refOf(ground, 1));
    expect(await ground.run()).toEqual({ kind: 'done' });
    expect(ground.told).toEqual([`prune ${nameOf(ground, 2)}`]);
  });
});

describe('orphans', () => {
  it('stay for ever without a time to live, and cost nothing', async () => {
    const ground = reconcileGround();
    ground.archive(1);
    ground.cluster.remove(ground.live);
    ground.observe();
    ground.pass(9_999 * DAY);
    expect(await ground.run()).toEqual({ kind: 'done' });
    expect(ground.calls).toEqual([]);
  });

  it('are stamped, looked at again when their time is over, and removed then', async () => {
    const ground = reconcileGround({ orphanTtlMs: 30 * DAY });
    ground.archive(1, 2);
    ground.cluster.remove(ground.live);
    ground.observe();
    expect(await ground.run()).toEqual({ kind: 'later', afterMs: 30 * DAY });
    expect(ground.cluster.peek(refOf(ground, 1))?.annotations.get(NAMES.historyOrphanedAt)).toBe(
      '2026-06-01T00:00:00.000Z',
    );
    ground.observe();
    ground.pass(29 * DAY);
    expect(await ground.run()).toEqual({ kind: 'later', afterMs: DAY });
    expect(ground.snapshots()).toHaveLength(2);
    ground.pass(DAY);
    ground.calls.length = 0;
    expect(await ground.run()).toEqual({ kind: 'done' });
    expect(ground.calls[0]).toBe('read db');
    expect(ground.snapshots()).toEqual([]);
  });

  it('wait until the cluster has told its time: no other clock decides how old they are', async () => {
    const ground = reconcileGround({ orphanTtlMs: DAY });
    ground.archive(1);
    ground.cluster.remove(ground.live);
    ground.observe();
    ground.setTimeKnown(false);
    expect(await ground.run()).toEqual({ kind: 'retry', reason: 'clusterTimeUnknown' });
    expect(ground.calls).toEqual([]);
    ground.setTimeKnown(true);
    expect(await ground.run()).toEqual({ kind: 'later', afterMs: DAY });
  });

  it('are none when the live read finds the UID after all: nothing is removed, the stamp is taken off', async () => {
    const ground = reconcileGround({ orphanTtlMs: DAY });
    ground.archive(1);
    const { annotations } = ground.cluster.peek(refOf(ground, 1)) ?? {
      annotations: new Map<string, string>(),
    };
    ground.cluster.touch(refOf(ground, 1), {
      annotations: new Map([...annotations, [NAMES.historyOrphanedAt, '2020-01-01T00:00:00Z']]),
    });
    ground.observe('db');
    expect(await ground.run()).toEqual({ kind: 'done' });
    expect(ground.calls).toEqual(['read db', `mark ${nameOf(ground, 1)}`]);
    expect(ground.cluster.peek(refOf(ground, 1))?.annotations).toEqual(annotations);
  });

  it('of a recreated name stay orphans of the old UID', async () => {
    const ground = reconcileGround({ orphanTtlMs: DAY });
    ground.archive(1);
    ground.cluster.remove(ground.live);
    const recreated = ground.cluster.seed({ namespace: 'team-a', name: 'db' });
    ground.observe();
    await ground.run();
    ground.observe();
    ground.pass(DAY);
    await ground.run();
    expect(ground.snapshots()).toEqual([]);
    expect(ground.cluster.peek(ground.live)).toEqual(recreated);
  });
});

describe('labels', () => {
  it('are put back without asking for the live Secret, on exactly this revision', async () => {
    const ground = reconcileGround();
    ground.archive(1);
    const whole = ground.cluster.peek(refOf(ground, 1));
    ground.cluster.touch(refOf(ground, 1), { labels: new Map([['foreign', 'kept']]) });
    ground.observe();
    expect(await ground.run()).toEqual({ kind: 'done' });
    expect(ground.calls).toEqual([`mark ${nameOf(ground, 1)}`]);
    const mended = ground.cluster.peek(refOf(ground, 1));
    expect(mended?.labels).toEqual(new Map([['foreign', 'kept'], ...(whole?.labels ?? [])]));
    expect(mended?.data).toEqual(whole?.data);
  });
});

describe('inconsistent objects', () => {
  const forged = (ground: ReconcileGround) => {
    ground.cluster.seed({
      namespace: 'team-a',
      name: 'forged',
      labels: { [NAMES.kind]: 'history', [NAMES.historyUidLabel]: ground.live.uid },
      annotations: { [NAMES.kind]: 'history' },
    });
    ground.observe();
  };

  it('are reported once per revision, and never touched', async () => {
    const ground = reconcileGround({ limit: 1, orphanTtlMs: 1 });
    forged(ground);
    await ground.run();
    await ground.run();
    expect(ground.told).toEqual(['forged: liveNameMissing']);
    ground.cluster.touch({ namespace: 'team-a', name: 'forged' });
    ground.observe();
    await ground.run();
    expect(ground.told).toHaveLength(2);
    expect(ground.calls).toEqual([]);
  });

  it('do not keep the others from being put in order', async () => {
    const ground = reconcileGround({ limit: 1 });
    ground.archive(1, 2);
    forged(ground);
    await ground.run();
    expect(ground.snapshots()).toEqual([nameOf(ground, 2), 'forged']);
  });

  it('include those that name a live UID under another name', async () => {
    const ground = reconcileGround({ orphanTtlMs: 1 });
    const labels = { [NAMES.kind]: 'history', [NAMES.historyUidLabel]: ground.live.uid };
    const annotations = {
      [NAMES.kind]: 'history',
      [NAMES.historyOf]: 'other',
      [NAMES.historyUid]: ground.live.uid,
      [NAMES.historyVersion]: '1',
      [NAMES.historyResourceVersion]: '1',
      [NAMES.historyType]: 'Opaque',
    };
    const name = snapshotName('other', 1, ground.live.uid);
    ground.cluster.seed({ namespace: 'team-a', name, labels, annotations });
    ground.observe();
    expect(await ground.run()).toEqual({ kind: 'done' });
    expect(ground.told).toEqual([`${name}: belongsToAnotherName`]);
    expect(ground.calls).toEqual([]);
  });
});

describe('the fencing check', () => {
  it('stops before the next write once the replica may not act any more', async () => {
    const ground = reconcileGround({ limit: 1 });
    ground.archive(1, 2, 3, 4);
    const { authority } = ground;
    ground.cluster.on({ method: 'secrets.delete' }, () => {
      authority.remainingMs = 0;
    });
    expect(await ground.run()).toEqual({ kind: 'retry', reason: 'leadershipOver' });
    expect(ground.snapshots()).toHaveLength(3);
  });

  it('lets nothing be written without leadership', async () => {
    const ground = reconcileGround({ limit: 1 });
    ground.archive(1, 2);
    ground.authority.remainingMs = 0;
    await ground.run();
    expect(ground.calls).toEqual(['read db']);
    expect(ground.snapshots()).toHaveLength(2);
  });
});

describe('a failure of the cluster is', () => {
  it.each(['conflict', 'unavailable', 'uncertain', 'rightMissing'] as const)(
    'tried again: %s',
    async (code) => {
      const ground = reconcileGround({ limit: 1 });
      ground.archive(1, 2);
      ground.failNext(code);
      expect(await ground.run()).toMatchObject({ kind: 'retry' });
      expect(await ground.run()).toEqual({ kind: 'done' });
      expect(ground.snapshots()).toEqual([nameOf(ground, 2)]);
    },
  );

  it.each(['rejected', 'tooLarge', 'internal'] as const)('not tried again: %s', async (code) => {
    const ground = reconcileGround({ limit: 1 });
    ground.archive(1, 2);
    ground.failNext(code);
    expect(await ground.run()).toMatchObject({ kind: 'terminal' });
  });
});
