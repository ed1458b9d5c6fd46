import { expect, it } from 'vitest';
import { backOffMs } from '../../../src/timing/back-off.ts';

const options = { firstMs: 100, longestMs: 5_000, random: () => 1 };

it('doubles with each failure, up to the longest wait', () => {
  const waits = [1, 2, 3, 6, 7, 50, 5_000, Infinity].map((failures) => backOffMs(failures, options));
  expect(waits).toEqual([100, 200, 400, 3_200, 5_000, 5_000, 5_000, 5_000]);
});

it('spreads a wait over its upper half', () => {
  expect(backOffMs(2, { ...options, random: () => 0 })).toBe(100);
  expect(backOffMs(2, { ...options, random: () => 0.5 })).toBe(150);
});

it('spreads a wait within its bounds', () => {
  const spread = { from: 1, to: 1.5 };
  expect(backOffMs(2, { ...options, spread, random: () => 0 })).toBe(200);
  expect(backOffMs(2, { ...options, spread })).toBe(300);
});
