import { describe, expect, it } from 'vitest';
import { ERROR_CODES, isServiceError, ServiceError } from '../../../src/errors/service-error.ts';

describe('an error of the family', () => {
  it('has a code, a public message, and what the details say', () => {
    const cause = new Error('foreign');
    const error = new ServiceError('unavailable', 'Try again', {
      retryAfterSeconds: 3,
      reason: 'slow',
      cause,
    });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'ServiceError',
      code: 'unavailable',
      message: 'Try again',
      retryAfterSeconds: 3,
      reason: 'slow',
    });
    expect(error.cause).toBe(cause);
  });

  it('without details has none, and no cause', () => {
    const error = new ServiceError('notFound', 'Gone');
    expect([error.retryAfterSeconds, error.reason]).toEqual([undefined, undefined]);
    expect(Object.hasOwn(error, 'cause')).toBe(false);
  });

  it('does not take up the text of its cause', () => {
    const error = new ServiceError('unavailable', 'Try again', { cause: new Error('planted-4711') });
    expect(`${error.message} ${JSON.stringify(error)} ${String(error)}`).not.toContain('planted-4711');
  });

  it('is recognized, by any of the codes that are named', () => {
    const error = new ServiceError('conflict', 'x');
    expect(isServiceError(error)).toBe(true);
    expect(isServiceError(error, 'conflict')).toBe(true);
    expect(isServiceError(error, 'exists', 'conflict')).toBe(true);
    expect(isServiceError(error, 'exists')).toBe(false);
  });

  it.each([
    ['another error', new TypeError('x')],
    ['a look-alike', { name: 'ServiceError', code: 'conflict', message: 'x' }],
    ['a text', 'conflict'],
    ['nothing', undefined],
    ['null', null],
  ])('is not %s', (_what, thrown) => {
    expect(isServiceError(thrown)).toBe(false);
    expect(isServiceError(thrown, 'conflict')).toBe(false);
  });

  it('has codes that are all different', () => {
    expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length);
  });
});
