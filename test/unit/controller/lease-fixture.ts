import { onTestFinished } from 'vitest';
import { ServiceError } from '../../../src/errors/service-error.ts';
import { LeaderElector } from '../../../src/controller/leader-election.ts';
import type { LeaseStore, LeaseTerm, StoredLease } from '../../../src/kube/lease.ts';
import { createVirtualClock, type VirtualClock } from '../../fakes/virtual-clock.ts';

/** A Lease in memory, shared by the candidates of a test. */
export interface FakeLease {
  readonly store: LeaseStore;
  /** What is written now. */
  record(): StoredLease | undefined;
  /** Someone else's change, or deletion. */
  overwrite(change: Partial<LeaseTerm> | undefined): void;
  /** Every write that reached the Lease, by holder; refused ones are marked. */
  readonly writes: string[];
}

export function createFakeLease(): FakeLease {
  let stored: StoredLease | undefined;
  let revision = 100;
  const writes: string[] = [];
  const write = (term: LeaseTerm, annotations: ReadonlyMap<string, string>): StoredLease => {
    const { holder, durationSeconds, acquiredAt, renewedAt, transitions } = term;
    stored = {
      ...{ holder, durationSeconds, acquiredAt, renewedAt, transitions },
      resourceVersion: String(++revision),
      annotations,
      native: undefined,
    };
    writes.push(holder === '' ? 'released' : holder);
    return stored;
  };
  const refuse = (code: 'exists' | 'conflict', holder: string): Promise<never> => {
    writes.push(`${holder}: ${code}`);
    return Promise.reject(new ServiceError(code, 'refused'));
  };
  return {
    store: {
      read: () => Promise.resolve(stored),
      create: (term, annotations) =>
        stored === undefined ? Promise.resolve(write(term, annotations)) : refuse('exists', term.holder),
      replace: (current, term) =>
        stored?.resourceVersion === current.resourceVersion
          ? Promise.resolve(write(term, current.annotations))
          : refuse('conflict', term.holder),
      list: () =>
        Promise.resolve(
          stored === undefined
            ? []
            : [{ ...stored, namespace: 'home', name: 'lease', createdAt: '2026-01-01T00:00:00Z' }],
        ),
    },
    record: () => stored,
    overwrite: (change) => {
      if (change === undefined) stored = undefined;
      else if (stored !== undefined) stored = { ...stored, ...change, resourceVersion: String(++revision) };
    },
    writes,
  };
}

export interface TestElector {
  readonly elector: LeaderElector;
  /** Whether its `onStartedLeading` is running. */
  leads(): boolean;
  readonly failures: string[];
  /** While true, all its cluster calls fail. */
  cutOff: boolean;
  start(): void;
  readonly stop: () => Promise<void>;
}

/** A replica; `skewMs` is how wrong its wall clock is. */
export function electorOf(
  name: string,
  lease: FakeLease,
  clock: VirtualClock,
  { skewMs = 0, store = lease.store }: { skewMs?: number; store?: LeaseStore } = {},
): TestElector {
  const stop = new AbortController();
  const failures: string[] = [];
  const state = { leads: false };
  let running: Promise<void> | undefined;
  const reached = <Result>(send: () => Promise<Result>): Promise<Result> =>
    self.cutOff ? Promise.reject(new ServiceError('unavailable', 'cut off')) : send();
  const leadership = new LeaderElector({
    lease: {
      read: (deadline) => reached(() => store.read(deadline)),
      create: (term, annotations, deadline) => reached(() => store.create(term, annotations, deadline)),
      replace: (current, term, deadline) => reached(() => store.replace(current, term, deadline)),
    },
    annotationsOf: (current) => new Map([...current, ['note', 'recorded']]),
    identity: name,
    onStartedLeading: (term) =>
      new Promise((resolve) => {
        state.leads = true;
        term.addEventListener('abort', () => {
          state.leads = false;
          resolve();
        });
      }),
    onFailure: (code) => void failures.push(code),
    onStoppedLeading: () => undefined,
    clock: { ...clock, wallNow: () => clock.wallNow() + skewMs },
    random: () => 0,
  });
  const self: TestElector = {
    elector: leadership,
    leads: () => state.leads,
    failures,
    cutOff: false,
    start: () => {
      running = leadership.run(stop.signal);
    },
    stop: async () => {
      stop.abort();
      await running;
    },
  };
  onTestFinished(self.stop);
  return self;
}

export function leaseFixture(skewMs = 0): {
  clock: VirtualClock;
  lease: FakeLease;
  one: TestElector;
  other: TestElector;
} {
  // Real clocks have fractions of milliseconds, which timers do not take.
  const clock = createVirtualClock(1_000.25);
  const lease = createFakeLease();
  return {
    clock,
    lease,
    one: electorOf('one', lease, clock),
    other: electorOf('other', lease, clock, { skewMs }),
  };
}
