import { describe, expect, it } from 'vitest';
import { LeaderElector } from '../../../src/controller/leader-election.ts';
import { ServiceError } from '../../../src/errors/service-error.ts';
import type { Deadline } from '../../../src/timing/deadline.ts';
import type { StoredLease } from '../../../src/kube/lease.ts';
import { createVirtualClock } from '../../fakes/virtual-clock.ts';
import { electorOf, createFakeLease, leaseFixture } from './lease-fixture.ts';

describe('one replica', () => {
  it('takes a Lease that does not exist, and renews it every two seconds', async () => {
    const { clock, lease, one } = leaseFixture();
    one.start();
    await clock.advance(0);
    expect(one.leads()).toBe(true);
    expect(lease.record()).toMatchObject({ holder: 'one', durationSeconds: 15, transitions: 0 });
    await clock.advance(20_000);
    expect(lease.writes).toHaveLength(11);
    expect(lease.record()).toMatchObject({
      acquiredAt: clock.wallNow() - 20_000,
      renewedAt: clock.wallNow(),
      transitions: 0,
    });
  });

  it('takes a Lease that was given up at once', async () => {
    const { clock, lease, one, other } = leaseFixture();
    one.start();
    await clock.advance(0);
    await one.stop();
    expect(lease.record()).toMatchObject({ holder: '' });
    other.start();
    await clock.advance(0);
    expect(other.leads()).toBe(true);
    expect(lease.record()).toMatchObject({ holder: 'other', transitions: 1 });
  });
});

describe('two replicas', () => {
  it('never lead both, whatever their wall clocks say', async () => {
    for (const skewMs of [-3_600_000, 0, 3_600_000]) {
      const { clock, one, other } = leaseFixture(skewMs);
      one.start();
      await clock.advance(0);
      other.start();
      for (let second = 0; second < 60; second++) {
        await clock.advance(1_000);
        expect([one.leads(), other.leads()]).toEqual([true, false]);
      }
    }
  });

  it('settle a race for a new Lease: one creates it, the other waits', async () => {
    const { clock, one, other } = leaseFixture();
    one.start();
    other.start();
    await clock.advance(10_000);
    expect([one.leads(), other.leads()].filter(Boolean)).toHaveLength(1);
    expect([...one.failures, ...other.failures]).toEqual([]);
  });

  it('change over only after the record has stood still for the whole duration', async () => {
    const { clock, one, other } = leaseFixture(-3_600_000);
    one.start();
    await clock.advance(0);
    other.start();
    await clock.advance(5_000);
    one.cutOff = true;
    // The last renewal was at 4 s, and was seen at 6 s at the latest.
    await clock.advance(13_900);
    expect(other.leads()).toBe(false);
    await clock.advance(4_500);
    expect(other.leads()).toBe(true);
  });

  it('leave a gap between the two terms', async () => {
    const { clock, one, other } = leaseFixture();
    one.start();
    await clock.advance(0);
    other.start();
    await clock.advance(4_000);
    one.cutOff = true;
    let gap = 0;
    for (let step = 0; step < 300 && !other.leads(); step++) {
      await clock.advance(100);
      expect(one.leads() && other.leads()).toBe(false);
      if (!one.leads() && !other.leads()) gap += 100;
    }
    expect(other.leads()).toBe(true);
    expect(gap).toBeGreaterThanOrEqual(4_000);
  });
});

