import { describe, expect, it, onTestFinished } from 'vitest';
import { guardedStore } from '../../../../src/app/http.ts';
import { createPrefixGuard } from '../../../../src/history/installation/prefix-guard.ts';
import { ServiceError, type ErrorCode } from '../../../../src/errors/service-error.ts';
import {
  leaseOf,
  PREFIX_RECORD,
  recordsOf,
  type InstallationScope,
} from '../../../../src/history/installation/lease.ts';
import type { ListedLease } from '../../../../src/kube/lease.ts';
import { createFakeCluster } from '../../../fakes/fake-cluster.ts';
import { createVirtualClock, settled } from '../../../fakes/virtual-clock.ts';
import { deadline, REF } from '../live-secret.ts';
import { createFakeLease } from '../../controller/lease-fixture.ts';
import { recordingLogger } from '../../observability/log-lines.ts';

function openGuard(prefix = 'one.io') {
  const clock = createVirtualClock();
  const lease = createFakeLease();
  const log = recordingLogger();
  const state: { failing: ErrorCode | undefined; reason?: string; reads: number } = {
    failing: undefined,
    reads: 0,
  };
  const mismatches: ServiceError[] = [];
  const read: typeof lease.store.read = (budget) => {
    state.reads++;
    if (state.failing !== undefined) {
      const details = state.reason === undefined ? {} : { reason: state.reason };
      return Promise.reject(new ServiceError(state.failing, 'no', details));
    }
    return lease.store.read(budget);
  };
  const others: ListedLease[] = [];
  const lists: { error?: ServiceError } = {};
  const list = () => (lists.error ? Promise.reject(lists.error) : Promise.resolve(others));
  const guard = createPrefixGuard({
    own: { prefix, scope: { named: ['team-a', 'team-b'] } },
    lease: { ...lease.store, read, list },
    of: { namespace: 'home', name: 'lease' },
    onMismatch: (error) => void mismatches.push(error),
    logger: log.logger,
    clock,
  });
  onTestFinished(() => guard.component.stop());
  const TERM = { holder: '', durationSeconds: 1, acquiredAt: 1, renewedAt: 1, transitions: 0 };
  const recorded = (by: string) => lease.store.create(TERM, new Map([[PREFIX_RECORD, by]]), deadline);
  /** The Lease of an installation that is not running. */
  const left = (namespace: string, by: string, scope: InstallationScope) => {
    const { name } = leaseOf(scope, { namespace, inCluster: true });
    const annotations = recordsOf({ prefix: by, scope, limit: 10 }, new Map());
    const createdAt = '2026-01-01T00:00:00Z';
    others.push({
      holder: '',
      namespace,
      name,
      annotations,
      createdAt,
      resourceVersion: '1',
    });
    return name;
  };
  return { guard, clock, lease, state, mismatches, recorded, left, lists, lines: log.lines };
}

const start = ({ guard }: ReturnType<typeof openGuard>) => guard.component.start();

