import { describe, expect, it } from 'vitest';
import { snapshotName } from '../../../../src/history/snapshot/snapshot.ts';
import { NAMES } from './history-objects.ts';
import { reconcileFixture, type ReconcileFixture } from './reconcile-fixture.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const nameOf = ({ live }: ReconcileFixture, version: number) => snapshotName('db', version, live.uid);
const refOf = (fixture: ReconcileFixture, version: number) => ({
  namespace: 'team-a',
  name: nameOf(fixture, version),
});

describe('orphans', () => {
  it('stay for ever without a time to live, and cost nothing', async () => {
    const fixture = reconcileFixture();
    fixture.archive(1);
    fixture.cluster.remove(fixture.live);
    fixture.observe();
    fixture.pass(9_999 * DAY);
    expect(await fixture.run()).toEqual({ kind: 'done' });
    expect(fixture.calls).toEqual([]);
  });

  it('are annotated, looked at again when their time is over, and removed then', async () => {
    const fixture = reconcileFixture({ orphanTtlMs: 30 * DAY });
    fixture.archive(1, 2);
    fixture.cluster.remove(fixture.live);
    fixture.observe();
    expect(await fixture.run()).toEqual({ kind: 'later', afterMs: 30 * DAY });
    expect(fixture.cluster.peek(refOf(fixture, 1))?.annotations.get(NAMES.historyOrphanedAt)).toBe(
      '2026-06-01T00:00:00.000Z',
    );
    fixture.observe();
    fixture.pass(29 * DAY);
    expect(await fixture.run()).toEqual({ kind: 'later', afterMs: DAY });
    expect(fixture.snapshots()).toHaveLength(2);
    fixture.pass(DAY);
    fixture.calls.length = 0;
    expect(await fixture.run()).toEqual({ kind: 'done' });
    expect(fixture.calls[0]).toBe('read db');
    expect(fixture.snapshots()).toEqual([]);
  });

  it('wait until the time of the cluster is available: no other clock decides how old they are', async () => {
    const fixture = reconcileFixture({ orphanTtlMs: DAY });
    fixture.archive(1);
    fixture.cluster.remove(fixture.live);
    fixture.observe();
    fixture.setTimeKnown(false);
    expect(await fixture.run()).toEqual({ kind: 'later', afterMs: 5 * 60_000 });
    expect(fixture.calls).toEqual([]);
    fixture.setTimeKnown(true);
    expect(await fixture.run()).toEqual({ kind: 'later', afterMs: DAY });
  });

  it("wait while the cluster's time and the local clock disagree by more than an hour, which is said once", async () => {
    const fixture = reconcileFixture({ orphanTtlMs: 30 * DAY });
    fixture.archive(1);
    fixture.cluster.remove(fixture.live);
    fixture.observe();
    await fixture.run();
    fixture.observe();
    fixture.calls.length = 0;
    fixture.observed.length = 0;
    fixture.pass(31 * DAY);
    fixture.shiftLocalClock(-31 * DAY);
    for (let times = 0; times < 2; times++)
      expect(await fixture.run()).toEqual({ kind: 'later', afterMs: 5 * 60_000 });
    expect(fixture.calls).toEqual([]);
    expect(fixture.observed).toEqual(['clocks disagree', 'expiry postponed', 'expiry postponed']);
    fixture.shiftLocalClock(31 * DAY - HOUR);
    expect(await fixture.run()).toEqual({ kind: 'done' });
    expect(fixture.snapshots()).toEqual([]);
  });

  it.each([31, -31])('are not annotated by a time that is %d days off', async (days) => {
    const fixture = reconcileFixture({ orphanTtlMs: 30 * DAY });
    fixture.archive(1);
    fixture.cluster.remove(fixture.live);
    fixture.observe();
    fixture.shiftLocalClock(-days * DAY);
    await fixture.run();
    expect(fixture.calls).toEqual([]);
  });

  it('are not removed if the clocks begin to disagree after the live read', async () => {
    const fixture = reconcileFixture({ orphanTtlMs: DAY });
    fixture.archive(1, 2);
    fixture.cluster.remove(fixture.live);
    fixture.observe();
    await fixture.run();
    fixture.observe();
    fixture.pass(DAY);
    fixture.cluster.on({ method: 'secrets.delete' }, () => {
      fixture.shiftLocalClock(-2 * HOUR);
    });
    expect(await fixture.run()).toEqual({ kind: 'retry', reason: 'timeNotTrusted' });
    expect(fixture.snapshots()).toHaveLength(1);
  });

  it('are none when the live read finds the UID after all: nothing is removed but the annotation', async () => {
    const fixture = reconcileFixture({ orphanTtlMs: DAY });
    fixture.archive(1);
    const { annotations } = fixture.cluster.peek(refOf(fixture, 1)) ?? {
      annotations: new Map<string, string>(),
    };
    fixture.cluster.touch(refOf(fixture, 1), {
      annotations: new Map([...annotations, [NAMES.historyOrphanedAt, '2020-01-01T00:00:00Z']]),
    });
    fixture.observe('db');
    expect(await fixture.run()).toEqual({ kind: 'done' });
    expect(fixture.calls).toEqual(['read db', `patchMetadata ${nameOf(fixture, 1)}`]);
    expect(fixture.cluster.peek(refOf(fixture, 1))?.annotations).toEqual(annotations);
  });

  it('of a recreated name stay orphans of the old UID', async () => {
    const fixture = reconcileFixture({ orphanTtlMs: DAY });
    fixture.archive(1);
    fixture.cluster.remove(fixture.live);
    const recreated = fixture.cluster.seed({ namespace: 'team-a', name: 'db' });
    fixture.observe();
    await fixture.run();
    fixture.observe();
    fixture.pass(DAY);
    await fixture.run();
    expect(fixture.snapshots()).toEqual([]);
    expect(fixture.cluster.peek(fixture.live)).toEqual(recreated);
  });
});

