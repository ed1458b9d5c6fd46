import { describe, expect, it } from 'vitest';
import { inspectHistory } from '../../../../src/history/inspection/inspect.ts';
import { listReport, showReport, verifyReport } from '../../../../src/history/inspection/report.ts';
import { snapshotName } from '../../../../src/history/snapshot/snapshot.ts';
import type { FakeCluster } from '../../../fakes/fake-cluster.ts';
import {
  deadline,
  clusterWithLive,
  names,
  REF,
  seedAttempt,
  seedSnapshot,
  withEntries,
} from '../live-secret.ts';

const inspect = (cluster: FakeCluster) => inspectHistory(cluster.secrets, REF, deadline);
const problemsOf = async (cluster: FakeCluster) =>
  (await inspect(cluster)).objects.flatMap(({ problems }) => problems);

describe('the inspection', () => {
  it('finds the snapshots of a live Secret, newest first, and nothing else', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, live, 1);
    seedSnapshot(cluster, live, 2);
    cluster.seed({ namespace: 'team-a', name: 'db.v1.not-a-snapshot' });
    cluster.seed({ namespace: 'team-b', name: 'other' });
    const { objects } = await inspect(cluster);
    expect(objects.map(({ metadata, state }) => [metadata?.version, state])).toEqual([
      [2, 'bound'],
      [1, 'bound'],
    ]);
  });

  it('keeps no value of a snapshot: there may be a thousand of a megabyte', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, live, 1);
    const { objects } = await inspect(cluster);
    expect(objects).toHaveLength(1);
    const text = JSON.stringify(objects, (_key, value: unknown) =>
      value instanceof Map ? [...value] : value,
    );
    expect(text).toContain('user (5 bytes)');
    for (const value of ['alice', Buffer.from('alice').toString('base64'), '"type":"Buffer"'])
      expect(text).not.toContain(value);
  });

  it('finds the history of a Secret that is gone, and distinguishes it from that of its successor', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, live, 1);
    cluster.remove(live);
    expect((await inspect(cluster)).objects.map(({ state }) => state)).toEqual(['orphaned']);
    const successor = cluster.seed({ ...REF });
    seedSnapshot(cluster, successor, 7);
    expect((await inspect(cluster)).objects.map(({ state }) => state)).toEqual(['bound', 'orphaned']);
  });

  it('finds an object that has lost its labels but for one', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, live, 1, () => ({
      labels: new Map(),
      annotations: new Map([[names.kind, 'history']]),
    }));
    const { objects } = await inspect(cluster);
    expect(objects).toMatchObject([{ state: 'inconsistent', problems: ['kindLabelMissing'] }]);
  });
});

describe('verify', () => {
  it('finds no fault with what the service has written', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, live, 1);
    seedAttempt(cluster, live, 3); // of the live revision: an update got this far
    expect(await problemsOf(cluster)).toEqual([]);
    expect(verifyReport(await inspect(cluster))).toEqual(['team-a/db: 2 objects checked, no problems']);
  });

  it('recomputes the name from the live name, the version and the UID', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, live, 1, () => ({ name: snapshotName('db', 2, live.uid) }));
    expect(await problemsOf(cluster)).toEqual(['nameDisagrees']);
    expect(verifyReport(await inspect(cluster))).toEqual([
      `${snapshotName('db', 2, live.uid)}: nameDisagrees`,
      'team-a/db: 1 objects checked, 1 problems',
    ]);
  });

  it('finds a lost label, another type, and an object that can be changed', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, live, 1, ({ labels }) => ({
      labels: withEntries(labels, { [names.kind]: undefined }),
    }));
    seedSnapshot(cluster, live, 2, () => ({ type: 'example.com/other', immutable: false }));
    expect(await problemsOf(cluster)).toEqual(['typeNotOpaque', 'notImmutable', 'kindLabelMissing']);
  });

  it('compares the values with the live ones where both are of the same revision', async () => {
    const { cluster, live } = clusterWithLive();
    seedAttempt(cluster, live, 3, () => ({ data: new Map([['user', Buffer.from('mallory')]]) }));
    expect(await problemsOf(cluster)).toEqual(['valuesDisagree']);
  });

  it('foresees the update that will be refused until an admin recovers the counter', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, live, 3);
    expect(await problemsOf(cluster)).toEqual(['nextUpdateCollides']);
    seedSnapshot(cluster, live, 7);
    expect(await problemsOf(cluster)).toEqual(['nextUpdateCollides', 'nextUpdateCollides']);
  });

  it('foresees it, too, where a recovery has failed after it archived the live state under a higher number', async () => {
    const { cluster, live } = clusterWithLive();
    seedAttempt(cluster, live, 6);
    expect(await problemsOf(cluster)).toEqual(['nextUpdateCollides']);
  });

  it('foresees it where an object that is no history has the name of the next snapshot', async () => {
    const { cluster, live } = clusterWithLive();
    for (const version of [2, 3, 4])
      cluster.seed({ namespace: 'team-a', name: snapshotName('db', version, live.uid) });
    expect(verifyReport(await inspect(cluster))).toEqual([
      `${snapshotName('db', 3, live.uid)}: nextUpdateCollides`,
      'team-a/db: 1 objects checked, 1 problems',
    ]);
    expect((await inspect(cluster)).objects).toMatchObject([{ state: 'other', metadata: undefined }]);
  });

  it('finds a snapshot that names the live UID under another name', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, { ...live, name: 'other' }, 1);
    expect(await problemsOf(cluster)).toEqual(['belongsToAnotherName']);
  });
});

describe('the reports', () => {
  it('list one line for each version', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, live, 2);
    const [headline, columns, row] = listReport(await inspect(cluster));
    expect(headline).toBe(`team-a/db: live, version 3, uid ${live.uid}`);
    expect(columns).toMatch(/^VERSION +STATE +SOURCE REVISION +ARCHIVED +LAST MODIFIED BY +NAME$/);
    expect(row).toMatch(/^2 +bound +2 +2026-[^ ]+ +dev@example\.com +db\.v2\.[0-9a-f]{16}$/);
  });

  it('show one version when it is named, with keys and sizes but no values', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, live, 1);
    seedSnapshot(cluster, live, 2);
    const text = showReport(await inspect(cluster), 1).join('\n');
    expect(text).toContain('user (5 bytes), password (3 bytes)');
    expect(text).toMatch(/^version: +1$/m);
    expect(text).not.toMatch(/^version: +2$/m);
    expect(text).not.toContain('alice');
  });

  it('let no text of an annotation steer the terminal', async () => {
    const { cluster, live } = clusterWithLive();
    seedSnapshot(cluster, live, 1, ({ annotations }) => ({
      annotations: withEntries(annotations, { [names.lastModifiedBy]: '\u001b[2J\u202eevil\nline' }),
    }));
    const inspection = await inspect(cluster);
    for (const report of [listReport(inspection), showReport(inspection)]) {
      expect(report.join('')).toContain('\\u{1b}[2J\\u{202e}evil\\u{a}line');
    }
  });

  it('say that there is no live Secret, or that it is being deleted', async () => {
    const { cluster, live } = clusterWithLive();
    cluster.touch(live, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(listReport(await inspect(cluster))[0]).toContain('being deleted');
    cluster.remove(live);
    expect(listReport(await inspect(cluster))[0]).toBe('team-a/db: no live Secret');
  });
});
