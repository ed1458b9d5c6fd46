import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../src/errors/service-error.ts';
import { historyUnavailable } from '../../../../src/history/snapshot/inventory.ts';

describe('unavailable history', () => {
  it('names the step and the known reason or code behind it', () => {
    expect(historyUnavailable('step').reason).toBe('step');
    expect(historyUnavailable('step', new ServiceError('unavailable', 'x')).reason).toBe('step:unavailable');
    expect(historyUnavailable('step', new ServiceError('unavailable', 'x', { reason: 'slow' })).reason).toBe(
      'step:slow',
    );
  });

  it('takes nothing from a foreign error', () => {
    const error = historyUnavailable('step', new Error('planted-4711'));
    expect(`${error.message} ${error.reason ?? ''}`).not.toContain('planted-4711');
    expect(error.reason).toBe('step');
  });

  it('passes on how long to wait', () => {
    const cause = new ServiceError('unavailable', 'x', { retryAfterSeconds: 3 });
    expect(historyUnavailable('step', cause).retryAfterSeconds).toBe(3);
    expect(historyUnavailable('step').retryAfterSeconds).toBeUndefined();
  });

  it('says to the client that the Secret was not changed', () => {
    expect(historyUnavailable('step')).toMatchObject({
      code: 'historyUnavailable',
      message: 'The history of this Secret is unavailable; the Secret was not changed',
    });
  });
});