describe('the guard of the prefix', () => {
  it('settles at the start, with one request', async () => {
    const fixture = openGuard();
    expect(fixture.guard.isSettled()).toBe(false);
    await start(fixture);
    expect(fixture.guard.isSettled()).toBe(true);
    await fixture.clock.advance(600_000);
    expect(fixture.state.reads).toBe(1);
  });

  it('ends a start under another prefix', async () => {
    const fixture = openGuard();
    await fixture.recorded('other.io');
    await expect(start(fixture)).rejects.toMatchObject({
      code: 'notConfigured',
      reason: 'annotationPrefixDiffers',
    });
    expect(fixture.guard.isSettled()).toBe(false);
  });

  it('records its own where it may not list Leases', async () => {
    const fixture = openGuard();
    fixture.lists.error = new ServiceError('rbacForbidden', 'no right', { reason: 'rbacForbidden' });
    await start(fixture);
    expect(fixture.lease.record()?.annotations.get(PREFIX_RECORD)).toBe('one.io');
    expect(fixture.guard.isSettled()).toBe(true);
  });

  it.each([{ named: ['team-a'] }, { named: ['team-b', 'team-c'] }, { without: [] }])(
    'ends the first start with a scope that overlaps that of a Lease in its namespace under another prefix: %j',
    async (scope) => {
      const fixture = openGuard();
      const name = fixture.left('home', 'other.io', scope);
      const start = fixture.guard.component.start();
      await expect(start).rejects.toMatchObject({ reason: 'annotationPrefixDiffers' });
      await expect(start).rejects.toThrow(`the Lease home/${name} records other.io`);
      await expect(start).rejects.toThrow('a Lease whose installation is gone can be deleted instead');
      expect(fixture.lease.record()).toBeUndefined();
    },
  );

  it('starts beside a Lease of other namespaces, and one that a team may have forged', async () => {
    const fixture = openGuard();
    fixture.left('home', 'other.io', { named: ['team-c'] });
    fixture.left('team-a', 'other.io', { named: ['team-a'] });
    await start(fixture);
    expect(fixture.guard.isSettled()).toBe(true);
  });

  it('does not look for other Leases once its own one records the prefix', async () => {
    const fixture = openGuard();
    await fixture.recorded('one.io');
    fixture.left('home', 'other.io', { named: ['team-a'] });
    await start(fixture);
    expect(fixture.guard.isSettled()).toBe(true);
  });

  it('starts while the cluster cannot be reached, and settles once it answers', async () => {
    const fixture = openGuard();
    fixture.state.failing = 'unavailable';
    await start(fixture);
    await fixture.clock.advance(120_000);
    expect(fixture.guard.readiness.isReady()).toBe(false);
    expect(fixture.lines()).toEqual([]);
    fixture.state.failing = undefined;
    await fixture.clock.advance(1_000);
    expect(fixture.guard.readiness.isReady()).toBe(true);
    expect(fixture.mismatches).toEqual([]);
  });

  it('reports another prefix that turns out later, and stays shut', async () => {
    const fixture = openGuard();
    fixture.state.failing = 'unavailable';
    await start(fixture);
    await fixture.recorded('other.io');
    fixture.state.failing = undefined;
    await fixture.clock.advance(600_000);
    expect(fixture.mismatches).toHaveLength(1);
    expect(fixture.guard.isSettled()).toBe(false);
  });

  it.each(['rbacForbidden', 'notFound', 'admissionRefused', 'rejected'] as const)(
    'is off where the Lease cannot be used (%s), says so once, and goes on looking',
    async (code) => {
      const fixture = openGuard();
      fixture.state.failing = code;
      await start(fixture);
      expect(fixture.guard.isSettled()).toBe(true);
      await fixture.clock.advance(300_000);
      expect(fixture.lines()).toMatchObject([{ level: 'warn', code }]);
      await fixture.recorded('other.io');
      fixture.state.failing = undefined;
      await fixture.clock.advance(30_000);
      expect(fixture.mismatches).toHaveLength(1);
    },
  );

  it.each(['clusterStatus:503', 'clusterThrottled'])(
    'does not make an outage of Leases alone one of Secrets (%s), and looks again soon',
    async (reason) => {
      const fixture = openGuard();
      fixture.state.failing = 'unavailable';
      fixture.state.reason = reason;
      await start(fixture);
      expect(fixture.guard.readiness.isReady()).toBe(true);
      await fixture.clock.advance(60_000);
      expect(fixture.lines()).toMatchObject([{ level: 'warn', code: 'unavailable', reason }]);
      await fixture.recorded('other.io');
      fixture.state.failing = undefined;
      await fixture.clock.advance(1_000);
      expect(fixture.mismatches).toHaveLength(1);
    },
  );

  it('lets waiting work begin when it settles, and go when it is stopped', async () => {
    const fixture = openGuard();
    fixture.state.failing = 'unavailable';
    await start(fixture);
    const begun: string[] = [];
    const stop = new AbortController();
    const task = fixture.guard.whenSettled((signal) => {
      begun.push(signal.aborted ? 'stopped' : 'settled');
      return Promise.resolve();
    });
    void task(new AbortController().signal);
    void task(stop.signal);
    await settled();
    expect(begun).toEqual([]);
    stop.abort();
    await settled();
    expect(begun).toEqual(['stopped']);
    fixture.state.failing = undefined;
    await fixture.clock.advance(1_000);
    expect(begun).toEqual(['stopped', 'settled']);
    await task(new AbortController().signal);
    expect(begun).toEqual(['stopped', 'settled', 'settled']);
  });

  it('keeps Secrets from being read or written before, without a call', async () => {
    const cluster = createFakeCluster();
    const stored = cluster.seed(REF);
    const fixture = openGuard();
    fixture.state.failing = 'unavailable';
    await start(fixture);
    const store = guardedStore(cluster.secrets, fixture.guard);
    const page = { labelSelector: '', limit: 1, maxBytes: 1_000_000 };
    const draft = {
      namespace: 'team-a',
      name: 'new',
      type: 'Opaque',
      labels: new Map(),
      annotations: new Map(),
      data: new Map(),
    };
    const everything = () => [
      store.read(REF, deadline),
      store.listPage('team-a', page, deadline),
      store.listMetadata('team-a', page, deadline),
      store.create(draft, deadline),
      store.patchMetadata(stored, stored, { annotations: new Map() }, deadline),
      store.replace(stored, { annotations: new Map() }, deadline),
    ];
    for (const work of [...everything(), store.delete(stored, stored, deadline)]) {
      await expect(work).rejects.toMatchObject({
        code: 'unavailable',
        reason: 'annotationPrefixNotChecked',
        retryAfterSeconds: 1,
      });
    }
    expect(cluster.calls).toEqual([]);
    fixture.state.failing = undefined;
    await fixture.clock.advance(1_000);
    await Promise.all(everything());
    expect(cluster.calls).toHaveLength(6);
  });
});
