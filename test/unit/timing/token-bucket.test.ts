import { describe, expect, it } from 'vitest';
import { createTokenBucket } from '../../../src/timing/token-bucket.ts';
import { createVirtualClock, settled } from '../../fakes/virtual-clock.ts';

const NEVER = new AbortController().signal;

function fixture() {
  const clock = createVirtualClock();
  const take = createTokenBucket({ perSecond: 20, burst: 20, clock });
  const turns: number[] = [];
  const begin = (count: number, signal = NEVER) => {
    for (let index = 0; index < count; index++)
      void take(signal).then(() => {
        turns.push(clock.now());
      });
  };
  return { clock, begin, turns };
}

describe('a token bucket', () => {
  it('gives a burst at once, and the rest evenly, in order', async () => {
    const { clock, begin, turns } = fixture();
    const start = clock.now();
    begin(1_000);
    await settled();
    expect(turns).toHaveLength(20);
    await clock.advance(1_000);
    expect(turns).toHaveLength(40);
    await clock.advance(48_000);
    expect(turns).toHaveLength(1_000);
    expect(turns.map((at) => at - start).slice(19, 23)).toEqual([0, 50, 100, 150]);
  });

  it('fills again in a pause, and never beyond the burst', async () => {
    const { clock, begin, turns } = fixture();
    begin(20);
    await clock.advance(500);
    begin(20);
    await settled();
    expect(turns).toHaveLength(30);
    await clock.advance(60_000);
    begin(100);
    await settled();
    expect(turns).toHaveLength(60);
  });

  it('lets go of a caller that gives up', async () => {
    const { clock, begin, turns } = fixture();
    begin(20);
    const stop = new AbortController();
    begin(5, stop.signal);
    await settled();
    expect(turns).toHaveLength(20);
    stop.abort();
    await settled();
    expect(turns).toHaveLength(25);
    expect(clock.waits()).toEqual([]);
  });
});