describe('a snapshot that cannot be patched', () => {
  const orphans = (code: 'rejected' | 'tooLarge' | 'admissionRefused') => {
    const fixture = reconcileFixture({ orphanTtlMs: 30 * DAY });
    fixture.archive(1, 2);
    fixture.cluster.remove(fixture.live);
    fixture.observe();
    fixture.failPatches(nameOf(fixture, 1), code);
    return fixture;
  };
  const CODES = ['rejected', 'tooLarge', 'admissionRefused'] as const;

  it.each(CODES)('does not keep the others of its UID from being annotated: %s', async (code) => {
    const fixture = orphans(code);
    expect(await fixture.run()).toEqual({ kind: 'retry', reason: code });
    expect(fixture.observed).toEqual([
      `annotateOrphan ${nameOf(fixture, 1)} failed: ${code}`,
      `annotateOrphan ${nameOf(fixture, 2)}`,
    ]);
    fixture.calls.length = 0;
    fixture.observe();
    expect(await fixture.run()).toEqual({ kind: 'retry', reason: code });
    expect(await fixture.run()).toEqual({ kind: 'later', afterMs: 30 * DAY });
  });

  it.each(CODES)('is removed at the time of the others, also by the next leader: %s', async (code) => {
    const fixture = orphans(code);
    await fixture.run();
    fixture.observe();
    fixture.changeLeader();
    fixture.pass(30 * DAY);
    fixture.calls.length = 0;
    expect(await fixture.run()).toEqual({ kind: 'done' });
    expect(fixture.snapshots()).toEqual([]);
    // In an order that keeps the time of the others until the end.
    expect(fixture.calls).toEqual([
      'read db',
      `delete ${nameOf(fixture, 1)}`,
      `delete ${nameOf(fixture, 2)}`,
    ]);
  });

  it('is removed at its time, although it is the only one', async () => {
    const fixture = orphans('rejected');
    fixture.cluster.remove(refOf(fixture, 2));
    fixture.observe();
    await fixture.run();
    expect(await fixture.run()).toEqual({ kind: 'later', afterMs: 30 * DAY });
    fixture.pass(30 * DAY);
    expect(await fixture.run()).toEqual({ kind: 'done' });
    expect(fixture.snapshots()).toEqual([]);
  });

  it('is removed by the time of its accepted deletion, whoever leads', async () => {
    const fixture = orphans('rejected');
    fixture.cluster.remove(refOf(fixture, 2));
    const annotations = new Map([
      ...(fixture.cluster.peek(refOf(fixture, 1))?.annotations ?? []),
      [NAMES.historyFinal, 'true'],
      [NAMES.historyDeletedBy, 'dev@example.com'],
      [NAMES.historyDeletedAt, '2026-06-01T00:00:00Z'],
    ]);
    const withRecord = (more: readonly (readonly [string, string])[]) => {
      const labels = new Map([
        ...(fixture.cluster.peek(refOf(fixture, 1))?.labels ?? []),
        [NAMES.historyFinal, 'true'],
      ]);
      fixture.cluster.touch(refOf(fixture, 1), { labels, annotations: new Map([...annotations, ...more]) });
      fixture.observe();
    };
    withRecord([]);
    fixture.pass(30 * DAY);
    await fixture.run();
    await fixture.run();
    expect(fixture.snapshots()).toHaveLength(1);
    withRecord([[NAMES.historyDeletionAccepted, 'true']]);
    fixture.changeLeader();
    await fixture.run();
    expect(await fixture.run()).toEqual({ kind: 'done' });
    expect(fixture.snapshots()).toEqual([]);
  });

  it('keeps no time of another step from coming: the next look stays planned', async () => {
    const fixture = reconcileFixture({ orphanTtlMs: 30 * DAY });
    fixture.archive(1, 2);
    fixture.cluster.remove(fixture.live);
    fixture.cluster.touch(refOf(fixture, 1), { labels: new Map() });
    fixture.observe();
    fixture.failPatches(nameOf(fixture, 1), 'rejected');
    expect(await fixture.run()).toEqual({ kind: 'terminal', reason: 'rejected', afterMs: 30 * DAY });
    expect(fixture.observed).toContain(`annotateOrphan ${nameOf(fixture, 2)}`);
  });

  it('does not keep the limit from being applied to the others', async () => {
    const fixture = reconcileFixture({ limit: 1 });
    fixture.archive(1, 2, 3);
    fixture.failNext('rejected');
    expect(await fixture.run()).toEqual({ kind: 'terminal', reason: 'rejected' });
    expect(fixture.snapshots()).toEqual([nameOf(fixture, 1), nameOf(fixture, 3)]);
  });
});
