import { describe, expect, it } from 'vitest';
import { systemCodeOf } from '../../../src/errors/system-codes.ts';

/** An error with as many causes above the code as the number says. */
function nested(code: string, depth: number): unknown {
  let error: unknown = Object.assign(new Error('planted-4711'), { code });
  for (let level = 0; level < depth; level++) error = new Error('fetch failed', { cause: error });
  return error;
}

describe('the system code of an error', () => {
  it.each(['ECONNREFUSED', 'ENOTFOUND', 'CERT_HAS_EXPIRED', 'UND_ERR_CONNECT_TIMEOUT'])(
    '%s is known',
    (code) => {
      expect(systemCodeOf(nested(code, 0))).toBe(code);
    },
  );

  it('is found in a cause', () => {
    expect(systemCodeOf(nested('ECONNRESET', 1))).toBe('ECONNRESET');
  });

  it('is the first known one', () => {
    const inner = Object.assign(new Error('x'), { code: 'ECONNRESET' });
    const outer = Object.assign(new Error('x', { cause: inner }), { code: 'ETIMEDOUT' });
    const unknown = Object.assign(new Error('x', { cause: outer }), { code: 'planted-4711' });
    expect(systemCodeOf(unknown)).toBe('ETIMEDOUT');
  });

  it('is looked for in at most eight errors', () => {
    expect(systemCodeOf(nested('EPIPE', 7))).toBe('EPIPE');
    expect(systemCodeOf(nested('EPIPE', 8))).toBeUndefined();
  });

  it('ends with a circle of causes', () => {
    const error = new Error('x');
    error.cause = error;
    expect(systemCodeOf(error)).toBeUndefined();
  });

  it.each([
    ['an unknown code', { code: 'planted-4711' }],
    ['a code in another case', { code: 'econnreset' }],
    ['a code with more behind it', { code: 'ECONNRESET planted-4711' }],
    ['a number', { code: 104 }],
    ['an object', { code: { toString: () => 'ECONNRESET' } }],
    ['a code in a message only', new Error('connect ECONNREFUSED 10.0.0.1:443')],
    ['a text', 'ECONNRESET'],
    ['nothing', undefined],
    ['null', null],
  ])('is never %s', (_what, thrown) => {
    expect(systemCodeOf(thrown)).toBeUndefined();
  });
});
