import { describe, expect, it } from 'vitest';
import { ServiceError, type ErrorCode } from '../../../../src/errors/service-error.ts';
import {
  covers,
  leaseOf,
  overlap,
  readRecords,
  recordsOf,
  type Installation,
  type InstallationScope,
} from '../../../../src/history/installation/lease.ts';
import { createOtherInstallations } from '../../../../src/history/installation/other-installations.ts';
import type { ListedLease } from '../../../../src/kube/lease.ts';
import { createVirtualClock } from '../../../fakes/virtual-clock.ts';
import { recordingLogger } from '../../observability/log-lines.ts';

const ALL: InstallationScope = { without: ['kube-system'] };
const NAMED: InstallationScope = { named: ['team-a', 'team-b'] };
const installed = (scope: InstallationScope, more: Partial<Installation> = {}): Installation => ({
  prefix: 'one.io',
  scope,
  limit: 10,
  ...more,
});

interface Installed {
  readonly namespace: string;
  readonly installation: Installation;
  readonly createdAt?: string;
}

function leaseFor({ namespace, installation, createdAt = '2026-01-02T00:00:00Z' }: Installed): ListedLease {
  return {
    ...leaseOf(installation.scope, { namespace, inCluster: true }),
    holder: 'pod',
    resourceVersion: '1',
    annotations: recordsOf(installation, new Map()),
    createdAt,
  };
}

/** What one installation finds beside the Leases of others. */
function openFixture(own: Installed, ...others: readonly Installed[]) {
  const clock = createVirtualClock();
  const { logger, lines } = recordingLogger();
  const state: { leases: ListedLease[]; failing: ErrorCode | undefined; changes: number } = {
    leases: [leaseFor(own), ...others.map(leaseFor)],
    failing: undefined,
    changes: 0,
  };
  const found = createOtherInstallations({
    own: own.installation,
    ownLease: leaseOf(own.installation.scope, { namespace: own.namespace, inCluster: true }),
    lease: {
      list: () =>
        state.failing === undefined
          ? Promise.resolve(state.leases)
          : Promise.reject(new ServiceError(state.failing, 'no')),
    },
    onChange: () => {
      state.changes++;
    },
    logger,
    clock,
  });
  const look = () => found.look(new AbortController().signal);
  /** Every holder renews. */
  const renew = (revision: string) => {
    state.leases = state.leases.map((lease) => ({ ...lease, resourceVersion: revision }));
  };
  return { found, look, renew, state, clock, lines };
}

const OLDER = '2026-01-01T00:00:00Z';
const YOUNGER = '2026-01-03T00:00:00Z';

