import { describe, expect, it } from 'vitest';
import type { HistoryIndex } from '../../../src/history/history.ts';
import { inScope } from '../../fakes/in-scope.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import type { SecretSeed } from '../../fakes/fake-objects.ts';
import { actor, admin } from '../access/users.ts';
import { callLines, deadline, names, REF, seedLive, seedSnapshot } from '../history/live-secret.ts';
import { createFixture, NOW, stateOf, type FixtureOptions } from './fixture.ts';

const namespace = inScope(REF.namespace);
const OUTSIDER = actor({ email: 'other@example.com', groups: ['team-b'] });
const BEHIND: HistoryIndex = { at: () => Promise.resolve(undefined) };
const ALL = { limit: undefined, token: undefined };
const RULES = { 'service.io/version': '3', 'service.io/allowed-groups': 'team-a' };

/** A Secret that was deleted and archived. */
async function withDeleted(overrides: Partial<SecretSeed> = {}, options: FixtureOptions = {}) {
  const fixture = createFixture(options);
  const { cluster, service } = fixture;
  const seeded = seedLive(cluster, overrides);
  seedSnapshot(cluster, seeded, 2);
  await fixture.remove({ keepHistory: true, archive: true }, admin());
  const { deleted } = service;
  const authorize = (who = admin(), uid = seeded.uid) => deleted.authorize(who, { namespace, uid }, deadline);
  return {
    ...fixture,
    seeded,
    authorize,
    list: async (who = admin()) => (await deleted.list(who, namespace, ALL, deadline)).deleted,
    page: (limit: number, token?: string, who = admin()) =>
      deleted.list(who, namespace, { limit, token }, deadline),
    restore: async (name?: string, who = admin()) =>
      deleted.restore(await authorize(who), () => ({ name }), deadline),
    purge: async (who = admin()) => deleted.remove(await authorize(who), deadline),
    final: () => cluster.all().find(({ annotations }) => annotations.has(names.historyFinal)),
  };
}

describe('the deleted Secrets of a namespace', () => {
  it('are those that were deleted with archive, without their values', async () => {
    const { list, seeded } = await withDeleted();
    const [one, ...others] = await list();
    expect(others).toEqual([]);
    expect(one).toEqual({
      name: 'db',
      uid: seeded.uid,
      type: seeded.type,
      keys: ['user', 'password'],
      keyCount: 2,
      binaryKeys: ['password'],
      description: 'the database',
      version: 3,
      allowedGroups: [],
      allowedUsers: [],
      deletedBy: admin().user.email,
      deletedAt: NOW.toISOString(),
    });
    expect(JSON.stringify(one)).not.toContain('alice');
  });

  it('expire with the time to live, from the moment at which their orphans were dated', async () => {
    const { cluster, list, final } = await withDeleted({}, { orphanTtlMs: 60_000 });
    expect((await list())[0]?.expiresAt).toBe(new Date(NOW.getTime() + 60_000).toISOString());
    const stored = final();
    const dated = '2026-03-05T00:00:00.000Z';
    if (stored === undefined) throw new Error('no final snapshot');
    cluster.touch(stored, {
      annotations: new Map([...stored.annotations, [names.historyOrphanedAt, dated]]),
    });
    expect((await list())[0]?.expiresAt).toBe('2026-03-05T00:01:00.000Z');
  });

  it('are shown by the decision that the live Secret would have had', async () => {
    const { list, cluster } = await withDeleted({ annotations: RULES });
    expect(await list(OUTSIDER)).toEqual([]);
    expect(await list(actor())).toHaveLength(1);
    cluster.setPolicy(namespace, { allowedGroups: 'not JSON' });
    expect(await codeOf(list(actor()))).toBe('policyUnavailable');
    expect(await list(admin())).toHaveLength(1);
  });

  it('are none while the live Secret exists, as after a deletion that failed', async () => {
    const fixture = createFixture();
    seedLive(fixture.cluster);
    fixture.cluster.fail({ method: 'secrets.delete', name: 'db' }, 'unavailable');
    await fixture.remove({ keepHistory: true, archive: true }, admin()).catch(() => undefined);
    const list = async () => (await fixture.service.deleted.list(admin(), namespace, ALL, deadline)).deleted;
    expect(await list()).toEqual([]);
    fixture.cluster.remove(REF);
    expect(await list()).toMatchObject([{ name: 'db', uncertain: true }]);
  });

  it('are not those that were deleted without archive', async () => {
    const fixture = createFixture();
    seedSnapshot(fixture.cluster, seedLive(fixture.cluster), 2);
    await fixture.remove({ keepHistory: true }, admin());
    const { deleted } = await fixture.service.deleted.list(admin(), namespace, ALL, deadline);
    expect(deleted).toEqual([]);
  });

  it('are listed the last deletion first, and each UID once', async () => {
    const { list, cluster, final } = await withDeleted();
    const stored = final();
    if (stored === undefined) throw new Error('no final snapshot');
    const later = new Map([...stored.annotations, [names.historyDeletedAt, '2027-01-01T00:00:00.000Z']]);
    const live = seedLive(cluster, { name: 'other' });
    const copy = seedSnapshot(cluster, live, 1);
    cluster.touch(copy, {
      labels: new Map([...copy.labels, [names.historyFinal, 'true']]),
      annotations: new Map([...later, ...copy.annotations]),
    });
    cluster.remove(live);
    expect((await list()).map(({ name }) => name)).toEqual(['other', 'db']);
  });

  it.each([0, 1])('are 503 when list %d of their metadata fails', async (skip) => {
    const { list, cluster } = await withDeleted({}, { historyIndex: BEHIND });
    cluster.fail({ method: 'secrets.listMetadata', skip }, 'unavailable');
    expect(await codeOf(list())).toBe('historyUnavailable');
  });
});

