import { describe, expect, it } from 'vitest';
import type { FakeMethod } from '../../fakes/fake-journal.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { admin } from '../access/users.ts';
import { REF, seedAttempt, seedLive, seedSnapshot, withEntries } from '../history/live-secret.ts';
import { createFixture, textData, type Fixture, type FixtureOptions } from './fixture.ts';

// An update at one replica, a cleaning deletion of the same revision at another: each call of one is met by the whole
// other, and by each part of it.

const UPDATE_CALLS: readonly FakeMethod[] = ['secrets.create', 'secrets.replace'];
/** Of an update at a replica whose watch is behind. */
const CONFIRMING_CALLS: readonly FakeMethod[] = [...UPDATE_CALLS, 'secrets.patchMetadata'];
const DELETE_CALLS: readonly (readonly [method: FakeMethod, skip: number])[] = [
  ['secrets.listMetadata', 0],
  ['secrets.patchMetadata', 0],
  ['secrets.read', 1],
  ['secrets.delete', 0],
  ['secrets.read', 2],
  ['secrets.listMetadata', 1],
  ['secrets.delete', 1],
];

function open(options: FixtureOptions = {}): Fixture {
  const fixture = createFixture(options);
  seedLive(fixture.cluster, { data: { key: 'before' } });
  return fixture;
}

const settled = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    () => 'refused',
  );

/** What was acknowledged is live, and its previous state is archived; a cleaned Secret is gone. */
function judge({ cluster, archived }: Fixture, updated: string, deleted: string): void {
  const live = cluster.peek(REF);
  expect([updated, deleted]).not.toEqual(['done', 'done']);
  if (updated === 'done') {
    expect(live?.annotations.get('service.io/version')).toBe('4');
    expect(archived()).toEqual([3]);
  }
  if (deleted === 'done') expect(live).toBeUndefined();
}

const WHENS = ['before', 'after'] as const;

describe.each<[watch: string, options: FixtureOptions, calls: readonly FakeMethod[]]>([
  ['in time', {}, UPDATE_CALLS],
  ['behind', { historyIndex: 'none' }, CONFIRMING_CALLS],
])(
  'an update whose watch is %s beside a cleaning deletion of the same revision',
  (_watch, options, calls) => {
    const cases = calls.flatMap((method) => WHENS.map((when) => ({ method, when })));

    it.each(cases)('that runs as a whole $when $method', async (disturbance) => {
      const fixture = open(options);
      const { resourceVersion } = fixture.live();
      let deleted = 'never';
      fixture.cluster.on(disturbance, async () => {
        deleted = await settled(fixture.remove({ resourceVersion }, admin()));
      });
      judge(fixture, await settled(fixture.update({ data: textData({ key: 'after' }) }, admin())), deleted);
      expect(deleted).not.toBe('never');
    });

    const interleavings = DELETE_CALLS.flatMap(([method, skip]) =>
      WHENS.flatMap((when) => cases.map((within) => ({ method, skip, when, within }))),
    );

    it.each(interleavings)(
      'that stands still $when $method ($skip) until the update is $within.when $within.method',
      async ({ within, ...disturbance }) => {
        const fixture = open(options);
        const { resourceVersion } = fixture.live();
        // Where the deletion never gets to the disturbance, no update runs.
        let outcome = Promise.resolve('never');
        // A snapshot that an earlier attempt has left, so that the deletion has something to list.
        seedAttempt(fixture.cluster, fixture.live(), 3);
        const reached = Promise.withResolvers<undefined>();
        const goOn = Promise.withResolvers<undefined>();
        fixture.cluster.on(disturbance, async () => {
          // The update stands still in the middle, until the deletion has ended.
          fixture.cluster.on(within, async () => {
            reached.resolve(undefined);
            await goOn.promise;
          });
          const updating = settled(
            fixture.update({ resourceVersion, data: textData({ key: 'after' }) }, admin()),
          );
          outcome = updating;
          void updating.then(() => {
            reached.resolve(undefined);
          });
          await reached.promise;
        });
        const deleted = await settled(fixture.remove({ resourceVersion }, admin()));
        goOn.resolve(undefined);
        judge(fixture, await outcome, deleted);
      },
    );
  },
);

describe('an update that stores its own snapshot', () => {
  it.each(WHENS)(
    'keeps it from a deletion that lists it, and stands still %s its annotation until the update has ended',
    async (when) => {
      const fixture = open();
      const { resourceVersion } = fixture.live();
      let deleting = Promise.resolve('never');
      const marking = Promise.withResolvers<undefined>();
      const goOn = Promise.withResolvers<undefined>();
      fixture.cluster.on({ method: 'secrets.patchMetadata', when }, async () => {
        marking.resolve(undefined);
        await goOn.promise;
      });
      fixture.cluster.on({ method: 'secrets.replace' }, async () => {
        deleting = settled(fixture.remove({ resourceVersion }, admin()));
        await marking.promise;
      });
      const updated = await settled(fixture.update({ data: textData({ key: 'after' }) }, admin()));
      goOn.resolve(undefined);
      const deleted = await deleting;
      expect([updated, deleted]).toEqual(['done', 'refused']);
      judge(fixture, updated, deleted);
    },
  );
});

