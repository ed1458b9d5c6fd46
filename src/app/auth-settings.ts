import { formerKeyProblem, readSigningKey } from '../auth/session/sessions.ts';
import type { ClusterHome } from '../cluster/credentials/credentials.ts';
import type { Settings } from '../config/settings.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';

/**
 * Reports the signing keys. An invalid former key counts as none, which ends the sessions that it signed, so it is
 * logged.
 */
export function reportSigningKeys({ auth }: Settings, logger: Logger, metrics: Metrics): void {
  const problem = formerKeyProblem(auth.previousSessionSecret);
  const isGiven = !auth.disabled && auth.previousSessionSecret !== undefined;
  const currentIsValid = readSigningKey(auth.sessionSecret).problem === undefined;
  metrics.set('service_former_signing_key', isGiven && problem === undefined && currentIsValid);
  if (isGiven && problem !== undefined) {
    logger.warn('a setting looks wrong', { variable: 'SESSION_SECRET_PREVIOUS', problem });
  }
  metrics.set('service_signing_key_valid', auth.disabled || currentIsValid);
}

/**
 * With the service account of a pod the service is a deployment, whatever NODE_ENV is, and everyone who reaches it
 * would be an administrator.
 */
export function requireSignInInPods({ auth }: Settings, { inCluster }: ClusterHome): void {
  if (!auth.disabled || !inCluster) return;
  const message =
    'AUTH_DISABLED=true is for local development and cannot be used with the service account of a pod';
  throw new ServiceError('notConfigured', message, { reason: 'authDisabledInPod' });
}