describe('another installation over the same namespaces', () => {
  it('that was there first reconciles: this one says so and leaves those namespaces alone', async () => {
    const other = { namespace: 'other', installation: installed(ALL, { limit: 3 }), createdAt: OLDER };
    const { found, look, state, lines } = openFixture(
      { namespace: 'home', installation: installed(ALL) },
      other,
    );
    expect(found.reconcile('team-a')).toBe(false);
    await look();
    expect(found.reconcile('team-a')).toBe(true);
    const { name } = leaseFor(other);
    expect(found.notes()).toEqual([
      `another installation reconciles the history (Lease other/${name}, limit 3)`,
    ]);
    expect(lines()).toMatchObject([
      {
        level: 'warn',
        event: 'another installation reconciles the history',
        namespace: 'other',
        name,
        limit: 3,
      },
    ]);
    expect(state.changes).toBe(1);
    await look();
    expect(lines()).toHaveLength(1);
    expect(state.changes).toBe(1);
  });

  it('that came later does not', async () => {
    const other = { namespace: 'other', installation: installed(ALL), createdAt: YOUNGER };
    const { found, look, lines } = openFixture({ namespace: 'home', installation: installed(ALL) }, other);
    await look();
    expect(found.reconcile('team-a')).toBe(false);
    expect(found.notes()).toEqual([]);
    expect(lines()).toEqual([]);
  });

  it('of the same second as this one: exactly one of the two reconciles', async () => {
    const one = { namespace: 'one', installation: installed(ALL) };
    const other = { namespace: 'other', installation: installed(ALL) };
    const both = [openFixture(one, other), openFixture(other, one)];
    await Promise.all(both.map(({ look }) => look()));
    expect(both.map(({ found }) => found.reconcile('team-a'))).toEqual([false, true]);
  });

  it.each([
    ['in the same namespace, however late it came,', 'home', YOUNGER],
    ['that was there first', 'other', OLDER],
  ])('for named namespaces %s keeps those', async (_what, namespace, createdAt) => {
    const named = { namespace, installation: installed(NAMED), createdAt };
    const all = { namespace: 'home', installation: installed(ALL) };
    const { found, look } = openFixture(all, named);
    await look();
    expect(['team-a', 'team-b', 'team-c'].map(found.reconcile)).toEqual([true, true, false]);
    const seen = openFixture(named, all);
    await seen.look();
    expect(seen.found.reconcile('team-a')).toBe(false);
  });

  it('whose younger Lease is in a team’s namespace stops the history of no other one, and is named', async () => {
    const forged = { namespace: 'team-b', installation: installed(NAMED, { limit: 1 }), createdAt: YOUNGER };
    const { found, look } = openFixture({ namespace: 'home', installation: installed(ALL) }, forged);
    await look();
    expect(['team-a', 'team-b', 'team-c'].map(found.reconcile)).toEqual([false, true, false]);
    expect(found.notes()).toEqual([
      `another installation reconciles the history (Lease team-b/${leaseFor(forged).name}, limit 1)`,
    ]);
  });

  it('is named with the nine oldest beside it, however many are forged', async () => {
    const real = { namespace: 'other', installation: installed(ALL, { limit: 3 }), createdAt: OLDER };
    const forged = Array.from({ length: 500 }, (_, index) => ({
      namespace: 'forger',
      installation: installed({ named: ['forger', `team-${index}`] }, { limit: 1 }),
      createdAt: YOUNGER,
    }));
    const { found, look, state, lines } = openFixture(
      { namespace: 'home', installation: installed(ALL) },
      ...forged,
      real,
    );
    await look();
    expect(found.notes()).toHaveLength(11);
    expect(found.notes()[0]).toContain('Lease other/');
    expect(found.notes()[10]).toBe('and 491 more');
    expect(lines()).toHaveLength(10);
    expect(lines()[0]).toMatchObject({ level: 'warn', namespace: 'other', count: 501 });
    expect(['forger', 'team-499'].map(found.reconcile)).toEqual([true, true]);
    state.leases = state.leases.filter(({ namespace }) => namespace !== 'forger');
    await look();
    expect(found.notes()).toHaveLength(1);
    expect(lines()).toHaveLength(20);
    expect(lines()[10]).toMatchObject({ event: 'another installation has ended', count: 500 });
  });

  it('under another prefix is named, and given way to nowhere: neither has the other’s access rules', async () => {
    const installation = installed(ALL, { prefix: 'other.io' });
    const other = { namespace: 'other', installation, createdAt: OLDER };
    const { found, look, lines } = openFixture({ namespace: 'home', installation: installed(ALL) }, other);
    await look();
    const { name } = leaseFor(other);
    expect(found.notes()).toEqual([
      `another installation uses another annotation prefix (Lease other/${name}, limit 10)`,
    ]);
    const event = 'another installation uses another annotation prefix';
    expect(lines()).toMatchObject([{ level: 'warn', event, namespace: 'other', name }]);
    expect(found.reconcile('team-a')).toBe(false);
  });

  it('but with other namespaces is none of its business', async () => {
    const installation = installed({ named: ['kube-system'] }, { prefix: 'other.io' });
    const other = { namespace: 'other', installation, createdAt: OLDER };
    const { found, look } = openFixture({ namespace: 'home', installation: installed(ALL) }, other);
    await look();
    expect(found.notes()).toEqual([]);
    expect(found.reconcile('team-a')).toBe(false);
  });

  it('on the same Lease, with another limit, reconciles while it holds it', async () => {
    const own = { namespace: 'home', installation: installed(ALL) };
    const { found, look, state } = openFixture(own);
    await look();
    expect(found.notes()).toEqual([]);
    state.leases = [leaseFor({ ...own, installation: installed(ALL, { limit: 3 }) })];
    await look();
    expect(found.notes()).toEqual([expect.stringContaining('limit 3')]);
  });
});