describe('a cleaning deletion beside an update of the same revision', () => {
  it('answers the deletion 409 when the update has won', async () => {
    const fixture = open();
    seedAttempt(fixture.cluster, fixture.live(), 3);
    const { resourceVersion } = fixture.live();
    fixture.cluster.on({ method: 'secrets.delete' }, async () => {
      await fixture.update({ resourceVersion, data: textData({ key: 'after' }) }, admin());
    });
    await expect(fixture.remove({ resourceVersion }, admin())).rejects.toMatchObject({
      code: 'conflict',
      reason: 'snapshotPrecondition',
    });
    expect(fixture.archived()).toEqual([3]);
  });
});

describe('an update goes by what is archived, not by its number', () => {
  it('after a deletion that failed halfway it removes nothing while there is space', async () => {
    const fixture = createFixture({ historyLimit: 10 });
    const live = seedLive(fixture.cluster, { annotations: { 'service.io/version': '11' } });
    for (let version = 1; version <= 10; version++) seedSnapshot(fixture.cluster, live, version);
    fixture.cluster.fail({ method: 'secrets.delete', skip: 5 }, 'unavailable');
    expect(await codeOf(fixture.remove({}, admin()))).toBe('historyUnavailable');
    expect(fixture.archived()).toEqual([6, 7, 8, 9, 10]);
    for (let round = 0; round < 3; round++) await fixture.update({ description: `round ${round}` });
    expect(fixture.archived()).toEqual([6, 7, 8, 9, 10, 11, 12, 13]);
  });

  it.each(['in time', 'none'] as const)(
    'refuses a counter that someone has turned back, and uses no number again; the index is %s',
    async (index) => {
      const fixture = createFixture({ historyLimit: 3, ...(index === 'none' && { historyIndex: 'none' }) });
      seedLive(fixture.cluster, { annotations: { 'service.io/version': '1' } });
      for (let round = 0; round < 4; round++) await fixture.update({ description: `round ${round}` });
      expect(fixture.archived()).toEqual([2, 3, 4]);
      const { annotations } = fixture.live();
      fixture.cluster.touch(REF, {
        annotations: withEntries(annotations, { 'service.io/version': undefined }),
      });
      const before = fixture.cluster.all();
      await expect(fixture.update({ description: 'x' })).rejects.toMatchObject({
        code: 'snapshotCollision',
        reason: 'counterBehindHistory',
        message: expect.stringMatching(/admin must review.*recoverCounter/) as string,
      });
      expect(fixture.cluster.all()).toEqual(before);
      await fixture.update({ description: 'x', recoverCounter: true }, admin());
      expect(fixture.archived()).toEqual([3, 4, 5]);
    },
  );

  it('of two attempts at one state the second reuses what the first has archived', async () => {
    const fixture = open();
    fixture.cluster.fail({ method: 'secrets.replace' }, 'unavailable');
    expect(await codeOf(fixture.update({ description: 'x' }))).toBe('unavailable');
    await fixture.update({ description: 'x' });
    expect(fixture.archived()).toEqual([3]);
  });
});

describe('without an index that has got far enough', () => {
  it('an update lists the snapshots of its own UID, as metadata and before any write', async () => {
    const fixture = createFixture({ historyLimit: 1, historyIndex: 'none' });
    const live = seedLive(fixture.cluster);
    seedSnapshot(fixture.cluster, live, 1);
    const selectors: string[] = [];
    const { secrets } = fixture.cluster;
    const listMetadata = secrets.listMetadata.bind(secrets);
    Object.assign(secrets, {
      listMetadata: (...args: Parameters<typeof listMetadata>) => {
        selectors.push(args[1].labelSelector);
        return listMetadata(...args);
      },
    });
    await fixture.update({ description: 'x' });
    expect(selectors).toEqual([`service.io/history-uid=${live.uid}`]);
    expect(fixture.archived()).toEqual([3]);
  });

  it('it is unavailable when that list fails, and nothing is written', async () => {
    const fixture = createFixture({ historyIndex: 'none' });
    seedLive(fixture.cluster);
    const before = fixture.cluster.all();
    fixture.cluster.fail({ method: 'secrets.listMetadata' }, 'unavailable');
    await expect(fixture.update({ description: 'x' })).rejects.toMatchObject({
      code: 'historyUnavailable',
      reason: 'historyNotListed:unavailable',
    });
    expect(fixture.cluster.all()).toEqual(before);
  });
});

describe('what must be removed before a replacement and cannot be', () => {
  it('is 503, and the live Secret stays as it is', async () => {
    const fixture = createFixture({ historyLimit: 2 });
    const live = seedLive(fixture.cluster);
    for (const version of [1, 2]) seedSnapshot(fixture.cluster, live, version);
    fixture.cluster.fail({ method: 'secrets.delete' }, 'unavailable');
    await expect(fixture.update({ description: 'x' })).rejects.toMatchObject({
      code: 'historyUnavailable',
      reason: 'snapshotNotPruned:unavailable',
    });
    expect(fixture.live()).toEqual(live);
  });
});

describe('an update with a description and data together', () => {
  it('stores both', async () => {
    const fixture = open();
    await fixture.update({ description: 'the new one', data: textData({ key: 'after' }) });
    const { annotations, data } = fixture.live();
    expect(annotations.get('service.io/description')).toBe('the new one');
    expect([...data].map(([key, value]) => [key, Buffer.from(value).toString()])).toEqual([['key', 'after']]);
  });
});
