import { describe, expect, it } from 'vitest';
import { createConcurrencyLimit } from '../../../src/timing/concurrency-limit.ts';
import { settled } from '../../fakes/virtual-clock.ts';

describe('a concurrency limit', () => {
  it('runs so many at once, the rest in order, each as soon as another has ended', async () => {
    const limit = createConcurrencyLimit(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const all = Array.from({ length: 5 }, (_, index) =>
      limit(async () => {
        begun.push(index);
        await new Promise<void>((resolve) => ends.push(resolve));
        return index;
      }),
    );
    await settled();
    expect(begun).toEqual([0, 1]);
    for (let ended = 1; ended <= 5; ended++) {
      ends.shift()?.();
      await settled();
      expect(begun.length).toBe(Math.min(5, ended + 2));
    }
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4]);
  });

  it('goes on after work that fails', async () => {
    const limit = createConcurrencyLimit(1);
    const failing = limit(() => Promise.reject(new Error('failed')));
    const next = limit(() => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('done');
    expect(await limit(() => Promise.resolve('later'))).toBe('later');
  });
});
