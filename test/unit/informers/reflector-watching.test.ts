import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/errors/service-error.ts';
import { settled } from '../../fakes/virtual-clock.ts';
import { down, expired, reflectorFixture } from './reflector-fixture.ts';
import { page, thing } from './scripted-source.ts';

describe('watching', () => {
  it('goes on from the revision of the list, with an end that the cluster keeps', async () => {
    const { source, start } = reflectorFixture({ random: () => 0.5 });
    await start();
    expect(source.lastWatch()).toMatchObject({ revision: '10', timeoutSeconds: 450 });
  });

  it('begins in the turn of its list, and waits for one of its own when it goes on', async () => {
    const { source, start, clock } = reflectorFixture();
    await start();
    expect([source.turns, source.watches.length]).toEqual([1, 1]);
    source.lastWatch().fail(down());
    await clock.advance(500);
    expect([source.turns, source.watches.length]).toEqual([2, 2]);
    source.lastWatch().fail(expired());
    await clock.advance(1_000);
    expect([source.turns, source.lists.length, source.watches.length]).toEqual([3, 2, 3]);
  });

  it('takes events in order, and reports each once it is stored', async () => {
    const { source, start, changes, stored, reflector } = reflectorFixture();
    await start();
    source
      .lastWatch()
      .send(
        { kind: 'added', item: thing('a', 11) },
        { kind: 'modified', item: thing('a', 12, { text: 'a2' }) },
        { kind: 'added', item: thing('b', 13) },
        { kind: 'deleted', item: thing('a', 14) },
      );
    await settled();
    expect(changes).toEqual(['added:a', 'modified:a2', 'added:b', 'deleted:a2']);
    expect(stored()).toEqual(['b']);
    expect(reflector.status().revision).toBe('14');
  });

  it('resumes after the last event when the cluster ends the watch', async () => {
    const { source, start, counted } = reflectorFixture();
    await start();
    source.lastWatch().send({ kind: 'added', item: thing('a', 11) });
    await settled();
    source.lastWatch().end();
    await settled();
    expect(source.watches.map(({ revision }) => revision)).toEqual(['10', '11']);
    expect(counted).toEqual(['relist:start', 'event:added']);
  });

  it('resumes after the last bookmark, which changes nothing else', async () => {
    const { source, start, changes } = reflectorFixture();
    await start();
    source.lastWatch().send({ kind: 'bookmark', resourceVersion: '99' });
    await settled();
    source.lastWatch().end();
    await settled();
    expect(source.lastWatch().revision).toBe('99');
    expect(changes).toEqual([]);
  });

  it.each([
    ['the connection breaks', down()],
    ['the cluster fails within the watch', down()],
    ['a frame is malformed', new ServiceError('unavailable', 'bad', { reason: 'malformedEvent' })],
    ['a frame is too large', new ServiceError('responseTooLarge', 'too large')],
    ['anything else is thrown', new TypeError('a bug')],
  ])('backs off and resumes from the same place when %s', async (_what, error) => {
    const { source, clock, start, stored } = reflectorFixture();
    await start();
    source.lastWatch().send({ kind: 'added', item: thing('a', 11) });
    await settled();
    source.lastWatch().fail(error);
    await settled();
    expect(source.watches).toHaveLength(1);
    await clock.advance(500);
    expect(source.lastWatch().revision).toBe('11');
    expect(source.lists).toHaveLength(1);
    expect(stored()).toEqual(['a']);
  });

  it('backs off when a watch ends at once, again and again', async () => {
    const { source, clock, start } = reflectorFixture();
    await start();
    const waits: (number | undefined)[] = [];
    for (let round = 0; round < 3; round++) {
      source.lastWatch().end();
      await settled();
      waits.push(clock.waits()[0]);
      await clock.advance(clock.waits()[0] ?? 0);
    }
    expect(waits).toEqual([500, 1_000, 2_000]);
  });

  it('does not back off when a quiet watch ends in its time', async () => {
    const { source, clock, start } = reflectorFixture();
    await start();
    await clock.advance(60_000);
    source.lastWatch().end();
    await settled();
    expect(source.watches).toHaveLength(2);
  });

  it('backs off when the watch is refused, and watches from the same revision again', async () => {
    const { source, clock, start } = reflectorFixture();
    source.refusals = [down(), down()];
    await start();
    await clock.advance(1_500);
    expect(source.lastWatch().revision).toBe('10');
    expect(source.lists).toHaveLength(1);
  });

  it.each(['refused', 'ended'])('lists again when the revision expired and the watch was %s', async (how) => {
    const { source, clock, start, changes, counted, stored } = reflectorFixture();
    source.pages = [
      page(10, [thing('same', 1), thing('changed', 2), thing('gone', 3)]),
      page(50, [thing('same', 1), thing('changed', 40, { text: 'changed2' }), thing('new', 41)]),
    ];
    if (how === 'refused') source.refusals = [expired()];
    await start();
    if (how === 'ended') source.lastWatch().fail(expired());
    changes.length = 0;
    await clock.advance(500);
    expect(changes).toEqual(['deleted:gone', 'modified:changed2', 'added:new']);
    expect(counted).toEqual(['relist:start', 'relist:expired']);
    expect(stored()).toEqual(['changed2', 'new', 'same']);
    expect(source.lastWatch().revision).toBe('50');
  });

  it('keeps what it has while listing again fails', async () => {
    const { source, clock, start, stored, reflector } = reflectorFixture();
    source.pages = [page(10, [thing('a', 1)]), down()];
    await start();
    source.lastWatch().fail(expired());
    await clock.advance(5_000);
    expect(stored()).toEqual(['a']);
    expect(reflector.status()).toMatchObject({ synced: true, revision: undefined });
  });

  it('lists again after eight failures in a row', async () => {
    const { source, clock, start, counted } = reflectorFixture();
    source.refusals = Array.from({ length: 8 }, () => down());
    await start();
    await clock.advance(120_000);
    expect(counted.filter((what) => what.startsWith('relist'))).toEqual(['relist:start', 'relist:stalled']);
    expect(source.lists).toHaveLength(2);
  });

  it('sees the same name with another uid as another object', async () => {
    const { source, start, changes } = reflectorFixture();
    source.pages = [page(10, [thing('a', 1, { text: 'first' })])];
    await start();
    source.lastWatch().send({ kind: 'added', item: thing('a', 12, { uid: 'other', text: 'second' }) });
    await settled();
    expect(changes).toEqual(['added:first', 'deleted:first', 'added:second']);
  });

  it('sees another uid in a list, too', async () => {
    const { source, clock, start, changes } = reflectorFixture();
    source.pages = [
      page(10, [thing('a', 1, { text: 'first' })]),
      page(20, [thing('a', 12, { uid: 'other', text: 'second' })]),
    ];
    await start();
    source.lastWatch().fail(expired());
    await clock.advance(500);
    expect(changes).toEqual(['added:first', 'deleted:first', 'added:second']);
  });

  it('ignores the deletion of an object whose name is taken by another', async () => {
    const { source, start, stored } = reflectorFixture();
    source.pages = [page(10, [thing('a', 1)])];
    await start();
    source.lastWatch().send({ kind: 'deleted', item: thing('a', 11, { uid: 'earlier' }) });
    await settled();
    expect(stored()).toEqual(['a']);
  });

  it('is not harmed by a handler that throws', async () => {
    const { source, start, stored, logLines } = reflectorFixture({
      onChange: () => {
        throw new Error('quotes sensitive-text');
      },
    });
    source.pages = [page(10, [thing('a', 1)])];
    await start();
    source.lastWatch().send({ kind: 'added', item: thing('b', 11) }, { kind: 'added', item: thing('c', 12) });
    await settled();
    expect(stored()).toEqual(['a', 'b', 'c']);
    expect(logLines).toHaveLength(3);
    expect(JSON.stringify(logLines)).not.toContain('sensitive-text');
  });
});
