import { describe, expect, it } from 'vitest';
import { codeOf } from '../../fakes/fake-journal.ts';
import { inScope } from '../../fakes/in-scope.ts';
import { actor, admin } from '../access/users.ts';
import { deadline, names, REF, seedLive, seedSnapshot } from '../history/live-secret.ts';
import { createFixture, stateOf, textData } from './fixture.ts';

const namespace = inScope(REF.namespace);
const OUTSIDER = actor({ email: 'other@example.com', groups: ['team-b'] });
const OPEN = { 'service.io/version': '3', 'service.io/allowed-groups': 'team-a,team-b' };

const DELETED = { method: 'secrets.delete', name: 'db' } as const;
const REPLACED = { method: 'secrets.replace', name: 'db' } as const;
const ARCHIVE = { keepHistory: true, archive: true };
const ALL = { limit: undefined, token: undefined };

/** A Secret that was deleted with archive and waits for finalizers. */
async function withPending() {
  const fixture = createFixture();
  const { cluster, service } = fixture;
  const seeded = seedLive(cluster, { finalizers: ['example.com/hold'], annotations: OPEN });
  await fixture.remove({ keepHistory: true, archive: true }, admin());
  return {
    ...fixture,
    seeded,
    final: () => cluster.all().find(({ annotations }) => annotations.has(names.historyFinal)),
    release: () => {
      cluster.release(REF);
    },
    listed: async (who = admin()) =>
      (await service.deleted.list(who, namespace, { limit: undefined, token: undefined }, deadline)).deleted,
    authorize: (who = admin()) => service.deleted.authorize(who, { namespace, uid: seeded.uid }, deadline),
  };
}

