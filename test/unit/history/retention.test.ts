import { describe, expect, it } from 'vitest';
import { pruneBeyondLimit } from '../../../src/history/retention.ts';
import { call, callLines, clusterWithLive, names, seedSnapshot, withEntries } from './live-secret.ts';

function ground(versions: readonly number[]) {
  const { cluster, live } = clusterWithLive();
  for (const version of versions) seedSnapshot(cluster, live, version);
  const prune = (archived: number, limit: number) =>
    pruneBeyondLimit(cluster.secrets, live, archived, limit, names, call);
  const left = () =>
    cluster
      .all()
      .map((secret) => secret.annotations.get('service.io/history-version'))
      .filter((version) => version !== undefined)
      .map(Number);
  return { cluster, live, prune, left };
}

describe('retention in the write path', () => {
  it('makes no call while the limit is not reached', async () => {
    const { cluster, prune } = ground([1, 2, 3]);
    expect(await prune(3, 3)).toBe(false);
    expect(await prune(1, 1_000)).toBe(false);
    expect(cluster.calls).toEqual([]);
  });

  it('removes the one snapshot that falls out, by its name', async () => {
    const { cluster, prune, left } = ground([1, 2, 3, 4]);
    expect(await prune(4, 3)).toBe(true);
    expect(left()).toEqual([2, 3, 4]);
    expect(callLines(cluster)).toEqual(['read db.v1.…', 'delete db.v1.…']);
  });

  it('keeps exactly the limit when it runs after every archive', async () => {
    const { cluster, live, prune, left } = ground([]);
    for (let version = 1; version <= 8; version++) {
      seedSnapshot(cluster, live, version);
      await prune(version, 3);
      expect(left()).toHaveLength(Math.min(version, 3));
    }
    expect(left()).toEqual([6, 7, 8]);
  });

  it('with a limit of one keeps the newest', async () => {
    const { prune, left } = ground([1, 2]);
    await prune(2, 1);
    expect(left()).toEqual([2]);
  });

  it('leaves a later state than the archived one: the writer that archives has lost its race', async () => {
    const { cluster, live, prune, left } = ground([]);
    const later = `${live.resourceVersion}0`;
    seedSnapshot(cluster, live, 3, ({ annotations }) => ({
      annotations: withEntries(annotations, { 'service.io/history-resource-version': later }),
    }));
    expect(await prune(4, 1)).toBe(false);
    expect(left()).toEqual([3]);
  });

  it('costs the same however many Secrets and snapshots there are', async () => {
    const few = ground([1, 2, 3, 4]);
    const many = ground(Array.from({ length: 60 }, (_item, index) => index + 1));
    for (let index = 0; index < 100; index++) {
      many.cluster.seed({ namespace: 'team-a', name: `other-${index}` });
    }
    await few.prune(4, 3);
    await many.prune(60, 10);
    expect(many.cluster.calls).toHaveLength(few.cluster.calls.length);
    expect(many.cluster.calls.some(({ method }) => method === 'secrets.listPage')).toBe(false);
  });

  it('is content with a gap', async () => {
    const { cluster, prune } = ground([2, 3, 4]);
    expect(await prune(4, 3)).toBe(false);
    expect(callLines(cluster)).toEqual(['read db.v1.…']);
  });

  it('leaves an unbound object under that name alone', async () => {
    const { cluster, live, prune } = ground([]);
    const squatter = seedSnapshot(cluster, live, 1, () => ({ annotations: new Map() }));
    expect(await prune(4, 3)).toBe(false);
    expect(cluster.peek(squatter)).toEqual(squatter);
  });

  it('leaves the snapshot of another Secret alone whose long name was cut to the same stem', async () => {
    const { cluster, live } = clusterWithLive({ name: `${'a'.repeat(252)}b` });
    const foreign = seedSnapshot(cluster, { ...live, name: `${'a'.repeat(252)}c` }, 1);
    expect(await pruneBeyondLimit(cluster.secrets, live, 4, 3, names, call)).toBe(false);
    expect(cluster.peek(foreign)).toEqual(foreign);
  });

  it('is content when another replica was quicker', async () => {
    const { cluster, prune } = ground([1]);
    cluster.fail({ method: 'secrets.delete' }, 'notFound');
    expect(await prune(4, 3)).toBe(false);
  });

  it('never deletes an object that changed since it was read', async () => {
    const { cluster, live, prune, left } = ground([]);
    const snapshot = seedSnapshot(cluster, live, 1);
    cluster.on({ method: 'secrets.delete' }, () => void cluster.touch(snapshot));
    await expect(prune(4, 3)).rejects.toMatchObject({
      code: 'historyUnavailable',
      reason: 'snapshotNotPruned:conflict',
    });
    expect(left()).toEqual([1]);
  });

  it.each([
    ['secrets.read', 'unavailable'],
    ['secrets.read', 'rightMissing'],
    ['secrets.delete', 'unavailable'],
    ['secrets.delete', 'uncertain'],
    ['secrets.delete', 'rightMissing'],
  ] as const)('is unavailable when %s fails with %s', async (method, code) => {
    const { cluster, prune } = ground([1]);
    cluster.fail({ method }, code);
    await expect(prune(4, 3)).rejects.toMatchObject({
      code: 'historyUnavailable',
      reason: `snapshotNotPruned:${code}`,
    });
  });
});
