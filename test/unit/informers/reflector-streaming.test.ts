import { describe, expect, it } from 'vitest';
import { settled } from '../../fakes/virtual-clock.ts';
import { down, expired, reflectorFixture, type Fixture } from './reflector-fixture.ts';
import { page, thing } from './scripted-source.ts';

const end = (revision: number) =>
  ({ kind: 'bookmark', resourceVersion: String(revision), endsInitialEvents: true }) as const;

/** A reflector whose cluster supports streaming lists; the first one is open. */
async function streaming(): Promise<Fixture> {
  const fixture = reflectorFixture();
  fixture.source.streams = true;
  await fixture.start();
  return fixture;
}

describe('a streaming list', () => {
  it('is what the store holds once its end is marked, and goes on as the watch', async () => {
    const { source, stored, reflector, counted, changes } = await streaming();
    const watch = source.lastWatch();
    watch.send({ kind: 'added', item: thing('a', 5) }, { kind: 'added', item: thing('b', 3) });
    await settled();
    expect([stored(), reflector.status().synced, reflector.status().revision]).toEqual([
      [],
      false,
      undefined,
    ]);
    watch.send(end(10));
    await settled();
    expect([stored(), reflector.status().synced, reflector.status().revision]).toEqual([
      ['a', 'b'],
      true,
      '10',
    ]);
    watch.send({ kind: 'modified', item: thing('a', 11, { text: 'a2' }) });
    await settled();
    expect(stored()).toEqual(['a2', 'b']);
    expect(changes).toEqual(['added:a', 'added:b', 'modified:a2']);
    // What the list is made of are no events.
    expect(counted).toEqual(['relist:start', 'event:modified']);
    expect([source.lists.length, source.watches.length]).toEqual([0, 1]);
  });

  it('takes changes that come before its end', async () => {
    const { source, stored, changes } = await streaming();
    source
      .lastWatch()
      .send(
        { kind: 'added', item: thing('a', 5) },
        { kind: 'added', item: thing('b', 3) },
        { kind: 'deleted', item: thing('b', 11) },
        { kind: 'modified', item: thing('a', 12, { text: 'a2' }) },
        end(12),
      );
    await settled();
    expect(stored()).toEqual(['a2']);
    expect(changes).toEqual(['added:a2']);
  });

  it('resumes as an ordinary watch after its end', async () => {
    const { source } = await streaming();
    source.lastWatch().send(end(10), { kind: 'bookmark', resourceVersion: '12' });
    await settled();
    source.lastWatch().end();
    await settled();
    expect(source.watches.map(({ revision }) => revision)).toEqual(['list', '12']);
    expect(source.streamingLists).toBe(1);
  });

  it('is requested again when everything must be listed again, and until its end the store stays as it was', async () => {
    const { source, clock, stored, changes, reflector } = await streaming();
    source
      .lastWatch()
      .send({ kind: 'added', item: thing('a', 5) }, { kind: 'added', item: thing('b', 3) }, end(10));
    await settled();
    source.lastWatch().fail(expired());
    await clock.advance(500);
    expect(source.watches.map(({ revision }) => revision)).toEqual(['list', 'list']);
    changes.length = 0;
    source.lastWatch().send({ kind: 'added', item: thing('a', 5) }, { kind: 'added', item: thing('c', 15) });
    await clock.advance(30_000);
    expect(stored()).toEqual(['a', 'b']);
    // What arrives says nothing of what is held.
    expect(reflector.status()).toMatchObject({ synced: true, revision: undefined });
    expect(reflector.status().silenceMs).toBeGreaterThanOrEqual(30_000);
    source.lastWatch().send(end(20));
    await settled();
    expect(stored()).toEqual(['a', 'c']);
    expect(changes).toEqual(['deleted:b', 'added:c']);
    expect(reflector.status()).toMatchObject({ revision: '20', silenceMs: 0 });
  });

  it('is not requested for ten minutes after a refusal: pages are', async () => {
    const { source, clock, start, stored, counted } = reflectorFixture();
    source.pages = [page(10, [thing('a', 1)])];
    await start();
    expect([source.streamingLists, source.lists.length, stored()]).toEqual([1, 1, ['a']]);
    source.lastWatch().fail(expired());
    await clock.advance(500);
    expect([source.streamingLists, source.lists.length]).toEqual([1, 2]);
    source.streams = true;
    await clock.advance(600_000);
    source.lastWatch().fail(expired());
    await clock.advance(500);
    expect([source.streamingLists, source.lists.length]).toEqual([2, 2]);
    expect(counted).toEqual(['relist:start', 'relist:expired']);
  });

  it.each([
    [
      'ends',
      (fixture: Fixture) => {
        fixture.source.lastWatch().end();
      },
    ],
    [
      'breaks',
      (fixture: Fixture) => {
        fixture.source.lastWatch().fail(down());
      },
    ],
    [
      'goes on with a bookmark that ends nothing',
      (fixture: Fixture) => {
        fixture.source.lastWatch().send({ kind: 'bookmark', resourceVersion: '9' });
      },
    ],
  ])('gives way to pages when it %s before its end, twice', async (_how, happens) => {
    const fixture = await streaming();
    const { source, clock, stored } = fixture;
    source.pages = [page(10, [thing('a', 1)])];
    for (const _round of [1, 2]) {
      source.lastWatch().send({ kind: 'added', item: thing('x', 5) });
      await settled();
      happens(fixture);
      await clock.advance(500);
    }
    await clock.advance(1_000);
    expect(stored()).toEqual(['a']);
    expect([source.streamingLists, source.lists.length]).toEqual([2, 1]);
  });

  it('is no list of pages while the cluster cannot be reached', async () => {
    const { source, clock, start } = reflectorFixture();
    source.streams = true;
    source.refusals = [down(), down(), down(), down()];
    await start();
    await clock.advance(60_000);
    expect(source.lists).toEqual([]);
    expect(source.lastWatch().revision).toBe('list');
  });
});
