/**
 * The one family of errors of the service. A code says what happened, never how it is answered:
 * the map from code to HTTP status lives in src/api, and a code without a status does not compile there.
 */
export const ERROR_CODES = [
  // what the client sent
  'invalidRequest',
  'unauthenticated',
  'forbidden',
  'crossSite',
  'foreignHost',
  'notFound',
  'routeNotFound',
  'methodNotAllowed',
  'tooLarge',
  'unsupportedMediaType',
  'invalidSecret',
  'rateLimited',
  'bodyBudgetExceeded',
  'overloaded',
  // what stands in the way
  'exists',
  'conflict',
  'staleRevision',
  'snapshotCollision',
  'replaced',
  // what failed behind the service
  'listFailed',
  'listInconsistent',
  'listOverBudget',
  'policyUnavailable',
  'historyUnavailable',
  'rejected',
  'rightMissing',
  'admissionRefused',
  'unavailable',
  'uncertain',
  'expired',
  'responseTooLarge',
  'notConfigured',
  'providerUnavailable',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorDetails {
  /** How long the client should wait before it asks again, in whole seconds. */
  readonly retryAfterSeconds?: number;
  /**
   * What the log may say beyond the code: a short constant from the code that throws, such as
   * `clusterTimeout`. It never holds text from a client, the cluster or the provider.
   */
  readonly reason?: string;
  /** The foreign error behind this one. It is never logged or answered; only known codes are picked from it. */
  readonly cause?: unknown;
}

/**
 * An error whose `message` is safe for strangers: it names fields and rules, never values, and never
 * carries text of the cluster or of the identity provider.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly reason: string | undefined;

  constructor(code: ErrorCode, publicMessage: string, details: ErrorDetails = {}) {
    super(publicMessage, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.reason = details.reason;
  }
}

/** Whether `error` is of the family and has one of the codes (any code when none is named). */
export function isServiceError(error: unknown, ...codes: readonly ErrorCode[]): error is ServiceError {
  return error instanceof ServiceError && (codes.length === 0 || codes.includes(error.code));
}
