import { describe, expect, it } from 'vitest';
import type { ListCache } from '../../../src/lists/list-cache.ts';
import { cacheNotifyingStore } from '../../../src/caches/cache-notifying-store.ts';
import type { SecretStore } from '../../../src/secrets/ports.ts';
import { snapshotDraft } from '../../../src/history/snapshot/snapshot.ts';
import { createFakeCluster } from '../../fakes/fake-cluster.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { deadline, REF, seedLive } from '../history/live-secret.ts';
import { codec } from '../../fakes/annotations.ts';
import { createFixture } from '../secrets/fixture.ts';

function fixture() {
  const cluster = createFakeCluster();
  const notes: string[] = [];
  let sequence = 0;
  const cache: ListCache = {
    state: () => Promise.resolve('disabled' as const),
    namespaces: () => [],
    size: () => 0,
    noteClusterRevision: () => undefined,
    onChange: () => undefined,
    startObservation: () => ({ sequence: ++sequence, atMs: 0 }),
    noteRevision: ({ name }, revision, since) =>
      notes.push(`saw ${name}@${revision} since ${since.sequence}`),
    noteWritten: ({ name }, revision, since) =>
      notes.push(`wrote ${name}@${revision} since ${since.sequence}`),
    noteDeleted: ({ name }, _uid, revision) => notes.push(`gone ${name}@${revision}`),
    noteAbsent: ({ name }) => notes.push(`absent ${name}`),
    noteList: () => notes.push('list'),
    markUncertain: (namespace) => notes.push(`uncertain ${namespace}`),
  };
  const notifying = (store: SecretStore) => cacheNotifyingStore(store, cache);
  return { cluster, notes, notifying, store: notifying(cluster.secrets) };
}

describe('what the list cache receives', () => {
  it('of a read is the revision, or the absence', async () => {
    const { cluster, store, notes } = fixture();
    await store.read(REF, deadline);
    const live = seedLive(cluster);
    await store.read(REF, deadline);
    expect(notes).toEqual(['absent db', `saw db@${live.resourceVersion} since 2`]);
  });

  it('of writes is the new revision, and the moment before', async () => {
    const { cluster, store, notes } = fixture();
    const live = seedLive(cluster);
    const replaced = await store.replace(live, { annotations: live.annotations }, deadline);
    const { type, labels, annotations, data } = live;
    const created = await store.create({ ...REF, name: 'new', type, labels, annotations, data }, deadline);
    expect(notes).toEqual([
      `wrote db@${replaced.resourceVersion} since 1`,
      `wrote new@${created.resourceVersion} since 2`,
    ]);
  });

  it('of a deletion is the revision that is gone, or that there was nothing', async () => {
    const { cluster, store, notes } = fixture();
    const live = seedLive(cluster);
    await store.delete(REF, live, deadline);
    expect(await codeOf(store.delete(REF, live, deadline))).toBe('notFound');
    expect(notes).toEqual([`gone db@${live.resourceVersion}`, 'absent db']);
  });

  it('of a snapshot that is read is nothing', async () => {
    const { cluster, store, notes } = fixture();
    const draft = snapshotDraft(seedLive(cluster), 1, codec);
    await cluster.secrets.create(draft, deadline);
    await store.read(draft, deadline);
    expect(notes).toEqual([]);
  });

  it('of updates at the limit is the live Secret alone, and nothing of the snapshots that they remove', async () => {
    const { notes, notifying } = fixture();
    const service = createFixture({ historyLimit: 1, notifying });
    seedLive(service.cluster);
    for (let update = 0; update < 3; update++) await service.update();
    expect(service.archived()).toEqual([5]);
    expect(notes).toContainEqual(expect.stringMatching(/^wrote db@/));
    expect(notes.filter((note) => !/^(saw|wrote) db@/.test(note))).toEqual([]);
  });

  it.each(['secrets.create', 'secrets.replace', 'secrets.delete'] as const)(
    'of %s is that it is uncertain, when it is, and nothing when nothing happened',
    async (method) => {
      const { cluster, store, notes } = fixture();
      const live = seedLive(cluster);
      const { type, labels, annotations, data } = live;
      const act = () => {
        if (method === 'secrets.create')
          return store.create({ ...REF, name: 'new', type, labels, annotations, data }, deadline);
        if (method === 'secrets.replace') return store.replace(live, { annotations }, deadline);
        return store.delete(REF, live, deadline);
      };
      cluster.fail({ method }, 'unavailable');
      expect(await codeOf(act())).toBe('unavailable');
      expect(notes).toEqual([]);
      cluster.fail({ method }, 'uncertain');
      expect(await codeOf(act())).toBe('uncertain');
      expect(notes).toEqual(['uncertain team-a']);
    },
  );
});
