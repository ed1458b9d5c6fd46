import { describe, expect, it } from 'vitest';
import type { HistoryIndex } from '../../../src/history/history.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { inScope } from '../../fakes/in-scope.ts';
import { actor, admin } from '../access/users.ts';
import { callLines, names, REF, seedLive, seedSnapshot } from '../history/live-secret.ts';
import { deletedFixture, namespace } from './deleted-fixture.ts';
import type { Fixture } from './fixture.ts';

const BEHIND: HistoryIndex = { at: () => Promise.resolve(undefined) };
const INDEXES = [
  ['with a watch that is up to date', undefined],
  ['with a watch that is behind', BEHIND],
  ['without a watch', 'none'],
] as const;

describe.each(INDEXES)('the list of deleted Secrets, %s,', (_what, index) => {
  it('has those whose UID is gone, and no other', async () => {
    const { cluster, listed, seedFinal, seedDeleted } = deletedFixture(index);
    seedDeleted(2);
    seedFinal(seedLive(cluster, { name: 'alive' }), 1);
    expect(await listed()).toEqual(['db-1', 'db-0']);
  });

  it('has no Secret that exists and carries a label of history', async () => {
    const { cluster, listed, seedFinal } = deletedFixture(index);
    const live = seedLive(cluster, { labels: { 'service.io/kind': 'history' } });
    seedFinal(live, 1);
    expect(await listed()).toEqual([]);
  });

  it('has no final snapshot after which something was archived', async () => {
    const { cluster, listed, seedFinal } = deletedFixture(index);
    const live = seedLive(cluster);
    seedFinal(live, 2);
    seedSnapshot(cluster, live, 3);
    cluster.remove(REF);
    expect(await listed()).toEqual([]);
  });

  it('has the newer of two final snapshots', async () => {
    const { cluster, page, seedFinal } = deletedFixture(index);
    const live = seedLive(cluster);
    seedFinal(live, 3, { keys: 'newer' });
    seedFinal(live, 2, { keys: 'older' });
    cluster.remove(REF);
    expect((await page()).deleted).toMatchObject([{ version: 3, keys: ['newer'] }]);
  });

  it('has a Secret whose name exists again', async () => {
    const { cluster, listed, seedFinal } = deletedFixture(index);
    seedFinal(seedLive(cluster), 1);
    cluster.remove(REF);
    seedLive(cluster);
    expect(await listed()).toEqual(['db']);
  });
});

describe('the list of deleted Secrets reads', () => {
  it('metadata, in one list where the watch is up to date', async () => {
    const { cluster, page, seedDeleted } = deletedFixture();
    seedDeleted(3);
    await page();
    expect(callLines(cluster)).toEqual(['listMetadata']);
  });

  it('metadata, in two lists where it is behind, whatever the number of live Secrets', async () => {
    const { cluster, listed, seedDeleted } = deletedFixture(BEHIND);
    seedDeleted(1);
    for (let index = 0; index < 5_100; index++) cluster.seed({ namespace, name: `live-${index}` });
    expect(await listed()).toEqual(['db-0']);
    expect(new Set(callLines(cluster))).toEqual(new Set(['listMetadata']));
  });

  it('more than 5,000 of them', async () => {
    const { page, seedDeleted } = deletedFixture();
    seedDeleted(5_100, { at: '2026-03-04T05:06:07.000Z' });
    expect((await page()).deleted).toHaveLength(5_100);
  });

  it.each([{ keys: undefined }, { keys: 'a,,b' }])(
    'the snapshot itself for the record %j',
    async (record) => {
      const { cluster, page, seedFinal } = deletedFixture();
      seedFinal(seedLive(cluster), 1, record);
      cluster.remove(REF);
      expect((await page()).deleted).toMatchObject([
        { keys: ['user', 'password'], keyCount: 2, binaryKeys: ['password'] },
      ]);
      expect(callLines(cluster)).toEqual(['listMetadata', 'read db.v1.…']);
    },
  );
});

describe('an accepted deletion', () => {
  it.each<[what: string, write: (on: Fixture) => Promise<unknown>]>([
    ['an update of what was live before', ({ update }) => update({ description: 'late' }, admin())],
    ['a deletion without archive', ({ remove }) => remove({ keepHistory: true }, admin())],
  ])('keeps its record beside %s', async (_what, write) => {
    const on = deletedFixture();
    seedLive(on.cluster);
    // The write has read the Secret as it was, and goes on when the deletion is over.
    on.cluster.on({ method: 'secrets.read', name: 'db', when: 'after' }, async () => {
      await on.remove({ keepHistory: true, archive: true }, admin());
    });
    expect(await codeOf(write(on))).toBe('conflict');
    expect((await on.page()).deleted).toMatchObject([{ name: 'db', deletedBy: admin().user.email }]);
  });
});

