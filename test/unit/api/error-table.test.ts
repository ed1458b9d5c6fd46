import { describe, expect, it } from 'vitest';
import { apiDocument } from '../../../hack/openapi/document.ts';
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

interface OpenApi {
  readonly paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
}

describe('the meaning of an error', () => {
  const NAMED = '/api/namespaces/{namespace}/secrets/{name}';
  const DELETED = '/api/namespaces/{namespace}/deleted/{uid}';
  it.each([
    ['post', '/api/auth/token', 415, '`application/x-www-form-urlencoded`'],
    ['post', '/api/auth/code', 413, 'groups'],
    ['get', `${NAMED}/keys/{key}`, 404, 'key'],
    ['delete', DELETED, 404, 'deleted'],
    ['delete', DELETED, 409, 'still exists'],
    ['post', `${NAMED}/restore`, 409, 'another state'],
    ['put', NAMED, 409, 'being deleted'],
  ])('%s %s %i covers what the route refuses with it: %s', (method, path, status, words) => {
    const { paths } = apiDocument() as OpenApi;
    expect(paths[path]?.[method]?.responses[status]?.description).toContain(words);
  });

  it('promises no more than the Secret itself: a deletion removes snapshots before it', () => {
    for (const [, meaning] of Object.values(ERRORS)) expect(meaning).not.toContain('nothing was changed');
  });
});
