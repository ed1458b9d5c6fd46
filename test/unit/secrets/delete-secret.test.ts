import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/errors/service-error.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import type { SecretSeed } from '../../fakes/fake-objects.ts';
import { admin } from '../access/users.ts';
import { callLines, REF, seedLive, seedSnapshot } from '../history/live-secret.ts';
import { createFixture, stateOf } from './fixture.ts';

function withHistory(versions: readonly number[], overrides: Partial<SecretSeed> = {}) {
  const fixture = createFixture();
  const seeded = seedLive(fixture.cluster, overrides);
  for (const version of versions) seedSnapshot(fixture.cluster, seeded, version);
  return { ...fixture, seeded };
}

describe('deleting a Secret', () => {
  it('goes through its steps in order', async () => {
    const { cluster, remove } = withHistory([1, 2]);
    await remove({}, admin());
    expect(callLines(cluster)).toEqual([
      'read db', // live visibility and authorization
      'listMetadata', // the eligible snapshots
      'read db', // unchanged?
      'delete db.v1.…', // the oldest first
      'read db.v1.…', // gone?
      'read db',
      'delete db.v2.…',
      'read db.v2.…',
      'listMetadata', // the final inventory
      'read db', // still the authorized revision?
      'delete db',
      'read db', // gone?
    ]);
    expect(cluster.all()).toEqual([]);
  });

  it('without snapshots needs one list', async () => {
    const { cluster, remove } = withHistory([]);
    await remove({}, admin());
    expect(callLines(cluster)).toEqual(['read db', 'listMetadata', 'read db', 'delete db', 'read db']);
  });

  it('keeping history lists and deletes none of it', async () => {
    const { cluster, remove, archived } = withHistory([1, 2]);
    expect(await remove({ keepHistory: true }, admin())).toMatchObject({ history: 'retained' });
    expect(callLines(cluster)).toEqual(['read db', 'read db', 'delete db', 'read db']);
    expect(archived()).toEqual([1, 2]);
  });

  it('answers that it is deleted', async () => {
    const { seeded, remove } = withHistory([1]);
    expect(await remove()).toEqual({ status: 'deleted', name: 'db', uid: seeded.uid, history: 'cleaned' });
  });

  it('answers that it is pending while finalizers hold it', async () => {
    const { seeded, remove, live, archived } = withHistory([1], { finalizers: ['example.com/hold'] });
    const result = await remove();
    expect(result).toEqual({
      status: 'pending',
      name: 'db',
      uid: seeded.uid,
      resourceVersion: live().resourceVersion,
      deletionTimestamp: live().deletionTimestamp,
      history: 'cleaned',
    });
    expect(live().deletionTimestamp).toBeDefined();
    expect(archived()).toEqual([]);
  });

  it('that is pending can be requested again with the new revision, and ends when the finalizers go', async () => {
    const { cluster, seeded, remove } = withHistory([], { finalizers: ['example.com/hold'] });
    const first = await remove();
    expect(await codeOf(remove({ resourceVersion: seeded.resourceVersion }))).toBe('staleRevision');
    expect(await remove()).toEqual(first);
    cluster.release(REF);
    expect(await codeOf(remove())).toBe('notFound');
  });

  it('of a type that the service never writes is allowed', async () => {
    const { cluster, remove } = withHistory([], { type: 'kubernetes.io/service-account-token' });
    expect(await remove()).toMatchObject({ status: 'deleted' });
    expect(cluster.all()).toEqual([]);
  });

  it('of an immutable Secret is allowed', async () => {
    expect(await withHistory([1], { immutable: true }).remove()).toMatchObject({ status: 'deleted' });
  });

  it('leaves history that is not eligible, and that of others', async () => {
    const { cluster, seeded, remove } = withHistory([1]);
    const unbound = seedSnapshot(cluster, seeded, 2, () => ({ annotations: new Map() }));
    const foreign = seedSnapshot(cluster, seedLive(cluster, { name: 'other' }), 1);
    await remove();
    expect(cluster.peek(unbound)).toEqual(unbound);
    expect(cluster.peek(foreign)).toEqual(foreign);
  });

  it('retained history never attaches to a recreated name', async () => {
    const { create, remove, versions, restore } = withHistory([1, 2, 3]);
    await remove({ keepHistory: true });
    await create();
    expect((await versions()).versions).toEqual([]);
    expect(await codeOf(restore(1))).toBe('notFound');
    expect(await remove()).toMatchObject({ status: 'deleted', history: 'cleaned' });
  });
});

