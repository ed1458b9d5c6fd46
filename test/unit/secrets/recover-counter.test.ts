import { describe, expect, it } from 'vitest';
import type { StoredSecret } from '../../../src/kube/secret.ts';
import type { FakeCluster } from '../../fakes/fake-cluster.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { admin } from '../access/users.ts';
import { callLines, names, seedLive, seedSnapshot } from '../history/live-secret.ts';
import { createFixture, stateOf, textData } from './fixture.ts';

/** A live Secret at version 3 whose version 3 is archived already, from before someone edited it natively. */
function collided(versions: readonly number[] = [1, 2, 3]) {
  const fixture = createFixture({ historyLimit: 100 });
  const seeded = seedLive(fixture.cluster, { data: { a: 'before' } });
  for (const version of versions) seedSnapshot(fixture.cluster, seeded, version);
  fixture.cluster.touch(seeded, { data: new Map([['a', Buffer.from('edited')]]) });
  return { ...fixture, seeded };
}

/** An object that has the name of a snapshot and nothing else of one. */
function plant(cluster: FakeCluster, live: StoredSecret, version: number): StoredSecret {
  return seedSnapshot(cluster, live, version, () => ({ labels: new Map(), annotations: new Map() }));
}

describe('recovering the counter', () => {
  it('is requested by the collision', async () => {
    const { cluster, update } = collided();
    const before = stateOf(cluster);
    await expect(update({ description: 'x' }, admin())).rejects.toMatchObject({
      code: 'snapshotCollision',
      message: expect.stringContaining('admin must review') as string,
    });
    expect(stateOf(cluster)).toEqual(before);
  });

  it('moves past the newest archived version before archiving', async () => {
    const { cluster, update, archived, snapshot } = collided([1, 2, 3, 7]);
    const { summary } = await update({ description: 'x', recoverCounter: true }, admin());
    expect(summary.version).toBe(9);
    expect(archived()).toEqual([1, 2, 3, 7, 8]);
    expect(Buffer.from(snapshot(8)?.data.get('a') ?? []).toString()).toBe('edited');
    expect(callLines(cluster)).toEqual(['read db', 'listMetadata', 'create db.v8.…', 'replace db']);
  });

  it('moves past objects that have the name of a snapshot without being bound', async () => {
    const { cluster, seeded, update, snapshot } = collided([1, 2]);
    const stripped = [3, 4].map((version) => plant(cluster, seeded, version));
    expect(await codeOf(update({ description: 'x' }, admin()))).toBe('snapshotCollision');
    expect((await update({ description: 'x', recoverCounter: true }, admin())).summary.version).toBe(6);
    expect(Buffer.from(snapshot(5)?.data.get('a') ?? []).toString()).toBe('edited');
    for (const object of stripped) expect(cluster.peek(object)).toEqual(object);
  });

  it('reads one list, however many names are taken', async () => {
    const { cluster, seeded, update } = collided([1]);
    for (let version = 2; version <= 400; version++) plant(cluster, seeded, version);
    expect((await update({ description: 'x', recoverCounter: true }, admin())).summary.version).toBe(402);
    const methods = cluster.calls.map(({ method }) => method);
    expect(methods.filter((method) => method === 'secrets.listMetadata')).toHaveLength(1);
    expect(methods.filter((method) => method === 'secrets.read')).toHaveLength(1);
  });

  it('is needed once, however far apart the planted names are', async () => {
    const { cluster, seeded, update } = collided([1]);
    for (let version = 3; version < 40; version += 2) plant(cluster, seeded, version);
    expect(await codeOf(update({ description: 'x' }))).toBe('snapshotCollision');
    await update({ description: 'x', recoverCounter: true }, admin());
    for (let round = 0; round < 10; round++) await update({ description: `round ${round}` });
  });

  it.each([[9_007_199_254_740_990], [9_007_199_254_740_991], [9_007_199_254_740_990, 9_007_199_254_740_991]])(
    'steps below a name planted at the end of the numbers (%j)',
    async (...versions: readonly number[]) => {
      const { cluster, seeded, update, archived } = collided();
      for (const version of versions) plant(cluster, seeded, version);
      expect((await update({ description: 'x', recoverCounter: true }, admin())).summary.version).toBe(5);
      expect((await update({ description: 'y' })).summary.version).toBe(6);
      expect(archived()).toEqual([1, 2, 3, 4, 5]);
    },
  );

  it('brings back a live counter that was set to the end of the numbers', async () => {
    const { cluster, seeded, update } = collided();
    const annotations = new Map([...seeded.annotations, [names.version, '9007199254740991']]);
    cluster.touch(seeded, { annotations });
    expect(await codeOf(update({ description: 'x' }))).toBe('snapshotCollision');
    expect((await update({ description: 'x', recoverCounter: true }, admin())).summary.version).toBe(5);
  });

  it('by restore works, too', async () => {
    const { restore, archived, live } = collided();
    const { summary } = await restore(1, { recoverCounter: true }, admin());
    expect(summary.version).toBe(5);
    expect(archived()).toEqual([1, 2, 3, 4]);
    expect(Buffer.from(live().data.get('a') ?? []).toString()).toBe('before');
  });

  it('does not move back a counter that is ahead of the archive', async () => {
    const { update, archived } = collided([1]);
    expect((await update({ description: 'x', recoverCounter: true }, admin())).summary.version).toBe(4);
    expect(archived()).toEqual([1, 3]);
  });

  it('goes on from there without recovery', async () => {
    const { update } = collided();
    await update({ recoverCounter: true }, admin());
    expect((await update({ description: 'y' })).summary.version).toBe(6);
  });

  it('is for admins only, and refused before anything is read of the history', async () => {
    const { cluster, update, restore } = collided();
    const before = stateOf(cluster);
    for (const work of [update({ recoverCounter: true }), restore(1, { recoverCounter: true })]) {
      await expect(work).rejects.toMatchObject({ code: 'forbidden', reason: 'recoverCounterNeedsAdmin' });
    }
    expect(stateOf(cluster)).toEqual(before);
    expect(cluster.calls.some(({ method }) => method === 'secrets.listMetadata')).toBe(false);
  });

  it('fails before any write when the history cannot be listed', async () => {
    const { cluster, update } = collided();
    cluster.fail({ method: 'secrets.listMetadata' }, 'unavailable');
    const before = stateOf(cluster);
    await expect(update({ recoverCounter: true }, admin())).rejects.toMatchObject({
      code: 'historyUnavailable',
      reason: 'historyNotListed:unavailable',
    });
    expect(stateOf(cluster)).toEqual(before);
  });

  it('is not needed after a failed write of the same state', async () => {
    const fixture = createFixture();
    seedLive(fixture.cluster);
    fixture.cluster.fail({ method: 'secrets.replace' }, 'unavailable');
    expect(await codeOf(fixture.update({ description: 'x' }))).toBe('unavailable');
    expect((await fixture.update({ description: 'x' })).summary.version).toBe(4);
  });

  it('is needed after a failed write that a native edit followed', async () => {
    const fixture = createFixture();
    const live = seedLive(fixture.cluster, { data: { a: '1' } });
    fixture.cluster.fail({ method: 'secrets.replace' }, 'unavailable');
    expect(await codeOf(fixture.update({ description: 'x' }))).toBe('unavailable');
    fixture.cluster.touch(live, { data: new Map([['a', Buffer.from('2')]]) });
    expect(await codeOf(fixture.update({ data: textData({ a: '3' }) }))).toBe('snapshotCollision');
    const { summary } = await fixture.update({ data: textData({ a: '3' }), recoverCounter: true }, admin());
    expect(summary.version).toBe(5);
    expect(Buffer.from(fixture.snapshot(4)?.data.get('a') ?? []).toString()).toBe('2');
  });
});
