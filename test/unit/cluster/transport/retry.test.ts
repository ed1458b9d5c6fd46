import { describe, expect, it } from 'vitest';
import { clusterError, type Failure } from '../../../../src/cluster/transport/errors.ts';
import { MAX_ATTEMPTS, retryDelayMs } from '../../../../src/cluster/transport/attempt.ts';
import { ServiceError } from '../../../../src/errors/service-error.ts';

const passing: Failure = { error: clusterError('unavailable', 'clusterTimeout'), repeatable: true };
const retryAfter: Failure = {
  error: new ServiceError('unavailable', 'The cluster is unavailable', { retryAfterSeconds: 2 }),
  repeatable: true,
};

describe('retryDelayMs', () => {
  it('doubles the wait from attempt to attempt, spread over its upper half', () => {
    for (const [attempt, least, most] of [
      [1, 50, 100],
      [2, 100, 200],
      [3, 200, 400],
    ] as const) {
      expect(retryDelayMs(attempt, passing, 60_000, () => 0)).toBe(least);
      expect(retryDelayMs(attempt, passing, 60_000, () => 1)).toBe(most);
    }
  });

  it('waits at least as long as the cluster requests', () => {
    expect(retryDelayMs(1, retryAfter, 60_000, () => 0)).toBeGreaterThanOrEqual(2_000);
  });

  it('gives up after the last attempt', () => {
    expect(retryDelayMs(MAX_ATTEMPTS - 1, passing, 60_000, () => 0)).toBeDefined();
    expect(retryDelayMs(MAX_ATTEMPTS, passing, 60_000, () => 0)).toBeUndefined();
  });

  it('gives up when the wait does not fit what is left of the call', () => {
    expect(retryDelayMs(1, passing, 100, () => 0)).toBe(50);
    expect(retryDelayMs(1, passing, 99, () => 0)).toBeUndefined();
    expect(retryDelayMs(1, retryAfter, 2_000, () => 0)).toBeUndefined();
  });

  it('gives up at once on what may not be repeated', () => {
    expect(retryDelayMs(1, { ...passing, repeatable: false }, 60_000, () => 0)).toBeUndefined();
  });
});
