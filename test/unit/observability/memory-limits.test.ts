import { expect, it } from 'vitest';
import { memoryLimit } from '../../../src/observability/metrics.ts';

const MACHINE = 8_000_000_000;

it.each([
  ['the limit of its container', 256_000_000, 256_000_000],
  ["the machine's memory where there is no limit", 0, MACHINE],
  ["the machine's memory where the limit is beyond it", 2 ** 63, MACHINE],
])('a process may use %s', (_case, constrained, expected) => {
  expect(memoryLimit(constrained, MACHINE)).toBe(expected);
});
