/**
 * The error family of the service. A code says what happened, not how it is answered: the map from codes to HTTP
 * statuses is in src/api, where a code without a status does not compile.
 */
export const ERROR_CODES = [
  // What the client sent.
  ...['invalidRequest', 'unauthenticated', 'forbidden', 'crossSite', 'foreignHost', 'notFound'],
  ...['routeNotFound', 'methodNotAllowed', 'tooLarge', 'unsupportedMediaType', 'invalidSecret'],
  ...['rateLimited', 'bodyBudgetExceeded', 'overloaded'],
  // What the current state forbids.
  ...['exists', 'conflict', 'staleRevision', 'snapshotCollision', 'replaced', 'pageExpired'],
  // What failed behind the service.
  ...['listFailed', 'listInconsistent', 'listOverBudget', 'cacheUnavailable', 'policyUnavailable'],
  ...['historyUnavailable', 'rejected', 'rbacForbidden', 'admissionRefused', 'unavailable', 'uncertain'],
  ...['expired', 'responseTooLarge', 'notConfigured', 'providerUnavailable', 'internal'],
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorDetails {
  /** How long the client should wait before the next request, in whole seconds. */
  readonly retryAfterSeconds?: number | undefined;
  /**
   * A detail for the log: a short constant of the throwing code, such as `clusterTimeout`. It never contains text of a
   * client, the cluster or the provider.
   */
  readonly reason?: string | undefined;
  /** Of an uncertain write: whether it has had all of its effect, so that a read shows it. */
  readonly isOver?: boolean;
  /** The foreign error behind this one. It is never logged or sent; only known codes are read from it. */
  readonly cause?: unknown;
}

/**
 * An error whose `message` is safe for everyone: it names fields and rules, never values, and contains no text of the
 * cluster or of the identity provider.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly reason: string | undefined;
  readonly isOver: boolean;

  constructor(code: ErrorCode, publicMessage: string, details: ErrorDetails = {}) {
    super(publicMessage, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.reason = details.reason;
    this.isOver = details.isOver ?? false;
  }
}

/** @param message names the field, parameter or header and the rule, never the value */
export const invalidRequest = (message: string): ServiceError => new ServiceError('invalidRequest', message);

/** Whether `error` is a ServiceError with one of the codes (any code if none is given). */
export function isServiceError(error: unknown, ...codes: readonly ErrorCode[]): error is ServiceError {
  return error instanceof ServiceError && (codes.length === 0 || codes.includes(error.code));
}

/** For `catch`: undefined for a ServiceError of these codes, without codes for any. Anything else is a bug, and is thrown. */
export function ignoring(...codes: readonly ErrorCode[]) {
  return (error: unknown): undefined => {
    if (!isServiceError(error, ...codes)) throw error;
  };
}
