import { expect, it } from 'vitest';
import { memoryLimits } from '../../../src/observability/metrics.ts';

const MACHINE = 8_000_000_000;

it.each([
  ['the limit of its container', 256_000_000, 256_000_000],
  ["the machine's memory where there is no limit", 0, MACHINE],
  ["the machine's memory where the limit is beyond it", 2 ** 63, MACHINE],
])('a process may use %s', (_case, constrained, expected) => {
  expect(memoryLimits(constrained, MACHINE).process).toBe(expected);
});

it('the heap has a limit of its own', () => {
  expect(memoryLimits(0, MACHINE).heap).toBeGreaterThan(1_000_000);
});
