import { describe, expect, it } from 'vitest';
import { environmentProblem } from '../../../src/config/oddities.ts';

describe('NODE_ENV', () => {
  it.each([undefined, '', 'production', 'development', 'test'])('may be %s', (name) => {
    expect(environmentProblem(name)).toBeUndefined();
  });

  it.each(['prod', 'Production', 'production ', 'staging'])('is odd as %s, which is not repeated', (name) => {
    expect(environmentProblem(name)).toContain('not production');
    expect(environmentProblem(name)).toBe(environmentProblem('anything'));
  });
});