describe('a deleted Secret', () => {
  it('is not found without a final snapshot, for administrators too', async () => {
    const { authorize, seeded, final, cluster } = await withDeleted({ annotations: RULES });
    expect(await codeOf(authorize(OUTSIDER, 'absent'))).toBe('notFound');
    const stored = final();
    if (stored === undefined) throw new Error('no final snapshot');
    cluster.touch(stored, { labels: new Map([...stored.labels].slice(0, 2)) });
    expect(await codeOf(authorize(admin(), seeded.uid))).toBe('notFound');
  });

  it('is denied to those whom its access rules deny', async () => {
    const { authorize } = await withDeleted({ annotations: RULES });
    expect(await codeOf(authorize(OUTSIDER))).toBe('forbidden');
    expect((await authorize(actor())).final.of).toBe('db');
  });
});

describe('restoring a deleted Secret', () => {
  it('creates a new one with its type, bytes, description and access rules, at version 1', async () => {
    const { restore, seeded, live, archived } = await withDeleted({
      annotations: { ...RULES, 'service.io/description': 'x' },
    });
    const { summary } = await restore();
    expect(summary).toMatchObject({ name: 'db', version: 1, allowedGroups: ['team-a'], description: 'x' });
    expect(live().uid).not.toBe(seeded.uid);
    expect(live().data).toEqual(seeded.data);
    expect(live().managed.isManaged).toBe(true);
    expect(archived()).toEqual([2, 3]);
  });

  it('leaves the history with the former UID', async () => {
    const { restore, versions } = await withDeleted();
    await restore();
    expect((await versions()).versions).toEqual([]);
  });

  it('takes another name', async () => {
    const { restore, cluster } = await withDeleted();
    expect((await restore('copy')).summary).toMatchObject({ name: 'copy' });
    expect(cluster.peek({ namespace, name: 'copy' })).toBeDefined();
    expect(cluster.peek(REF)).toBeUndefined();
  });

  it('keeps the snapshot when the name exists', async () => {
    const { restore, cluster } = await withDeleted();
    seedLive(cluster);
    const before = stateOf(cluster);
    expect(await codeOf(restore())).toBe('exists');
    expect(stateOf(cluster)).toEqual(before);
  });

  it.each(['Bad_Name', 'a.v1.0123456789abcdef', ''])('refuses the name %j', async (name) => {
    const { restore, cluster } = await withDeleted();
    expect(await codeOf(restore(name))).toBe('invalidRequest');
    expect(callLines(cluster).filter((line) => line.startsWith('create'))).toHaveLength(1);
  });

  it('needs the right to create there, before the request is looked at', async () => {
    const { service, authorize, cluster } = await withDeleted({ annotations: RULES });
    cluster.setPolicy(namespace, { allowedGroups: '["team-c"]' });
    const request = () => {
      throw new Error('looked at');
    };
    expect(await codeOf(service.deleted.restore(await authorize(actor()), request, deadline))).toBe(
      'forbidden',
    );
  });

  it('is 404 when another object has the name of the snapshot meanwhile', async () => {
    const { service, authorize, final, cluster } = await withDeleted();
    const found = await authorize();
    const stored = final();
    if (stored === undefined) throw new Error('no final snapshot');
    cluster.touch(stored, { uid: 'another', data: new Map([['user', Buffer.from('mallory')]]) });
    const restored = service.deleted.restore(found, () => ({ name: undefined }), deadline);
    expect(await codeOf(restored)).toBe('notFound');
  });

  it('is refused while the live Secret exists', async () => {
    const { restore, cluster, seeded } = await withDeleted();
    const back = seedLive(cluster);
    cluster.touch(back, { uid: seeded.uid });
    await expect(restore('copy')).rejects.toMatchObject({ code: 'conflict', reason: 'liveExists' });
  });

  it('follows the rules of a creation: service account tokens, bootstrap tokens', async () => {
    const { restore } = await withDeleted({ type: 'kubernetes.io/service-account-token' });
    expect(await codeOf(restore())).toBe('invalidSecret');
  });
});

