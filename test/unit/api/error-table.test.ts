import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../../src/api/error-responses.ts';
import { ERROR_CODES, type ErrorCode } from '../../../src/errors/service-error.ts';

/** What the contract says of each case, written down a second time. */
const CONTRACT: Readonly<Record<number, readonly ErrorCode[]>> = {
  400: ['invalidRequest'],
  401: ['unauthenticated'],
  403: ['forbidden', 'crossSite', 'foreignHost'],
  404: ['notFound', 'routeNotFound'],
  405: ['methodNotAllowed'],
  409: ['exists', 'conflict', 'staleRevision', 'snapshotCollision', 'replaced'],
  410: ['pageExpired'],
  413: ['tooLarge'],
  415: ['unsupportedMediaType'],
  422: ['invalidSecret', 'rejected'],
  429: ['rateLimited'],
  500: ['internal'],
  501: ['notConfigured'],
  502: ['providerUnavailable'],
  503: [
    'bodyBudgetExceeded',
    'overloaded',
    'listFailed',
    'listInconsistent',
    'listOverBudget',
    'cacheUnavailable',
    'policyUnavailable',
    'historyUnavailable',
    'rbacForbidden',
    'admissionRefused',
    'unavailable',
    'uncertain',
    'expired',
    'responseTooLarge',
  ],
};

describe('the status of an error', () => {
  it.each(
    Object.entries(CONTRACT).flatMap(([status, codes]) =>
      codes.map((code) => [code, Number(status)] as const),
    ),
  )('%s is answered %i', (code, status) => {
    expect(ERRORS[code][0]).toBe(status);
  });

  it('is known for every code', () => {
    expect(Object.values(CONTRACT).flat().toSorted()).toEqual(ERROR_CODES.toSorted());
  });
});
