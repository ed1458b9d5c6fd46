import { describe, expect, it } from 'vitest';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { createFakeCluster } from '../../fakes/fake-cluster.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { draftOf } from '../../fakes/fake-objects.ts';

const deadline = unhurriedCall();
const ref = { namespace: 'team-a', name: 'a' };

describe('the fake cluster', () => {
  it('fails before the effect', async () => {
    const cluster = createFakeCluster();
    cluster.fail({ method: 'secrets.create' }, 'unavailable');
    expect(await codeOf(cluster.secrets.create(draftOf(ref), deadline))).toBe('unavailable');
    expect(cluster.peek(ref)).toBeUndefined();
  });

  it('fails after the effect', async () => {
    const cluster = createFakeCluster();
    cluster.fail({ method: 'secrets.create', when: 'after' }, 'uncertain');
    expect(await codeOf(cluster.secrets.create(draftOf(ref), deadline))).toBe('uncertain');
    expect(cluster.peek(ref)?.name).toBe('a');
  });

  it('meets the calls that a disturbance names, and no others', async () => {
    const cluster = createFakeCluster();
    cluster.fail({ method: 'secrets.read', name: 'a', skip: 1, times: 2 }, 'unavailable');
    const outcomes = [];
    for (const name of ['a', 'b', 'a', 'b', 'a', 'a']) {
      outcomes.push(await cluster.secrets.read({ ...ref, name }, deadline).catch(() => 'failed'));
    }
    expect(outcomes).toEqual([undefined, undefined, 'failed', undefined, 'failed', undefined]);
  });

  it('lets another client in between', async () => {
    const cluster = createFakeCluster();
    const current = cluster.seed(ref);
    cluster.on({ method: 'secrets.replace' }, () => {
      cluster.touch(ref, { annotations: new Map([['theirs', '1']]) });
    });
    expect(await codeOf(cluster.secrets.replace(current, { annotations: new Map() }, deadline))).toBe(
      'conflict',
    );
    expect(cluster.peek(ref)?.annotations.get('theirs')).toBe('1');
  });

  it('records the calls through its ports, and not those of the test', async () => {
    const cluster = createFakeCluster();
    const seeded = cluster.seed(ref);
    cluster.setPolicy('team-a', {});
    await cluster.secrets.listPage('team-a', { labelSelector: '', limit: 1, maxBytes: 10_000 }, deadline);
    await cluster.policies.read('team-a', deadline);
    await cluster.secrets.delete(ref, seeded, deadline);
    expect(cluster.calls).toEqual([
      { method: 'secrets.listPage', namespace: 'team-a' },
      { method: 'policies.read', namespace: 'team-a' },
      { method: 'secrets.delete', ...ref },
    ]);
  });

  it('gives copies: what a caller does to them changes nothing', () => {
    const cluster = createFakeCluster();
    const seeded = cluster.seed({ ...ref, data: { x: 'one' } });
    seeded.data.get('x')?.fill(0);
    expect(Buffer.from(cluster.peek(ref)?.data.get('x') ?? []).toString()).toBe('one');
  });
});