describe('removing a deleted Secret permanently', () => {
  it('removes all snapshots of its UID, the final one last, while it looks for the live Secret', async () => {
    const { purge, cluster, seeded } = await withDeleted();
    const before = cluster.calls.length;
    expect(await purge()).toEqual({ name: 'db', uid: seeded.uid, history: 'cleaned' });
    expect(callLines(cluster).slice(before)).toEqual([
      'listMetadata', // the final snapshot
      'read db', // gone?
      'listMetadata', // all snapshots
      'read db',
      'delete db.v2.…',
      'read db.v2.…',
      'read db',
      'delete db.v3.…',
      'read db.v3.…',
      'listMetadata', // none is left
    ]);
    expect(cluster.all()).toEqual([]);
  });

  it('leaves a new Secret of the same name and its history alone', async () => {
    const { purge, cluster } = await withDeleted();
    const other = seedLive(cluster);
    seedSnapshot(cluster, other, 1);
    await purge();
    expect(cluster.all()).toHaveLength(2);
  });

  it('is refused when the live Secret exists, and removes nothing', async () => {
    const { purge, cluster, seeded } = await withDeleted();
    const back = seedLive(cluster);
    cluster.touch(back, { uid: seeded.uid });
    const before = stateOf(cluster);
    await expect(purge()).rejects.toMatchObject({ code: 'conflict', reason: 'liveExists' });
    expect(stateOf(cluster)).toEqual(before);
  });

  it('that failed halfway has left the final snapshot, and can be requested again', async () => {
    const { purge, cluster, list } = await withDeleted();
    cluster.fail({ method: 'secrets.delete', skip: 1 }, 'unavailable');
    expect(await codeOf(purge())).toBe('historyUnavailable');
    expect(await list()).toHaveLength(1);
    await purge();
    expect(cluster.all()).toEqual([]);
  });

  it('is denied to those whom its access rules deny', async () => {
    const { purge, cluster } = await withDeleted({ annotations: RULES });
    const before = stateOf(cluster);
    expect(await codeOf(purge(OUTSIDER))).toBe('forbidden');
    expect(stateOf(cluster)).toEqual(before);
  });
});
