import { describe, expect, it } from 'vitest';
import { snapshotName } from '../../../../src/history/snapshot/snapshot.ts';
import { NAMES } from './history-objects.ts';
import { reconcileFixture, type ReconcileFixture } from './reconcile-fixture.ts';

const nameOf = ({ live }: ReconcileFixture, version: number) => snapshotName('db', version, live.uid);
const refOf = (fixture: ReconcileFixture, version: number) => ({
  namespace: 'team-a',
  name: nameOf(fixture, version),
});

describe('retention', () => {
  it('sends no request while nothing is due', async () => {
    const fixture = reconcileFixture();
    fixture.archive(1, 2, 3);
    expect(await fixture.run()).toEqual({ kind: 'done' });
    expect(fixture.calls).toEqual([]);
  });

  it('removes what is beyond a lowered limit, after one live read, and never touches the live Secret', async () => {
    const fixture = reconcileFixture({ limit: 2 });
    fixture.archive(1, 2, 3, 4);
    const before = fixture.cluster.peek(fixture.live);
    expect(await fixture.run()).toEqual({ kind: 'done' });
    expect(fixture.calls).toEqual([
      'read db',
      `delete ${nameOf(fixture, 1)}`,
      `delete ${nameOf(fixture, 2)}`,
    ]);
    expect(fixture.snapshots()).toEqual([nameOf(fixture, 3), nameOf(fixture, 4)]);
    expect(fixture.cluster.peek(fixture.live)).toEqual(before);
  });

  it('leaves the history alone when the live Secret turns out to be terminating', async () => {
    const fixture = reconcileFixture({ limit: 1 });
    fixture.archive(1, 2);
    fixture.cluster.touch(fixture.live, { deletionTimestamp: '2026-06-01T00:00:00Z' });
    expect(await fixture.run()).toEqual({ kind: 'done' });
    expect(fixture.snapshots()).toHaveLength(2);
  });

  it('leaves the history alone when the live Secret turns out to be gone', async () => {
    const fixture = reconcileFixture({ limit: 1 });
    fixture.archive(1, 2);
    fixture.cluster.remove(fixture.live);
    expect(await fixture.run()).toEqual({ kind: 'done' });
    expect(fixture.snapshots()).toHaveLength(2);
  });

  it('tries again later when a snapshot has changed since it was judged, and does not remove it', async () => {
    const fixture = reconcileFixture({ limit: 1 });
    fixture.archive(1, 2);
    fixture.cluster.touch(refOf(fixture, 1));
    expect(await fixture.run()).toMatchObject({ kind: 'retry' });
    expect(fixture.snapshots()).toHaveLength(2);
    fixture.observe();
    expect(await fixture.run()).toEqual({ kind: 'done' });
    expect(fixture.snapshots()).toEqual([nameOf(fixture, 2)]);
  });

  it('is content when another replica was quicker', async () => {
    const fixture = reconcileFixture({ limit: 1 });
    fixture.archive(1, 2, 3);
    fixture.cluster.remove(refOf(fixture, 1));
    expect(await fixture.run()).toEqual({ kind: 'done' });
    expect(fixture.observed).toEqual([`prune ${nameOf(fixture, 2)}`]);
  });
});

describe('labels', () => {
  it('are put back without requesting the live Secret, on exactly this revision', async () => {
    const fixture = reconcileFixture();
    fixture.archive(1);
    const whole = fixture.cluster.peek(refOf(fixture, 1));
    fixture.cluster.touch(refOf(fixture, 1), { labels: new Map([['foreign', 'kept']]) });
    fixture.observe();
    expect(await fixture.run()).toEqual({ kind: 'done' });
    expect(fixture.calls).toEqual([`patchMetadata ${nameOf(fixture, 1)}`]);
    const mended = fixture.cluster.peek(refOf(fixture, 1));
    expect(mended?.labels).toEqual(new Map([['foreign', 'kept'], ...(whole?.labels ?? [])]));
    expect(mended?.data).toEqual(whole?.data);
  });
});