describe('a deletion that may have failed', () => {
  it('is uncertain, and no one is named', async () => {
    const { cluster, remove, page } = deletedFixture();
    seedLive(cluster);
    cluster.fail({ method: 'secrets.delete', name: 'db' }, 'unavailable');
    await remove({ keepHistory: true, archive: true }, admin()).catch(() => undefined);
    cluster.remove(REF);
    const [one] = (await page()).deleted;
    expect(one).toMatchObject({ name: 'db', uncertain: true });
    expect(one).not.toHaveProperty('deletedBy');
    expect(one).not.toHaveProperty('deletedAt');
    expect(one).not.toHaveProperty('expiresAt');
  });
});

describe('pages of deleted Secrets', () => {
  it('have each once, the last deletion first', async () => {
    const { page, seedDeleted } = deletedFixture();
    seedDeleted(5);
    const first = await page(2);
    const second = await page(2, first.continue);
    const third = await page(2, second.continue);
    const shown = [first, second, third].map(({ deleted }) => deleted.map(({ name }) => name));
    expect(shown).toEqual([['db-4', 'db-3'], ['db-2', 'db-1'], ['db-0']]);
    expect(third.continue).toBeUndefined();
  });

  it('go on behind what was shown, although something else was deleted, restored or removed', async () => {
    const { cluster, page, seedDeleted, seedFinal } = deletedFixture();
    seedDeleted(4);
    const { continue: token } = await page(2);
    const later = seedLive(cluster, { name: 'later' });
    seedFinal(later, 1, { at: '2026-05-05T05:05:05.000Z' });
    cluster.remove(later);
    const shown = cluster.all().filter(({ annotations }) => annotations.get(names.historyOf) === 'db-2');
    for (const one of shown) cluster.remove(one);
    expect((await page(2, token)).deleted.map(({ name }) => name)).toEqual(['db-1', 'db-0']);
  });

  it('are filtered by access before they are cut', async () => {
    const { cluster, page, seedFinal } = deletedFixture();
    for (const [position, groups] of ['team-b', 'team-a', 'team-b', 'team-a', 'team-b'].entries()) {
      const annotations = { 'service.io/allowed-groups': groups };
      const live = seedLive(cluster, { name: `db-${position}`, annotations });
      seedFinal(live, 1, { at: `2026-03-04T05:06:1${position}.000Z` });
      cluster.remove(live);
    }
    const first = await page(1, undefined, actor());
    const second = await page(1, first.continue, actor());
    expect([...first.deleted, ...second.deleted].map(({ name }) => name)).toEqual(['db-3', 'db-1']);
    expect(second.continue).toBeUndefined();
  });

  it('end early when snapshots without a record of their keys have many bytes', async () => {
    const { cluster, page, seedFinal } = deletedFixture();
    for (let index = 0; index < 12; index++) {
      const live = seedLive(cluster, { name: `db-${index}`, data: { key: 'x'.repeat(1_000_000) } });
      seedFinal(live, 1, { keys: '?' });
      cluster.remove(live);
    }
    const first = await page(500);
    expect(first.deleted).toHaveLength(9);
    const second = await page(500, first.continue);
    expect(second.deleted).toHaveLength(3);
    expect(new Set([...first.deleted, ...second.deleted].map(({ uid }) => uid)).size).toBe(12);
  });

  it('have a token that is good for its person and namespace alone', async () => {
    const { page, seedDeleted } = deletedFixture();
    seedDeleted(3);
    const { continue: token = '' } = await page(1, undefined, actor());
    expect((await page(1, token, actor())).deleted).toHaveLength(1);
    expect(await codeOf(page(1, token, actor({ email: 'other@example.com' })))).toBe('pageExpired');
    expect(await codeOf(page(1, token, actor(), inScope('team-b')))).toBe('pageExpired');
  });

  it.each(['', 'AAAA', '!'.repeat(166), 'A'.repeat(165)])(
    'refuse the text %j, which is no token, as malformed: beginning again would not help',
    async (token) => {
      expect(await codeOf(deletedFixture().page(1, token))).toBe('invalidRequest');
    },
  );

  it('refuse a token of another key as expired', async () => {
    expect(await codeOf(deletedFixture().page(1, 'A'.repeat(166)))).toBe('pageExpired');
  });
});
