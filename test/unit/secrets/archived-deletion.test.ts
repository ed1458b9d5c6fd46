import { describe, expect, it } from 'vitest';
import { codec } from '../../fakes/annotations.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import type { SecretSeed } from '../../fakes/fake-objects.ts';
import { admin } from '../access/users.ts';
import { callLines, names, REF, seedAttempt, seedLive, seedSnapshot } from '../history/live-secret.ts';
import { createFixture, NOW, stateOf } from './fixture.ts';

function withLive(overrides: Partial<SecretSeed> = {}, versions: readonly number[] = []) {
  const fixture = createFixture();
  const seeded = seedLive(fixture.cluster, overrides);
  for (const version of versions) seedSnapshot(fixture.cluster, seeded, version);
  const archive = (who = admin()) => fixture.remove({ keepHistory: true, archive: true }, who);
  const final = () => fixture.cluster.all().find(({ annotations }) => annotations.has(names.historyFinal));
  return { ...fixture, seeded, archive, final };
}

describe('a deletion with archive', () => {
  it('archives before it deletes, and proves afterwards that the snapshot stays', async () => {
    const { cluster, archive } = withLive({}, [1, 2]);
    expect(await archive()).toMatchObject({ status: 'deleted', history: 'retained' });
    expect(callLines(cluster)).toEqual([
      'read db', // live visibility and authorization
      'create db.v3.…',
      'patchMetadata db.v3.…', // who deletes it, and the access rules
      'read db', // still the authorized revision?
      'delete db',
      'patchMetadata db.v3.…', // it stays
      'read db', // gone?
    ]);
  });

  it('keeps the bytes, the description, the access rules, and who deleted it when', async () => {
    const { seeded, archive, final } = withLive({
      annotations: {
        'service.io/version': '3',
        'service.io/description': 'the database',
        'service.io/allowed-users': 'Dev@example.com',
        'example.com/foreign': 'left out',
      },
    });
    await archive();
    const stored = final();
    expect(stored?.data).toEqual(seeded.data);
    expect(stored?.labels.get(names.historyFinal)).toBe('true');
    expect(Object.fromEntries(stored?.annotations ?? [])).toMatchObject({
      [names.historyFinal]: 'true',
      [names.historyVersion]: '3',
      [names.historyDeletedBy]: admin().user.email.toLowerCase(),
      [names.historyDeletedAt]: NOW.toISOString(),
      [names.historyDeletionAccepted]: 'true',
      [names.description]: 'the database',
      [names.allowedUsers]: 'Dev@example.com',
    });
    expect(stored?.annotations.has('example.com/foreign')).toBe(false);
  });

  it('removes no snapshot, whatever the limit', async () => {
    const fixture = createFixture({ historyLimit: 1 });
    const live = seedLive(fixture.cluster);
    for (const version of [1, 2]) seedSnapshot(fixture.cluster, live, version);
    await fixture.remove({ keepHistory: true, archive: true });
    expect(fixture.archived()).toEqual([1, 2, 3]);
  });

  it('reuses what an update has left that archived this revision and failed', async () => {
    const { cluster, seeded, archive, archived, final } = withLive();
    const left = seedAttempt(cluster, seeded, 3);
    await archive();
    expect(archived()).toEqual([3]);
    expect(final()?.uid).toBe(left.uid);
  });

  it('that is pending can be requested again, and keeps its first record', async () => {
    const { cluster, archive, archived, final } = withLive({ finalizers: ['example.com/hold'] });
    expect(await archive()).toMatchObject({ status: 'pending', history: 'retained' });
    const first = final();
    expect(await archive()).toMatchObject({ status: 'pending', history: 'retained' });
    cluster.release(REF);
    expect(archived()).toEqual([3]);
    expect(final()?.data).toEqual(first?.data);
  });
});

