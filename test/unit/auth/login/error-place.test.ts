import { describe, expect, test } from 'vitest';
import { mapClaims } from '../../../../src/auth/login/claims.ts';
import { translateFailure } from '../../../../src/auth/login/translate-failure.ts';

const CANARY = 'c4n4ry-9d2f';

/** An error that was thrown while this service's own code was on the stack. */
function thrownWithin(): unknown {
  const claims = {
    get sub(): string {
      throw new RangeError(`${CANARY}\n    at planted (file:///elsewhere.js:1:2)`);
    },
  };
  try {
    return mapClaims(
      { idToken: claims },
      { usernameClaim: 'email', nameClaim: 'name', groupsClaim: 'groups', allowUnverifiedEmail: false },
    );
  } catch (error) {
    return error;
  }
}

describe('an unexpected error in a login', () => {
  test('is described by its class and the place in this service, never by its message', () => {
    const { code, details } = translateFailure(new Error(CANARY, { cause: thrownWithin() }));
    expect({ code, ...details }).toEqual({
      code: 'internal',
      kind: 'RangeError',
      place: 'auth/login/claims#mergedClaims',
    });
  });

  test('has no place when it came from elsewhere, and may be no error at all', () => {
    expect(translateFailure(CANARY).details).toEqual({ kind: 'string', place: undefined });
  });
});