describe('an installation that ends', () => {
  const other = { namespace: 'other', installation: installed(ALL), createdAt: OLDER };
  const open = () => openFixture({ namespace: 'home', installation: installed(ALL) }, other);

  it('has released its Lease', async () => {
    const { found, look, state, lines } = open();
    await look();
    state.leases = state.leases.map((lease) => ({ ...lease, holder: '' }));
    await look();
    expect(found.reconcile('team-a')).toBe(false);
    expect(lines().at(-1)).toMatchObject({ level: 'info', event: 'another installation has ended' });
    expect(state.changes).toBe(2);
  });

  it('or has not renewed it for a minute, by the clock of this replica', async () => {
    const { found, renew, clock } = open();
    const stop = new AbortController();
    await found.look(stop.signal);
    const following = found.follow(stop.signal);
    await clock.advance(30_000);
    renew('2');
    await clock.advance(60_000);
    expect(found.reconcile('team-a')).toBe(true);
    await clock.advance(60_000);
    expect(found.reconcile('team-a')).toBe(false);
    renew('3');
    await clock.advance(30_000);
    expect(found.reconcile('team-a')).toBe(true);
    stop.abort();
    await following;
  });

  it('is not one whose Lease cannot be read: that is said once', async () => {
    const { found, look, state, lines } = open();
    await look();
    state.failing = 'rbacForbidden';
    await look();
    await look();
    expect(found.reconcile('team-a')).toBe(true);
    expect(lines().slice(1)).toMatchObject([
      { level: 'warn', event: 'cannot look for other installations', code: 'rbacForbidden' },
    ]);
  });
});

describe('what a Lease records', () => {
  it('is read back, and a prefix that is recorded stays', () => {
    const own = installed(NAMED, { limit: 7 });
    expect(readRecords(recordsOf(own, new Map([['foreign', 'kept']])))).toEqual(own);
    const again = recordsOf(installed(ALL, { prefix: 'new.io' }), recordsOf(own, new Map()));
    expect(readRecords(again)).toEqual(installed(ALL));
  });

  it.each(['', 'null', '[]', '{"named":[1]}', '{"without":"x"}', '{'])(
    'is no installation with the scope %j',
    (scope) => {
      const records = new Map(recordsOf(installed(ALL), new Map()));
      records.set('secrets-management-service/scope', scope);
      expect(readRecords(records)).toBeUndefined();
    },
  );

  it('is no installation without a limit, as that of an earlier release', () => {
    const records = new Map(recordsOf(installed(ALL), new Map()));
    records.delete('secrets-management-service/history-limit');
    expect(readRecords(records)).toBeUndefined();
  });
});

it('scopes overlap where one covers a namespace of the other', () => {
  expect(covers(ALL, 'team-a')).toBe(true);
  expect(covers(ALL, 'kube-system')).toBe(false);
  expect(overlap(ALL, { without: [] })).toBe(true);
  expect(overlap(NAMED, { named: ['team-b'] })).toBe(true);
  expect(overlap(NAMED, { named: ['team-c'] })).toBe(false);
  expect(overlap(ALL, { named: ['kube-system'] })).toBe(false);
  expect(overlap({ named: ['kube-system', 'team-c'] }, ALL)).toBe(true);
});
