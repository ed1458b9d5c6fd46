import { describe, expect, it } from 'vitest';
import { archive } from '../../../../src/history/snapshot/archive.ts';
import type { SecretDraft } from '../../../../src/kube/secret.ts';
import { snapshotName } from '../../../../src/history/snapshot/snapshot.ts';
import { codeOf } from '../../../fakes/fake-journal.ts';
import { contextOf, deadline, callLines, clusterWithLive, seedAttempt, withEntries } from '../live-secret.ts';

function fixture() {
  const { cluster, live } = clusterWithLive();
  const ref = { namespace: live.namespace, name: snapshotName(live.name, 3, live.uid) };
  return {
    cluster,
    live,
    ref,
    archiveIt: () => archive(contextOf(cluster.secrets), live, 3, deadline),
  };
}

describe('archiving', () => {
  it('stores the state with one call', async () => {
    const { cluster, live, ref, archiveIt } = fixture();
    await archiveIt();
    expect(callLines(cluster)).toEqual(['create db.v3.…']);
    expect(cluster.peek(ref)).toMatchObject({
      type: 'Opaque',
      immutable: true,
      data: live.data,
      finalizers: [],
    });
  });

  it('reuses what an earlier attempt has stored', async () => {
    const { cluster, ref, archiveIt } = fixture();
    await archiveIt();
    const before = cluster.peek(ref);
    await archiveIt();
    expect(cluster.peek(ref)).toEqual(before);
    expect(callLines(cluster)).toEqual(['create db.v3.…', 'create db.v3.…', 'read db.v3.…']);
  });

  it('reuses what a replica that does not know notes has stored', async () => {
    const { cluster, live } = clusterWithLive();
    const noted = { ...live, managed: { ...live.managed, changeNote: 'rotated' } };
    const existing = seedAttempt(cluster, live, 3);
    const archived = await archive(contextOf(cluster.secrets), noted, 3, deadline);
    expect(archived.stored).toEqual(existing);
    expect(archived.draft.annotations.has('service.io/change-note')).toBe(false);
  });

  it('does not touch the live object', async () => {
    const { cluster, live, archiveIt } = fixture();
    await archiveIt();
    expect(cluster.peek(live)).toEqual(live);
  });

  const annotation =
    (name: string, value?: string) =>
    ({ annotations }: SecretDraft): Partial<SecretDraft> => ({
      annotations: withEntries(annotations, { [`service.io/${name}`]: value }),
    });

  it.each<[what: string, change: (draft: SecretDraft) => Partial<SecretDraft>]>([
    ['another source revision', annotation('history-resource-version', '1')],
    ['another type', annotation('history-type', 'kubernetes.io/tls')],
    ['another UID', annotation('history-uid', 'other')],
    ['another live name', annotation('history-of', 'other')],
    ['another version', annotation('history-version', '4')],
    ['an annotation missing', annotation('kind')],
    ['other values', () => ({ data: new Map([['user', Buffer.from('mallory')]]) })],
    ['a value missing', ({ data }) => ({ data: new Map([...data].slice(1)) })],
    ['no labels and annotations at all', () => ({ labels: new Map(), annotations: new Map() })],
  ])('collides with an object of the same name and %s', async (_what, change) => {
    const { cluster, live, ref, archiveIt } = fixture();
    const squatter = seedAttempt(cluster, live, 3, change);
    await expect(archiveIt()).rejects.toMatchObject({
      code: 'snapshotCollision',
      message: expect.stringMatching(/admin must review.*recoverCounter/) as string,
    });
    expect(cluster.peek(ref)).toEqual(squatter);
    expect(cluster.peek(live)).toEqual(live);
  });

  it('collides with the snapshot of another Secret of that UID whose long name was cut to the same stem', async () => {
    const { cluster, live } = clusterWithLive({ name: `${'a'.repeat(252)}b` });
    const other = { ...live, name: `${'a'.repeat(252)}c` };
    seedAttempt(cluster, other, 3);
    await expect(archive(contextOf(cluster.secrets), live, 3, deadline)).rejects.toMatchObject({
      code: 'snapshotCollision',
    });
  });

  it('is unavailable when an earlier attempt is being deleted: it counts as absent', async () => {
    const { cluster, live, ref, archiveIt } = fixture();
    seedAttempt(cluster, live, 3);
    cluster.touch(ref, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/hold'] });
    await expect(archiveIt()).rejects.toMatchObject({
      code: 'historyUnavailable',
      reason: 'snapshotBeingDeleted',
    });
  });

  it.each<[what: string, change: (draft: SecretDraft) => Partial<SecretDraft>]>([
    ['a value', () => ({ data: new Map([['user', Buffer.from('mallory')]]) })],
    ['the type', () => ({ type: 'example.com/other' })],
    ['what makes it immutable', () => ({ immutable: false })],
    ['an annotation', annotation('history-resource-version', '1')],
    ['who modified it last', annotation('last-modified-by', 'mallory@example.com')],
    ['a label', ({ labels }) => ({ labels: withEntries(labels, { 'service.io/kind': undefined }) })],
  ])('is unavailable when a webhook has changed %s on create, and nothing stays', async (_what, change) => {
    const { cluster, live, archiveIt } = fixture();
    cluster.mutate((draft) => ({ ...draft, ...change(draft) }));
    await expect(archiveIt()).rejects.toMatchObject({
      code: 'historyUnavailable',
      reason: 'snapshotChangedOnCreate',
    });
    expect(cluster.all()).toEqual([live]);
  });

  it('takes what a webhook has only added to', async () => {
    const { cluster, ref, archiveIt } = fixture();
    cluster.mutate((draft) => ({ ...draft, labels: withEntries(draft.labels, { team: 'a' }) }));
    await archiveIt();
    expect(cluster.peek(ref)?.labels.get('team')).toBe('a');
  });

  it('is unavailable, too, when the changed object cannot be removed', async () => {
    const { cluster, archiveIt } = fixture();
    cluster.mutate((draft) => ({ ...draft, immutable: false }));
    cluster.fail({ method: 'secrets.delete' }, 'unavailable');
    await expect(archiveIt()).rejects.toMatchObject({ reason: 'snapshotChangedOnCreate' });
  });

  it('fails when the name is taken and then free again', async () => {
    const { cluster, live, ref, archiveIt } = fixture();
    seedAttempt(cluster, live, 3);
    cluster.on({ method: 'secrets.read' }, () => {
      cluster.remove(ref);
    });
    await expect(archiveIt()).rejects.toMatchObject({
      code: 'historyUnavailable',
      reason: 'snapshotDisappeared',
    });
  });

  it.each([
    'unavailable',
    'uncertain',
    'rbacForbidden',
    'rejected',
    'tooLarge',
    'notFound',
    'conflict',
  ] as const)('is unavailable when storing fails with %s', async (code) => {
    const { cluster, archiveIt } = fixture();
    cluster.fail({ method: 'secrets.create' }, code);
    await expect(archiveIt()).rejects.toMatchObject({
      code: 'historyUnavailable',
      reason: `snapshotNotCreated:${code}`,
    });
  });

  it('that was stored without an answer is unavailable, and reused by the next attempt', async () => {
    const { cluster, ref, archiveIt } = fixture();
    cluster.fail({ method: 'secrets.create', when: 'after' }, 'uncertain');
    expect(await codeOf(archiveIt())).toBe('historyUnavailable');
    await archiveIt();
    expect(cluster.peek(ref)).toBeDefined();
    expect(cluster.all()).toHaveLength(2);
  });

  it('is unavailable when what has the name cannot be read', async () => {
    const { cluster, live, archiveIt } = fixture();
    seedAttempt(cluster, live, 3);
    cluster.fail({ method: 'secrets.read' }, 'unavailable');
    await expect(archiveIt()).rejects.toMatchObject({
      code: 'historyUnavailable',
      reason: 'snapshotNotRead:unavailable',
    });
  });

  it('twice at the same time stores one snapshot, and both succeed', async () => {
    const { cluster, archiveIt } = fixture();
    await Promise.all([archiveIt(), archiveIt()]);
    expect(cluster.all()).toHaveLength(2);
  });
});