describe('a deletion is refused', () => {
  it.each([false, true])(
    'with a stale revision before any access to history (keepHistory=%s)',
    async (keepHistory) => {
      const { cluster, remove } = withHistory([1]);
      const before = stateOf(cluster);
      expect(await codeOf(remove({ resourceVersion: '1', keepHistory }, admin()))).toBe('staleRevision');
      expect(callLines(cluster)).toEqual(['read db']);
      expect(stateOf(cluster)).toEqual(before);
    },
  );

  it('when the version counter is sent instead of the revision', async () => {
    expect(await codeOf(withHistory([]).remove({ resourceVersion: '3' }))).toBe('staleRevision');
  });

  it('when the live Secret changed before a snapshot was deleted', async () => {
    const { cluster, seeded, remove, archived } = withHistory([1, 2]);
    cluster.on({ method: 'secrets.read', name: 'db', skip: 2 }, () => void cluster.touch(seeded));
    await expect(remove()).rejects.toMatchObject({ code: 'conflict', reason: 'changedBeforeDelete' });
    expect(archived()).toEqual([2]);
    expect(cluster.peek(REF)).toBeDefined();
  });

  it.each([false, true])(
    'when it changed just before the live deletion (keepHistory=%s)',
    async (keepHistory) => {
      const { cluster, seeded, remove } = withHistory([]);
      cluster.on({ method: 'secrets.read', name: 'db', skip: 1 }, () => void cluster.touch(seeded));
      await expect(remove({ keepHistory })).rejects.toMatchObject({
        code: 'conflict',
        reason: 'changedBeforeDelete',
      });
      expect(callLines(cluster)).not.toContain('delete db');
    },
  );

  it('when it changed at the very moment of the live deletion', async () => {
    const { cluster, seeded, remove } = withHistory([]);
    cluster.on({ method: 'secrets.delete', name: 'db' }, () => void cluster.touch(seeded));
    await expect(remove()).rejects.toMatchObject({ code: 'conflict', reason: 'deletePrecondition' });
    expect(cluster.peek(REF)).toBeDefined();
  });

  it('when it was recreated before the live deletion', async () => {
    const { cluster, seeded, remove, live } = withHistory([]);
    cluster.on({ method: 'secrets.delete', name: 'db' }, () => {
      cluster.remove(seeded);
      seedLive(cluster);
    });
    expect(await codeOf(remove())).toBe('conflict');
    expect(live().uid).not.toBe(seeded.uid);
  });

  it.each([
    ['before the history was cleaned', 1],
    ['before the live deletion', 2],
  ])('when it disappeared %s', async (_when, skip) => {
    const { cluster, seeded, remove } = withHistory([1]);
    cluster.on({ method: 'secrets.read', name: 'db', skip }, () => {
      cluster.remove(seeded);
    });
    await expect(remove()).rejects.toMatchObject({ code: 'conflict', reason: 'disappearedBeforeDelete' });
  });

  it('when it disappeared at the moment of the live deletion', async () => {
    const { cluster, remove } = withHistory([]);
    cluster.fail({ method: 'secrets.delete' }, 'notFound');
    await expect(remove()).rejects.toMatchObject({ code: 'conflict', reason: 'disappearedBeforeDelete' });
  });

  it('when history was added meanwhile, without attempting the live deletion', async () => {
    const { cluster, seeded, remove } = withHistory([1]);
    cluster.on({ method: 'secrets.listMetadata', skip: 1 }, () => void seedSnapshot(cluster, seeded, 2));
    await expect(remove()).rejects.toMatchObject({ code: 'historyUnavailable', reason: 'historyGrew' });
    expect(callLines(cluster)).not.toContain('delete db');
  });

  it('when a snapshot changed meanwhile, without attempting the live deletion', async () => {
    const { cluster, snapshot, remove } = withHistory([1]);
    cluster.on({ method: 'secrets.delete' }, () => {
      const stored = snapshot(1);
      if (stored !== undefined) cluster.touch(stored);
    });
    await expect(remove()).rejects.toMatchObject({ code: 'conflict', reason: 'snapshotPrecondition' });
    expect(callLines(cluster)).not.toContain('delete db');
  });
});

describe('a deletion is not reported as done', () => {
  it('when another Secret has the name afterwards', async () => {
    const { cluster, remove, live, seeded } = withHistory([]);
    cluster.on({ method: 'secrets.delete', when: 'after' }, () => void seedLive(cluster));
    await expect(remove()).rejects.toMatchObject({ code: 'replaced', reason: 'replacedAfterDelete' });
    expect(live().uid).not.toBe(seeded.uid);
  });

  it.each(['unavailable', 'rbacForbidden', 'uncertain'] as const)(
    'when its absence cannot be confirmed because of %s',
    async (code) => {
      const { cluster, remove } = withHistory([]);
      cluster.fail({ method: 'secrets.read', name: 'db', skip: 2 }, code);
      await expect(remove()).rejects.toMatchObject({ code: 'uncertain', reason: 'deletionNotConfirmed' });
    },
  );

  it('and hands on the Retry-After of the cluster', async () => {
    const { cluster, remove } = withHistory([]);
    const overloaded = new ServiceError('unavailable', 'x', { retryAfterSeconds: 7 });
    cluster.fail({ method: 'secrets.read', name: 'db', skip: 2 }, overloaded);
    await expect(remove()).rejects.toMatchObject({ code: 'uncertain', retryAfterSeconds: 7 });
  });

  it('when the answer to it was lost', async () => {
    const { cluster, remove } = withHistory([]);
    cluster.fail({ method: 'secrets.delete', when: 'after' }, 'uncertain');
    expect(await codeOf(remove())).toBe('uncertain');
    expect(await codeOf(remove())).toBe('notFound');
  });
});
