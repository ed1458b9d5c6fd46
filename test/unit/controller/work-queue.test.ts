import { describe, expect, it } from 'vitest';
import { WorkQueue } from '../../../src/controller/work-queue.ts';
import { createVirtualClock } from '../../fakes/virtual-clock.ts';

function fixture() {
  const clock = createVirtualClock();
  const end = new AbortController();
  const queue = new WorkQueue({ clock, random: () => 1 }, end.signal);
  /** Takes every key that waits, working on none for any time. */
  const takeAll = async (): Promise<string[]> => {
    const keys: string[] = [];
    while (queue.depth > 0) {
      const key = (await queue.next()) ?? '';
      keys.push(key);
      queue.done(key);
    }
    return keys;
  };
  return { clock, queue, takeAll, end };
}

describe('a key', () => {
  it('waits once, however often it is added', async () => {
    const { queue, takeAll } = fixture();
    for (const key of ['a', 'b', 'a', 'a']) queue.add(key);
    expect(queue.depth).toBe(2);
    expect(await takeAll()).toEqual(['a', 'b']);
  });

  it('is worked on by one worker at a time, and waits again when it is added meanwhile', async () => {
    const { queue } = fixture();
    queue.add('a');
    expect(await queue.next()).toBe('a');
    queue.add('a');
    queue.add('a');
    expect(queue.depth).toBe(0);
    queue.done('a');
    expect(queue.depth).toBe(1);
    expect(await queue.next()).toBe('a');
    queue.done('a');
    expect(queue.depth).toBe(0);
  });

  it('goes to a worker that was waiting for one', async () => {
    const { queue } = fixture();
    const [first, second] = [queue.next(), queue.next()];
    queue.add('a');
    queue.add('b');
    expect(await Promise.all([first, second])).toEqual(['a', 'b']);
  });
});

describe('later', () => {
  it('comes when its time has come', async () => {
    const { queue, clock, takeAll } = fixture();
    queue.addAfter('a', 1_000);
    await clock.advance(999);
    expect(await takeAll()).toEqual([]);
    await clock.advance(1);
    expect(await takeAll()).toEqual(['a']);
  });

  it('keeps the soonest of several times, and comes once', async () => {
    const { queue, clock, takeAll } = fixture();
    queue.addAfter('a', 5_000);
    queue.addAfter('a', 1_000);
    queue.addAfter('a', 3_000);
    await clock.advance(1_000);
    expect(await takeAll()).toEqual(['a']);
    await clock.advance(10_000);
    expect(await takeAll()).toEqual([]);
  });

  it('is overtaken by what is added now', async () => {
    const { queue, clock, takeAll } = fixture();
    queue.addAfter('a', 1_000);
    queue.add('a');
    expect(await takeAll()).toEqual(['a']);
    await clock.advance(2_000);
    expect(await takeAll()).toEqual([]);
  });

  it('takes one timer, however many keys are delayed, and however often', async () => {
    const { queue, clock, takeAll, end } = fixture();
    for (const key of ['a', 'b', 'c', 'a', 'a']) {
      queue.addAfter(key, 5_000);
      queue.add('a');
      await takeAll();
    }
    queue.addAfter('d', 1_000);
    expect(clock.waits()).toEqual([1_000]);
    await clock.advance(1_000);
    expect(await takeAll()).toEqual(['d']);
    expect(clock.waits()).toEqual([4_000]);
    await clock.advance(4_000);
    expect(await takeAll()).toEqual(['b', 'c']);
    expect(clock.waits()).toEqual([]);
    queue.addAfter('a', 5_000);
    end.abort();
    queue.addAfter('b', 1_000);
    expect(clock.waits()).toEqual([]);
  });

  it('waits for no more than a day, which no timer overflows', async () => {
    const { queue, clock, takeAll } = fixture();
    queue.addAfter('a', 365 * 24 * 60 * 60_000);
    expect(clock.waits()).toEqual([24 * 60 * 60_000]);
    await clock.advance(24 * 60 * 60_000);
    expect(await takeAll()).toEqual(['a']);
  });
});

describe('a retry', () => {
  it('waits twice as long each time, five minutes at most, until it is forgotten', async () => {
    const { queue, clock, takeAll } = fixture();
    const waits: (number | undefined)[] = [];
    for (let round = 0; round < 12; round++) {
      queue.retry('a');
      waits.push(clock.waits()[0]);
      await clock.advance(clock.waits()[0] ?? 0);
      await takeAll();
    }
    expect(waits.slice(0, 4)).toEqual([500, 1_000, 2_000, 4_000]);
    expect(waits.slice(-2)).toEqual([300_000, 300_000]);
    queue.forget('a');
    queue.retry('a');
    expect(clock.waits()).toEqual([500]);
  });

  it('of one key does not slow another down', () => {
    const { queue, clock } = fixture();
    for (let round = 0; round < 5; round++) queue.retry('a');
    queue.retry('b');
    expect(clock.waits()).toContain(500);
  });
});

describe('the queue', () => {
  it('returns how many keys wait and how long the first has', async () => {
    const { queue, clock } = fixture();
    expect(queue.oldestAgeMs()).toBe(0);
    queue.add('a');
    await clock.advance(700);
    queue.add('b');
    await clock.advance(300);
    expect(queue.depth).toBe(2);
    expect(queue.oldestAgeMs()).toBe(1_000);
    await queue.next();
    expect(queue.oldestAgeMs()).toBe(300);
  });

  it('ends for waiting workers and for delayed keys when it is aborted', async () => {
    const { queue, clock, end } = fixture();
    const waiting = queue.next();
    queue.addAfter('a', 1_000);
    end.abort();
    expect(await waiting).toBeUndefined();
    await clock.advance(5_000);
    expect(queue.depth).toBe(0);
    expect(await queue.next()).toBeUndefined();
  });
});
