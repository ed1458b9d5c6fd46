import { describe, expect, it } from 'vitest';
import { PREFIX_RECORD, prefixMismatch, recordedPrefix } from '../../../../src/history/installation/lease.ts';
import type { LeaseStore } from '../../../../src/kube/lease.ts';
import { ServiceError } from '../../../../src/errors/service-error.ts';
import { codeOf } from '../../../fakes/fake-journal.ts';
import { createVirtualClock } from '../../../fakes/virtual-clock.ts';
import { deadline } from '../live-secret.ts';
import { electorOf, createFakeLease, type FakeLease } from '../../controller/lease-fixture.ts';

const OF = { namespace: 'home', name: 'lease' };
const recordedBy = async (lease: LeaseStore, prefix: string) => {
  const own = { prefix, scope: { without: [] } };
  return (await recordedPrefix({ lease, own, of: OF }, () => 1_000, deadline)).prefix;
};
const recordOf = (lease: FakeLease) => lease.record()?.annotations.get(PREFIX_RECORD);
const TERM = { durationSeconds: 15, acquiredAt: 1, renewedAt: 1, transitions: 3 };

describe('the recorded prefix', () => {
  it('is the own one where there is no Lease: it is recorded on one that no one holds', async () => {
    const lease = createFakeLease();
    expect(await recordedBy(lease.store, 'one.io')).toBe('one.io');
    expect(recordOf(lease)).toBe('one.io');
    expect(lease.record()).toMatchObject({ holder: '', durationSeconds: 1, transitions: 0 });
  });

  it('is the own one on a Lease of an earlier release, whose holder keeps it', async () => {
    const lease = createFakeLease();
    await lease.store.create({ ...TERM, holder: 'old' }, new Map([['foreign', 'kept']]), deadline);
    expect(await recordedBy(lease.store, 'one.io')).toBe('one.io');
    expect(lease.record()).toMatchObject({ ...TERM, holder: 'old' });
    expect(lease.record()?.annotations).toEqual(
      new Map([
        ['foreign', 'kept'],
        [PREFIX_RECORD, 'one.io'],
      ]),
    );
  });

  it('is what another has recorded, and stays', async () => {
    const lease = createFakeLease();
    await recordedBy(lease.store, 'one.io');
    const writes = lease.writes.length;
    expect(await recordedBy(lease.store, 'other.io')).toBe('one.io');
    expect(await recordedBy(lease.store, 'one.io')).toBe('one.io');
    expect(lease.writes).toHaveLength(writes);
  });

  it.each(['no Lease', 'a Lease without a record'])(
    'of two at the same time is one, with %s',
    async (what) => {
      const lease = createFakeLease();
      if (what !== 'no Lease') await lease.store.create({ ...TERM, holder: 'old' }, new Map(), deadline);
      const answers = await Promise.all(
        ['one.io', 'other.io'].map((prefix) => recordedBy(lease.store, prefix)),
      );
      expect(new Set(answers)).toEqual(new Set([recordOf(lease)]));
    },
  );

  it('is recorded however often the holder renews in between, up to a bound', async () => {
    const lease = createFakeLease();
    await lease.store.create({ ...TERM, holder: 'old' }, new Map(), deadline);
    let renewals = 3;
    const read = async () => {
      const current = await lease.store.read(deadline);
      if (renewals-- > 0) lease.overwrite({ renewedAt: renewals });
      return current;
    };
    expect(await recordedBy({ ...lease.store, read }, 'one.io')).toBe('one.io');
    renewals = Infinity;
    lease.overwrite(undefined);
    await lease.store.create({ ...TERM, holder: 'old' }, new Map(), deadline);
    expect(await codeOf(recordedBy({ ...lease.store, read }, 'one.io'))).toBe('conflict');
  });

  it('is unknown while the Lease cannot be read or written', async () => {
    const lease = createFakeLease();
    for (const code of ['unavailable', 'rbacForbidden'] as const) {
      const fail = () => Promise.reject(new ServiceError(code, 'no'));
      expect(await codeOf(recordedBy({ ...lease.store, read: fail }, 'one.io'))).toBe(code);
      expect(await codeOf(recordedBy({ ...lease.store, create: fail }, 'one.io'))).toBe(code);
    }
    expect(lease.record()).toBeUndefined();
  });

  it('survives every renewal, a release, and a Lease that has to be made again', async () => {
    const clock = createVirtualClock(1_000);
    const lease = createFakeLease();
    await recordedBy(lease.store, 'one.io');
    const replica = electorOf('one', lease, clock);
    replica.start();
    await clock.advance(30_000);
    expect(replica.leads()).toBe(true);
    expect(recordOf(lease)).toBe('one.io');
    lease.overwrite(undefined);
    await clock.advance(30_000);
    expect(lease.record()?.annotations.get('note')).toBe('recorded');
    await replica.stop();
    expect(lease.record()).toMatchObject({ holder: '' });
    expect(lease.record()?.annotations.get('note')).toBe('recorded');
  });
});

describe('another prefix', () => {
  it('is answered with both ways to go on', () => {
    const { message } = prefixMismatch('new.io', { ...OF, prefix: 'old.io' });
    expect(message).toContain('Set SERVICE_ANNOTATION_PREFIX=old.io');
    expect(message).toContain(`kubectl -n home annotate lease lease --overwrite ${PREFIX_RECORD}=new.io`);
  });

  it.each(['', '\u001b[2J', 'a b', '$(reboot)', 'x'.repeat(300)])(
    'that is no prefix (%j) is not repeated',
    (recorded) => {
      const { message } = prefixMismatch('new.io', { ...OF, prefix: recorded });
      expect(message).toContain('(a text that is no prefix)');
      if (recorded !== '') expect(message).not.toContain(recorded);
    },
  );
});