describe('while a deletion is pending', () => {
  it('its access rules and description can be changed, and the final snapshot takes them over', async () => {
    const { update, release, listed, authorize, archived, final, live } = await withPending();
    const written = await update({ allowedGroups: ['team-a'], description: 'tight' }, admin());
    expect(written.summary).toMatchObject({ version: 4, allowedGroups: ['team-a'] });
    expect(archived()).toEqual([3]);
    expect(final()?.annotations.get(names.historyRulesOf)).toBe(live().resourceVersion);
    release();
    expect(await listed(OUTSIDER)).toEqual([]);
    expect(await codeOf(authorize(OUTSIDER))).toBe('forbidden');
    expect(await listed()).toMatchObject([
      { allowedGroups: ['team-a'], description: 'tight', deletedBy: admin().user.email },
    ]);
  });

  it('readers who are taken away do not see it once it is deleted', async () => {
    const { update, release, listed } = await withPending();
    await update({ allowedGroups: ['team-c'], readerGroups: OUTSIDER.user.groups }, admin());
    await update({ readerGroups: [], writerUsers: ['w@example.com'] }, admin());
    release();
    expect(await listed(OUTSIDER)).toEqual([]);
    const [deleted] = await listed();
    expect(deleted).toMatchObject({ allowedGroups: ['team-c'], writerUsers: ['w@example.com'] });
    expect(deleted).not.toHaveProperty('readerGroups');
  });

  it('they can be changed again, under the next number', async () => {
    const { update, release, listed, archived } = await withPending();
    await update({ allowedGroups: ['team-a'] }, admin());
    await update({ allowedGroups: ['team-c'] }, admin());
    release();
    expect(archived()).toEqual([3]);
    expect(await listed()).toMatchObject([{ allowedGroups: ['team-c'] }]);
  });

  it.each([{ data: textData({ user: 'bob' }) }, { data: textData({}), description: 'x' }])(
    'its values cannot, and the error says that it is being deleted: %j',
    async (request) => {
      const { update, cluster } = await withPending();
      const before = stateOf(cluster);
      await expect(update({ resourceVersion: 'stale', ...request }, admin())).rejects.toMatchObject({
        code: 'conflict',
        reason: 'beingDeleted',
        message: expect.stringContaining('is being deleted') as string,
      });
      expect(stateOf(cluster)).toEqual(before);
    },
  );

  it('a failed change leaves the final snapshot with the rules that were requested, never with those before', async () => {
    const { update, cluster, release, listed } = await withPending();
    cluster.fail({ method: 'secrets.replace' }, 'unavailable');
    expect(await codeOf(update({ allowedGroups: ['team-a'] }, admin()))).toBe('unavailable');
    release();
    expect(await listed(OUTSIDER)).toEqual([]);
    expect(await listed()).toHaveLength(1);
  });

  it('of two who change the rules at once, those of the one who succeeds stay', async () => {
    const { update, cluster, release, listed } = await withPending();
    let other = Promise.resolve('never');
    cluster.on({ method: 'secrets.replace' }, () => {
      // Someone else has read the same revision, and changes the final snapshot last.
      const final = cluster.all().find(({ annotations }) => annotations.has(names.historyFinal));
      if (final === undefined) throw new Error('no final snapshot');
      const annotations = new Map([...final.annotations, [names.allowedGroups, 'team-b']]);
      cluster.touch(final, { annotations });
      other = Promise.resolve('done');
    });
    await update({ allowedGroups: ['team-a'] }, admin());
    expect(await other).toBe('done');
    release();
    expect(await listed()).toMatchObject([{ allowedGroups: ['team-a'] }]);
  });

  it('a change that was decided on an older state leaves the final snapshot as it is', async () => {
    const { update, cluster, live, final } = await withPending();
    cluster.on({ method: 'secrets.read', skip: 1 }, () => {
      cluster.touch(live(), { annotations: live().annotations });
    });
    const before = final();
    expect(await codeOf(update({ allowedGroups: ['team-b'] }, admin()))).toBe('conflict');
    expect(final()).toEqual(before);
  });

  it('a repeated deletion writes description and rules again, which someone has changed outside the service', async () => {
    const { cluster, remove, live, release, listed, archived } = await withPending();
    const annotations = new Map([...live().annotations, ['service.io/allowed-groups', 'team-a']]);
    cluster.touch(live(), { annotations });
    await remove({ keepHistory: true, archive: true }, admin());
    release();
    expect(archived()).toEqual([3]);
    expect(await listed()).toMatchObject([{ allowedGroups: ['team-a'] }]);
  });

  it('a repeated deletion leaves the rules that were changed while it ran', async () => {
    const { update, cluster, remove, release, listed } = await withPending();
    cluster.on({ ...DELETED, when: 'after' }, async () => {
      await update({ allowedGroups: ['team-a'] }, admin());
    });
    await remove(ARCHIVE, admin());
    release();
    expect(await listed(OUTSIDER)).toEqual([]);
    expect(await listed()).toMatchObject([{ allowedGroups: ['team-a'], deletedBy: admin().user.email }]);
  });

  it('rules that were changed twice at once are those of the later change, whoever confirms last', async () => {
    const { update, cluster, release, listed } = await withPending();
    cluster.on({ ...REPLACED, when: 'after' }, async () => {
      await update({ allowedGroups: ['team-c'] }, admin());
    });
    await update({ allowedGroups: ['team-a'] }, admin());
    release();
    expect(await listed()).toMatchObject([{ allowedGroups: ['team-c'] }]);
  });

  it('a repeated deletion leaves the rules of a change whose response is lost while it runs', async () => {
    const { update, cluster, remove, release, listed } = await withPending();
    cluster.on({ ...DELETED, when: 'after' }, async () => {
      cluster.fail({ ...REPLACED, when: 'after' }, 'uncertain');
      expect(await codeOf(update({ allowedGroups: ['team-a'] }, admin()))).toBe('uncertain');
    });
    await remove(ARCHIVE, admin());
    release();
    expect(await listed()).toMatchObject([{ allowedGroups: ['team-a'], deletedBy: admin().user.email }]);
  });

  it('a change that is confirmed late leaves the rules of a later one whose response is lost', async () => {
    const { update, cluster, release, listed } = await withPending();
    cluster.on({ ...REPLACED, when: 'after' }, async () => {
      cluster.fail({ ...REPLACED, when: 'after' }, 'uncertain');
      expect(await codeOf(update({ allowedGroups: ['team-c'] }, admin()))).toBe('uncertain');
    });
    await update({ allowedGroups: ['team-a'] }, admin());
    release();
    expect(await listed()).toMatchObject([{ allowedGroups: ['team-c'] }]);
  });

  it('a change that began before the deletion was confirmed leaves the deletion accepted', async () => {
    const fixture = createFixture();
    const { cluster, update, remove } = fixture;
    seedLive(cluster, { finalizers: ['example.com/hold'], annotations: OPEN });
    let changed: Promise<unknown> = Promise.resolve();
    const [replacing, confirmed] = [Promise.withResolvers(), Promise.withResolvers()];
    cluster.on({ ...DELETED, when: 'after' }, async () => {
      cluster.on(REPLACED, async () => {
        replacing.resolve(undefined);
        await confirmed.promise;
      });
      changed = update({ allowedGroups: ['team-a'] }, admin());
      await replacing.promise;
    });
    expect(await remove(ARCHIVE, admin())).toMatchObject({ status: 'pending' });
    confirmed.resolve(undefined);
    await changed;
    cluster.release(REF);
    const { deleted } = await fixture.service.deleted.list(admin(), namespace, ALL, deadline);
    expect(deleted).toMatchObject([{ allowedGroups: ['team-a'], deletedBy: admin().user.email }]);
    expect(deleted[0]).not.toHaveProperty('uncertain');
  });

  it.each([
    ['has archived it', REPLACED],
    ['archives it', { method: 'secrets.create' }],
  ] as const)('a deletion with archive that is accepted while a change %s is kept', async (_when, call) => {
    const { cluster, update, remove, live, service } = createFixture();
    seedLive(cluster, { finalizers: ['example.com/hold'], annotations: OPEN });
    // By kubectl, without archive.
    cluster.touch(live(), { deletionTimestamp: '2026-01-01T00:00:00Z' });
    let answer: unknown;
    cluster.on(call, async () => {
      answer = await remove(ARCHIVE, admin());
    });
    await update({ allowedGroups: ['team-a'] }, admin());
    expect(answer).toMatchObject({ status: 'pending' });
    cluster.release(REF);
    const { deleted } = await service.deleted.list(admin(), namespace, ALL, deadline);
    expect(deleted).toMatchObject([{ allowedGroups: ['team-a'], deletedBy: admin().user.email }]);
    expect(deleted[0]).not.toHaveProperty('uncertain');
  });

  it('a repeated deletion reuses no final snapshot with other values', async () => {
    const { cluster, remove, live, archived, release, listed } = await withPending();
    const annotations = new Map([...live().annotations, ['service.io/version', '4']]);
    cluster.touch(live(), { data: new Map([['user', Buffer.from('changed')]]), annotations });
    await remove({ keepHistory: true, archive: true }, admin());
    expect(archived()).toEqual([3, 4]);
    release();
    expect(await listed()).toMatchObject([{ version: 4, keys: ['user'] }]);
  });

  it('a repeated deletion reuses no final snapshot of another UID', async () => {
    const { cluster, remove, live, seeded, archived } = await withPending();
    const other = seedLive(cluster, { name: 'other', annotations: OPEN });
    cluster.touch(live(), { uid: other.uid });
    cluster.remove({ ...REF, name: 'other' });
    await remove({ keepHistory: true, archive: true }, admin());
    expect(archived()).toEqual([3, 3]);
    expect(seeded.uid).not.toBe(other.uid);
  });
});

describe('a final snapshot', () => {
  it('does not count once an administrator has archived a newer state', async () => {
    const { cluster, seeded, release, listed, authorize } = await withPending();
    seedSnapshot(cluster, { ...seeded, resourceVersion: '9000' }, 9_000);
    release();
    expect(await listed()).toEqual([]);
    expect(await codeOf(authorize())).toBe('notFound');
  });
});
