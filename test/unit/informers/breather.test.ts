import { expect, it } from 'vitest';
import { createBreather } from '../../../src/informers/breather.ts';

it('a breather is due after a slice, and lets others run when it breathes', async () => {
  let now = 100;
  const breather = createBreather(() => now);
  now += 4.9;
  expect(breather.isDue()).toBe(false);
  now += 0.2;
  expect(breather.isDue()).toBe(true);
  let ran = false;
  setImmediate(() => {
    ran = true;
  });
  await breather.breathe();
  expect(ran).toBe(true);
  expect(breather.isDue()).toBe(false);
});
