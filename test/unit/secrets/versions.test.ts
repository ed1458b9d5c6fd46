import { describe, expect, it } from 'vitest';
import { codeOf } from '../../fakes/fake-journal.ts';
import { actor, admin } from '../access/users.ts';
import {
  deadline,
  callLines,
  REF,
  seedAttempt,
  seedLive,
  seedSnapshot,
  withEntries,
} from '../history/live-secret.ts';
import { createFixture } from './fixture.ts';
import { refInScope } from '../../fakes/in-scope.ts';

const NO_CHANGES = { added: [], changed: [], removed: [] };

function withVersions(versions: readonly number[]) {
  const fixture = createFixture();
  const seeded = seedLive(fixture.cluster, { data: { a: 'planted-4711', b: Uint8Array.of(0) } });
  const snapshots = versions.map((version) => seedSnapshot(fixture.cluster, seeded, version));
  return { ...fixture, seeded, snapshots };
}

describe('the versions of a Secret', () => {
  it('are newest first, without values, with the live counter at the top', async () => {
    const { seeded, snapshots, versions } = withVersions([1, 2]);
    const answer = await versions();
    expect(answer).toEqual({
      name: 'db',
      uid: seeded.uid,
      version: 3,
      versions: [2, 1].map((version, index) => ({
        version,
        resourceVersion: String(version),
        createdAt: snapshots[1 - index]?.creationTimestamp,
        lastModifiedBy: 'dev@example.com',
        lastModifiedAt: '2026-01-01T00:00:00.000Z',
        type: 'Opaque',
        keys: ['a', 'b'],
        keyCount: 2,
        binaryKeys: ['b'],
        ...(version === 2 && { changes: NO_CHANGES }),
      })),
      changes: NO_CHANGES,
    });
    expect(JSON.stringify(answer)).not.toContain('planted-4711');
  });

  it('are one list of metadata, and read to be compared once', async () => {
    const { cluster, versions } = withVersions([1, 2, 3]);
    const first = await versions(admin());
    expect(callLines(cluster)).toEqual([
      ...['read db', 'listMetadata', 'read db.v3.…', 'read db.v2.…', 'patchMetadata db.v3.…'],
      ...['read db.v1.…', 'patchMetadata db.v2.…', 'patchMetadata db.v1.…'],
    ]);
    cluster.calls.length = 0;
    expect(await versions(admin())).toEqual(first);
    expect(callLines(cluster)).toEqual(['read db', 'listMetadata', 'read db.v3.…']);
  });

  it('are none for a Secret that was never updated', async () => {
    const { versions } = withVersions([]);
    expect((await versions()).versions).toEqual([]);
  });

  it('are not compared with what a failed attempt has archived of the live state itself', async () => {
    const { cluster, seeded, versions } = withVersions([]);
    seedSnapshot(cluster, seeded, 1, () => ({ data: new Map([['old', Uint8Array.of(1)]]) }));
    seedAttempt(cluster, seeded, 3);
    expect((await versions()).changes).toEqual({ added: ['a', 'b'], changed: [], removed: ['old'] });
  });

  it('do not name who last modified a state that did not say', async () => {
    const { cluster, seeded, versions } = withVersions([]);
    seedSnapshot(cluster, seeded, 1, ({ annotations }) => ({
      annotations: withEntries(annotations, { 'service.io/last-modified-by': undefined }),
    }));
    const [only] = (await versions()).versions;
    expect(Object.keys(only ?? {})).not.toContain('lastModifiedBy');
  });

  it('say the type that was archived', async () => {
    const fixture = createFixture();
    const seeded = seedLive(fixture.cluster, { type: 'kubernetes.io/basic-auth', data: { username: '' } });
    seedSnapshot(fixture.cluster, seeded, 1);
    expect((await fixture.versions()).versions[0]?.type).toBe('kubernetes.io/basic-auth');
  });

  it('are unavailable when they cannot be listed', async () => {
    const { cluster, versions } = withVersions([1]);
    cluster.fail({ method: 'secrets.listMetadata' }, 'rbacForbidden');
    await expect(versions()).rejects.toMatchObject({
      code: 'historyUnavailable',
      reason: 'historyNotRead:rbacForbidden',
    });
  });

  it('need access to the live Secret', async () => {
    const { cluster, service, seeded } = withVersions([1]);
    cluster.touch(seeded, { annotations: new Map([['service.io/allowed-groups', 'team-b']]) });
    expect(await codeOf(service.authorize(actor(), refInScope(REF), deadline))).toBe('forbidden');
  });
});

describe('one version of a Secret', () => {
  it('is read by its name, with its values split', async () => {
    const { cluster, version } = withVersions([1, 2]);
    const { summary, values } = await version(2, admin());
    expect(summary.version).toBe(2);
    expect(values.text.get('a')).toBe('planted-4711');
    expect(values.binary.get('b')).toEqual(Uint8Array.of(0));
    expect(callLines(cluster)).toEqual(['read db', 'read db.v2.…']);
  });

  it('is the same as in the list', async () => {
    const { version, versions } = withVersions([1, 2]);
    const listed = (await versions()).versions.map(({ changes: _changes, ...summary }) => summary);
    expect(listed).toEqual([(await version(2)).summary, (await version(1)).summary]);
  });

  it.each([3, 4, 1_000_000, Number.MAX_SAFE_INTEGER])(
    '%i is not found when it is not archived',
    async (wanted) => {
      const { version } = withVersions([1, 2]);
      await expect(version(wanted)).rejects.toMatchObject({
        code: 'notFound',
        message: 'This version is not archived',
      });
    },
  );

  it('is not found when the object of its name is not bound', async () => {
    const { cluster, seeded, version } = withVersions([]);
    seedSnapshot(cluster, seeded, 1, () => ({ annotations: new Map() }));
    expect(await codeOf(version(1))).toBe('notFound');
  });

  it('is not found when the object of its name archives a Secret of another name', async () => {
    const { cluster, seeded, version } = withVersions([]);
    // Cut to fit, both live names have the same snapshots' names.
    seedSnapshot(cluster, seeded, 1, ({ annotations }) => ({
      annotations: withEntries(annotations, { 'service.io/history-of': 'db-' }),
    }));
    expect(await codeOf(version(1))).toBe('notFound');
  });

  it('is not found while its snapshot is being deleted', async () => {
    const { cluster, snapshots, version } = withVersions([1]);
    for (const snapshot of snapshots) {
      cluster.touch(snapshot, {
        deletionTimestamp: '2026-01-02T00:00:00Z',
        finalizers: ['example.com/hold'],
      });
    }
    expect(await codeOf(version(1))).toBe('notFound');
  });

  it('is unavailable when it cannot be read', async () => {
    const { cluster, version } = withVersions([1]);
    cluster.fail({ method: 'secrets.read', skip: 1 }, 'unavailable');
    expect(await codeOf(version(1))).toBe('historyUnavailable');
  });
});
