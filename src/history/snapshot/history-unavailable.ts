import { isServiceError, ServiceError } from '../../errors/service-error.ts';

/** History could not be brought into the state that a change needs; the live Secret was not touched. */
export function historyUnavailable(step: string, cause?: unknown): ServiceError {
  const known = isServiceError(cause) ? cause : undefined;
  return new ServiceError(
    'historyUnavailable',
    'The history of this Secret is unavailable; the Secret was not changed',
    {
      reason: known === undefined ? step : `${step}:${known.reason ?? known.code}`,
      ...(cause === undefined ? {} : { cause }),
      ...(known?.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: known.retryAfterSeconds }),
    },
  );
}