describe('inconsistent objects', () => {
  const forged = (fixture: ReconcileFixture) => {
    fixture.cluster.seed({
      namespace: 'team-a',
      name: 'forged',
      labels: { [NAMES.kind]: 'history', [NAMES.historyUidLabel]: fixture.live.uid },
      annotations: { [NAMES.kind]: 'history' },
    });
    fixture.observe();
  };

  it('are reported once per revision, and never touched', async () => {
    const fixture = reconcileFixture({ limit: 1, orphanTtlMs: 1 });
    forged(fixture);
    await fixture.run();
    await fixture.run();
    expect(fixture.observed).toEqual(['forged: liveNameMissing']);
    fixture.cluster.touch({ namespace: 'team-a', name: 'forged' });
    fixture.observe();
    await fixture.run();
    expect(fixture.observed).toHaveLength(2);
    expect(fixture.calls).toEqual([]);
  });

  it('include those that name no live UID, or a text that is none', async () => {
    const fixture = reconcileFixture({ orphanTtlMs: 1 });
    const kind = { [NAMES.kind]: 'history' };
    const named = { [NAMES.historyOf]: 'db', [NAMES.historyUid]: 'u'.repeat(250_000) };
    fixture.cluster.seed({ namespace: 'team-a', name: 'long', annotations: { ...kind, ...named } });
    fixture.cluster.seed({ namespace: 'team-a', name: 'none', labels: kind });
    fixture.observe();
    expect(await fixture.run('')).toEqual({ kind: 'done' });
    expect(fixture.observed).toEqual(['long: uidMissing', 'none: kindAnnotationMissing']);
    expect(fixture.calls).toEqual([]);
  });

  it('do not keep the others from being put in order', async () => {
    const fixture = reconcileFixture({ limit: 1 });
    fixture.archive(1, 2);
    forged(fixture);
    await fixture.run();
    expect(fixture.snapshots()).toEqual([nameOf(fixture, 2), 'forged']);
  });

  it('include those that name a live UID under another name', async () => {
    const fixture = reconcileFixture({ orphanTtlMs: 1 });
    const labels = { [NAMES.kind]: 'history', [NAMES.historyUidLabel]: fixture.live.uid };
    const annotations = {
      [NAMES.kind]: 'history',
      [NAMES.historyOf]: 'other',
      [NAMES.historyUid]: fixture.live.uid,
      [NAMES.historyVersion]: '1',
      [NAMES.historyResourceVersion]: '1',
      [NAMES.historyType]: 'Opaque',
    };
    const name = snapshotName('other', 1, fixture.live.uid);
    fixture.cluster.seed({ namespace: 'team-a', name, labels, annotations });
    fixture.observe();
    expect(await fixture.run()).toEqual({ kind: 'done' });
    expect(fixture.observed).toEqual([`${name}: belongsToAnotherName`]);
    expect(fixture.calls).toEqual([]);
  });
});

describe('the fencing check', () => {
  it('stops before the next write once the replica no longer leads', async () => {
    const fixture = reconcileFixture({ limit: 1 });
    fixture.archive(1, 2, 3, 4);
    const { authority } = fixture;
    fixture.cluster.on({ method: 'secrets.delete' }, () => {
      authority.remainingMs = 0;
    });
    expect(await fixture.run()).toEqual({ kind: 'retry', reason: 'leadershipOver' });
    expect(fixture.snapshots()).toHaveLength(3);
  });

  it('lets nothing be written without leadership', async () => {
    const fixture = reconcileFixture({ limit: 1 });
    fixture.archive(1, 2);
    fixture.authority.remainingMs = 0;
    await fixture.run();
    expect(fixture.calls).toEqual(['read db']);
    expect(fixture.snapshots()).toHaveLength(2);
  });
});

describe('a failure of the cluster is', () => {
  it.each(['conflict', 'unavailable', 'uncertain', 'rbacForbidden'] as const)(
    'tried again: %s',
    async (code) => {
      const fixture = reconcileFixture({ limit: 1 });
      fixture.archive(1, 2);
      fixture.failNext(code);
      expect(await fixture.run()).toMatchObject({ kind: 'retry' });
      expect(await fixture.run()).toEqual({ kind: 'done' });
      expect(fixture.snapshots()).toEqual([nameOf(fixture, 2)]);
    },
  );

  it.each(['rejected', 'tooLarge', 'internal'] as const)('not tried again: %s', async (code) => {
    const fixture = reconcileFixture({ limit: 1 });
    fixture.archive(1, 2);
    fixture.failNext(code);
    expect(await fixture.run()).toMatchObject({ kind: 'terminal' });
  });

  it('counted as terminal where admission refuses a step, and tried again later all the same', async () => {
    const fixture = reconcileFixture({ limit: 1 });
    fixture.archive(1, 2);
    fixture.failNext('admissionRefused');
    expect(await fixture.run()).toEqual({ kind: 'terminal', reason: 'admissionRefused', afterMs: 300_000 });
    expect(fixture.observed).toEqual([`prune ${nameOf(fixture, 1)} failed: admissionRefused`]);
    expect(await fixture.run()).toEqual({ kind: 'done' });
  });
});