describe('the holder', () => {
  it('may act for ten seconds from when it began its last renewal', async () => {
    const { clock, one } = leaseFixture();
    expect(one.elector.remainingMs()).toBe(0);
    one.start();
    await clock.advance(0);
    expect(one.elector.remainingMs()).toBe(10_000);
    one.cutOff = true;
    await clock.advance(9_999);
    expect(one.leads()).toBe(true);
    expect(one.elector.remainingMs()).toBe(1);
    await clock.advance(1);
    expect(one.leads()).toBe(false);
    expect(one.elector.remainingMs()).toBe(0);
  });

  it('counts the deadline from before the request was sent, however late its answer arrives', async () => {
    const clock = createVirtualClock();
    const lease = createFakeLease();
    const { store } = lease;
    let delayMs = 0;
    const slow: typeof store = {
      ...store,
      replace: async (current, term, deadline) => {
        // The others see the renewal now, and this replica its answer later.
        const replaced = await store.replace(current, term, deadline);
        if (delayMs > 0) await clock.sleep(delayMs, deadline.signal);
        return replaced;
      },
    };
    const one = electorOf('one', lease, clock, { store: slow });
    one.start();
    await clock.advance(1_999);
    delayMs = 4_000;
    await clock.advance(4_001);
    expect(lease.writes).toHaveLength(2);
    expect(one.elector.remainingMs()).toBe(6_000);
    delayMs = 0;
  });

  it('releases the Lease only once the work of its term has ended', async () => {
    const clock = createVirtualClock();
    const lease = createFakeLease();
    const stop = new AbortController();
    const work = Promise.withResolvers<undefined>();
    const elector = new LeaderElector({
      lease: lease.store,
      annotationsOf: () => new Map(),
      identity: 'one',
      onStartedLeading: () => work.promise,
      onStoppedLeading: () => undefined,
      onFailure: () => undefined,
      clock,
      random: () => 0,
    });
    const running = elector.run(stop.signal);
    await clock.advance(0);
    stop.abort();
    await clock.advance(1_000);
    expect(lease.writes).toEqual(['one']);
    work.resolve(undefined);
    await running;
    expect(lease.writes).toEqual(['one', 'released']);
  });

  it('neither acts nor writes when it was paused for too long and another has taken over', async () => {
    const { clock, lease, one } = leaseFixture();
    one.start();
    await clock.advance(1_000);
    clock.jump(30_000);
    expect(one.elector.remainingMs()).toBe(0);
    lease.overwrite({ holder: 'other' });
    const { length } = lease.writes;
    await clock.advance(5_000);
    expect(one.leads()).toBe(false);
    expect(lease.writes).toHaveLength(length);
  });

  it('carries on when a renewal fails now and then', async () => {
    const { clock, one } = leaseFixture();
    one.start();
    await clock.advance(0);
    for (let round = 0; round < 5; round++) {
      one.cutOff = true;
      await clock.advance(6_000);
      one.cutOff = false;
      await clock.advance(4_000);
      expect(one.leads()).toBe(true);
    }
  });

  it('steps down at once when someone else has taken the Lease', async () => {
    const { clock, lease, one } = leaseFixture();
    one.start();
    await clock.advance(0);
    lease.overwrite({ holder: 'an administrator' });
    await clock.advance(2_000);
    expect(one.leads()).toBe(false);
    expect(one.elector.remainingMs()).toBe(0);
  });

  it('carries on when someone only touched the Lease, or deleted it', async () => {
    const { clock, lease, one } = leaseFixture();
    one.start();
    await clock.advance(0);
    lease.overwrite({});
    await clock.advance(2_000);
    expect(one.leads()).toBe(true);
    lease.overwrite(undefined);
    await clock.advance(2_000);
    expect(one.leads()).toBe(true);
    expect(lease.record()).toMatchObject({ holder: 'one' });
  });

  describe('of which the response to a renewal was lost', () => {
    const lostRenewal = async () => {
      const clock = createVirtualClock();
      const lease = createFakeLease();
      let lose = false;
      const store: typeof lease.store = {
        ...lease.store,
        replace: async (...given) => {
          const written = await lease.store.replace(...given);
          if (lose) throw new ServiceError('uncertain', 'lost');
          return written;
        },
      };
      const one = electorOf('one', lease, clock, { store });
      one.start();
      await clock.advance(1_000);
      lose = true;
      await clock.advance(2_000);
      lose = false;
      return { clock, lease, one };
    };

    it('recognises it as its own', async () => {
      const { clock, one } = await lostRenewal();
      await clock.advance(20_000);
      expect(one.leads()).toBe(true);
      expect(one.failures).toEqual(['uncertain']);
    });

    it('releases the Lease when it stops', async () => {
      const { lease, one } = await lostRenewal();
      await one.stop();
      expect(lease.record()).toMatchObject({ holder: '' });
    });
  });

  it.each([
    ['the first write', 0],
    ['a renewal', 2_000],
  ])('releases the Lease also when %s is under way as it stops', async (_write, afterMs) => {
    const clock = createVirtualClock();
    const lease = createFakeLease();
    // The Lease is written at once, and the response takes a second.
    const late = async (written: Promise<StoredLease>, { signal }: Deadline): Promise<StoredLease> => {
      await clock.sleep(1_000, signal);
      if (signal.aborted) throw new ServiceError('uncertain', 'cut off');
      return written;
    };
    const store: typeof lease.store = {
      ...lease.store,
      create: (term, annotations, deadline) =>
        late(lease.store.create(term, annotations, deadline), deadline),
      replace: (current, term, deadline) => late(lease.store.replace(current, term, deadline), deadline),
    };
    const one = electorOf('one', lease, clock, { store });
    one.start();
    if (afterMs > 0) await clock.advance(1_000 + afterMs);
    await clock.advance(500);
    expect(lease.record()).toMatchObject({ holder: 'one' });
    const stopped = one.stop();
    await clock.advance(2_000);
    await stopped;
    expect(lease.record()).toMatchObject({ holder: '' });
  });

  it('gives up nothing that it does not hold', async () => {
    const { clock, lease, one, other } = leaseFixture();
    one.start();
    await clock.advance(0);
    other.start();
    await clock.advance(5_000);
    const before = lease.record();
    await other.stop();
    expect(lease.record()).toEqual(before);
  });
});

it('reports what goes wrong, tries less and less often, and takes the Lease when it can', async () => {
  const { clock, one } = leaseFixture();
  one.cutOff = true;
  one.start();
  await clock.advance(120_000);
  expect(new Set(one.failures)).toEqual(new Set(['unavailable']));
  expect(one.failures).toHaveLength(7);
  one.cutOff = false;
  await clock.advance(30_000);
  expect(one.leads()).toBe(true);
});
