import { setImmediate } from 'node:timers';
import { describe, expect, it } from 'vitest';
import { createEventLoopYielder } from '../../../src/timing/event-loop-yielder.ts';

describe('the event-loop yielder', () => {
  it('is due once a slice has lasted 5 ms, and again 5 ms after it yielded', async () => {
    let now = 0;
    const yielder = createEventLoopYielder(() => now);
    now = 4;
    expect(yielder.isDue()).toBe(false);
    now = 5;
    expect(yielder.isDue()).toBe(true);
    await yielder.yieldNow();
    expect(yielder.isDue()).toBe(false);
    now = 10;
    expect(yielder.isDue()).toBe(true);
  });

  it('yields between steps only when it is due', async () => {
    let now = 0;
    const yielder = createEventLoopYielder(() => now);
    const order: string[] = [];
    setImmediate(() => order.push('other work'));
    await yielder.yieldIfDue();
    order.push('short step');
    now = 5;
    await yielder.yieldIfDue();
    order.push('after a long step');
    expect(order).toEqual(['short step', 'other work', 'after a long step']);
  });

  it('begins no two slices in the same turn of the event loop', async () => {
    let turn = 0;
    const begun: number[] = [];
    const slices = Array.from({ length: 5 }, async () => {
      await createEventLoopYielder().yieldNow();
      begun.push(turn);
    });
    while (begun.length < slices.length) {
      await new Promise((resolve) => setImmediate(resolve));
      turn++;
    }
    expect(new Set(begun).size).toBe(slices.length);
  });

  it('lets what waits for the event loop run first', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('other work'));
    await createEventLoopYielder().yieldNow();
    order.push('this work');
    expect(order).toEqual(['other work', 'this work']);
  });
});
