import type { ErrorRequestHandler, NextFunction, Request, Response } from 'express';
import { kindOf, ownPlaceOf } from '../errors/error-origin.ts';
import { invalidRequest, isServiceError, ServiceError, type ErrorCode } from '../errors/service-error.ts';
import { systemCodeOf } from '../errors/system-codes.ts';
import type { Logger } from '../observability/logger.ts';
import { traceOf } from './runner/requests.ts';

/**
 * The one map from error codes to HTTP statuses, and what each means to a client. A code without a row does not compile.
 * The table of errors in docs/api.md has the same texts; a test compares them.
 */
export const ERRORS: Readonly<Record<ErrorCode, readonly [status: number, meaning: string]>> = {
  invalidRequest: [400, 'a parameter, a field or the body is malformed; the text names it and the rule'],
  unauthenticated: [401, 'no valid session, or a bearer token that is not accepted'],
  forbidden: [403, 'access rules, the namespace policy or the scope deny; or only an admin may'],
  crossSite: [403, 'a write from another site, or the download of a value for one'],
  foreignHost: [403, 'sign-in is disabled, and `Host` is neither loopback nor that of `NEXT_PUBLIC_APP_URL`'],
  notFound: [404, 'no such Secret, live or deleted, or a hidden one; no such namespace, key or version'],
  routeNotFound: [404, 'nothing at this address'],
  methodNotAllowed: [405, 'not this method here; see `Allow`'],
  tooLarge: [413, 'the body, its structure, or all values, annotations or groups are over their limit'],
  unsupportedMediaType: [
    415,
    'not uncompressed `application/json`, or `application/x-www-form-urlencoded` to redeem a code, in UTF-8; or its type is malformed',
  ],
  invalidSecret: [422, 'its type, immutability or binary values forbid it; a named workload does not use it'],
  rateLimited: [429, 'too many requests, in a minute or at once'],
  bodyBudgetExceeded: [503, 'the bodies of the replica or person are over their limit, or this one is slow'],
  overloaded: [503, 'too many requests of this kind are under way in the replica'],
  exists: [409, 'a Secret of this name exists'],
  conflict: [
    409,
    "someone else was faster between the service's read and its write, or the version archives another state: reload; otherwise the Secret is being deleted, or still exists",
  ],
  staleRevision: [409, 'the revision is not the live one: reload'],
  snapshotCollision: [409, 'this version is archived with another content: an admin must review'],
  replaced: [409, 'after the deletion another Secret has the name'],
  pageExpired: [410, 'the state that `continue` belongs to is gone: begin with the first page'],
  listFailed: [503, 'the list could not be collected'],
  listInconsistent: [503, 'the list contradicted itself; try again'],
  listOverBudget: [503, 'the list is over its limit'],
  cacheUnavailable: [503, 'what is answered from memory alone is disabled or out of date'],
  policyUnavailable: [503, 'the namespace policy is needed and cannot be read or understood'],
  historyUnavailable: [503, 'snapshots could not be stored, read or removed; the Secret was not changed'],
  rejected: [422, 'the cluster found the Secret invalid; the text may name its fields, never values'],
  rbacForbidden: [503, 'a permission of the service in the cluster is missing; the log names it'],
  admissionRefused: [503, 'a quota or admission policy forbids it; at most the history was changed'],
  unavailable: [503, 'the cluster is out of reach, overloaded or failed; at most the history was changed'],
  uncertain: [
    503,
    'the connection was lost after a write was sent, or its previous state could not be proven to be archived: reload to see what took effect',
  ],
  expired: [503, 'a list expired while it was read, again and again'],
  responseTooLarge: [503, 'the cluster answered more than the service takes'],
  notConfigured: [501, 'no identity provider is configured; or consumers or restart are not enabled'],
  providerUnavailable: [502, 'the identity provider, or the signing key, cannot be used'],
  internal: [500, 'a defect of the service'],
};

/**
 * The one place that answers errors: `{error: text}` with the status of the code. The text is that of the ServiceError.
 * Of any other error nothing reaches the client, and only known codes reach the log.
 */
export function answerErrors(logger: Logger): ErrorRequestHandler {
  return (thrown: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const error = inFamily(thrown);
    const trace = traceOf(response);
    trace.failure = { code: error.code, reason: error.reason, systemCode: systemCodeOf(thrown) };
    if (error.code === 'internal') {
      logger.error('unexpected error', {
        requestId: trace.origin.requestId,
        kind: kindOf(thrown),
        place: ownPlaceOf(thrown),
      });
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error.retryAfterSeconds !== undefined) response.set('Retry-After', String(error.retryAfterSeconds));
    response.status(ERRORS[error.code][0]).json({ error: error.message });
  };
}

function inFamily(thrown: unknown): ServiceError {
  if (isServiceError(thrown)) return thrown;
  // Express refuses paths whose percent-encoding is invalid, and quotes the path in its message.
  if (thrown instanceof URIError) return invalidRequest('The path is not valid percent-encoding');
  return new ServiceError('internal', 'An unexpected error occurred');
}