describe('a deletion with archive is refused, and the live Secret stays', () => {
  it('with a stale revision, before any access to history', async () => {
    const { cluster, remove } = withLive();
    const before = stateOf(cluster);
    const stale = { resourceVersion: '1', keepHistory: true, archive: true };
    expect(await codeOf(remove(stale, admin()))).toBe('staleRevision');
    expect(callLines(cluster)).toEqual(['read db']);
    expect(stateOf(cluster)).toEqual(before);
  });

  it('when another state has its number, which names the way on for a deletion', async () => {
    const { cluster, seeded, archive } = withLive();
    seedSnapshot(cluster, seeded, 3);
    const before = stateOf(cluster);
    await expect(archive()).rejects.toMatchObject({
      code: 'snapshotCollision',
      message: expect.stringContaining('without archive') as string,
    });
    expect(stateOf(cluster)).toEqual(before);
  });

  it('when a higher number is archived', async () => {
    const { cluster, seeded, archive } = withLive();
    seedSnapshot(cluster, seeded, 7);
    expect(await codeOf(archive())).toBe('snapshotCollision');
    expect(cluster.peek(REF)).toBeDefined();
  });

  it('when its type, description and access rules are more than the cluster takes on a snapshot', async () => {
    const { cluster, archive } = withLive({
      type: `example.com/${'t'.repeat(200_000)}`,
      annotations: { 'service.io/description': 'd'.repeat(100_000) },
    });
    expect(await codeOf(archive())).toBe('tooLarge');
    expect(callLines(cluster)).toEqual(['read db']);
  });

  it('when it changed after the archive: the record is void as soon as an update archives that state', async () => {
    const { cluster, seeded, archive, update, final } = withLive();
    cluster.fail({ method: 'secrets.delete', name: 'db' }, 'unavailable');
    expect(await codeOf(archive())).toBe('unavailable');
    expect(final()?.annotations.get(names.historyResourceVersion)).toBe(seeded.resourceVersion);
    await update({ data: new Map([['user', 'bob']]) }, admin()).catch(() => undefined);
    await update({ description: 'later' }, admin());
    expect(cluster.all().filter((one) => one.managed.snapshot?.deletion !== undefined)).toEqual([]);
  });
});

describe('a deletion with archive beside an update that has just stored the snapshot', () => {
  it.each(['before', 'after'] as const)(
    'and that stands still %s its annotation until the update has ended is refused, and leaves no record',
    async (when) => {
      const { cluster, update, archive, seeded } = withLive();
      let deleting = Promise.resolve('never');
      const marking = Promise.withResolvers<undefined>();
      const goOn = Promise.withResolvers<undefined>();
      cluster.on({ method: 'secrets.patchMetadata', when }, async () => {
        marking.resolve(undefined);
        await goOn.promise;
      });
      cluster.on({ method: 'secrets.replace' }, async () => {
        deleting = codeOf(archive());
        await marking.promise;
      });
      await update({ description: 'new' });
      goOn.resolve(undefined);
      expect(['conflict', 'historyUnavailable']).toContain(await deleting);
      const archived = cluster.all().find(({ annotations }) => annotations.has(names.historyVersion));
      expect(archived?.data).toEqual(seeded.data);
      expect(codec.parse(archived ?? seeded).snapshot?.deletion).toBeUndefined();
    },
  );
});

describe('the archive of an acknowledged deletion', () => {
  it('outlives a cleaning deletion of the same revision that had listed it', async () => {
    const { cluster, archive, remove, final } = withLive();
    // It lists and deletes the snapshot between the archive and the live deletion of the other.
    cluster.on({ method: 'secrets.delete', name: 'db' }, () => {
      const stored = final();
      if (stored !== undefined) cluster.remove(stored);
    });
    expect(await archive()).toMatchObject({ status: 'deleted' });
    expect(final()?.managed.snapshot?.deletion).toBeDefined();
    expect(final()?.annotations.get(names.historyDeletionAccepted)).toBe('true');
    expect(await codeOf(remove())).toBe('notFound');
  });

  it('names the deletion that was carried out when two were requested', async () => {
    const { cluster, archive, final } = withLive();
    cluster.on({ method: 'secrets.delete', name: 'db' }, () => {
      const stored = final();
      if (stored === undefined) return;
      const annotations = new Map([...stored.annotations, [names.historyDeletedBy, 'other@example.com']]);
      cluster.touch(stored, { annotations });
    });
    await archive();
    expect(final()?.annotations.get(names.historyDeletedBy)).toBe(admin().user.email.toLowerCase());
  });

  it('is uncertain when a webhook has put other values in its place', async () => {
    const { cluster, archive, final } = withLive();
    cluster.on({ method: 'secrets.delete', name: 'db' }, () => {
      const stored = final();
      if (stored === undefined) return;
      cluster.touch(stored, { data: new Map() });
    });
    await expect(archive()).rejects.toMatchObject({
      code: 'uncertain',
      message: expect.stringContaining('was deleted') as string,
    });
  });
});
