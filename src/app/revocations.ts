import {
  isRevoked,
  type IsRevoked,
  NO_REVOCATIONS,
  parseRevocations,
  type Revocations,
} from '../auth/session/revocations.ts';
import { watchConfigMaps } from '../cluster/stores/policy-store.ts';
import { PlainTable } from '../informers/object-store.ts';
import type { WatchedObject } from '../informers/ports.ts';
import type { ServiceParts } from './parts.ts';
import { createReflectors } from './reflectors.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Logger } from '../observability/logger.ts';

/** The `informer` label of its metrics. */
const INFORMER = 'revocations';

/**
 * The sessions that were ended early, and what follows them. Undefined where sessions cannot be ended early:
 * without sign-in, and if the service's own namespace is not set.
 */
export function createRevocationsWatch(parts: ServiceParts) {
  const { settings, cluster, logger, metrics } = parts;
  const { disabled, revocations } = settings.auth;
  if (disabled) return undefined;
  if (revocations === undefined) {
    if (cluster.home.inCluster) {
      logger.warn('sessions cannot be ended early', { variable: 'POD_NAMESPACE', problem: 'missing' });
    }
    return undefined;
  }
  const { namespace, name } = revocations;
  const reflectors = createReflectors(parts, {
    informer: INFORMER,
    scopes: [{ namespace }],
    sourceOf: (watched) =>
      watchConfigMaps(cluster.gateway, name, watched, ({ data, binaryKeys, ...object }) => ({
        ...object,
        revocations: parseRevocations([...data, ...binaryKeys.map((key) => [key, ''] as const)]),
      })),
    createTable: () => new PlainTable<WatchedObject & { readonly revocations: Revocations }>(),
    onChange: ({ value }) => {
      report(value?.revocations ?? NO_REVOCATIONS, logger);
    },
    keepsLastState: true,
  });
  const isRead = (): boolean => reflectors.all.every((reflector) => reflector.status().synced);
  const isForbidden = (): boolean => reflectors.all.some((reflector) => reflector.status().isForbidden);
  /** Undefined until the ConfigMap was read once, then the last state read. */
  const current = (): Revocations | undefined =>
    isRead()
      ? (reflectors.of(namespace)?.objects.get(namespace, name)?.revocations ?? NO_REVOCATIONS)
      : undefined;
  metrics.onExpose(() => {
    const { everyone, byEmail, malformedCount } = current() ?? NO_REVOCATIONS;
    const effective = byEmail.size + (everyone === undefined ? 0 : 1);
    metrics.set('service_session_revocations', effective, { state: 'effective' });
    metrics.set('service_session_revocations', malformedCount, { state: 'malformed' });
  });
  return {
    isRevoked: (session: Parameters<IsRevoked>[0]) => isRevoked(required(current()), session),
    tasks: reflectors.tasks,
    readiness: {
      name: INFORMER,
      isReady: isRead,
      detail: () => (isForbidden() ? 'rbacForbidden' : 'not read yet'),
    },
  };
}

/** The replica is not ready, but a request that reaches it must not pass with a session that was ended. */
function required(revocations: Revocations | undefined): Revocations {
  if (revocations !== undefined) return revocations;
  throw new ServiceError('unavailable', 'Sessions cannot be checked yet', {
    reason: 'revocationsNotRead',
    retryAfterSeconds: 1,
  });
}

function report({ malformed, malformedCount, everyone, byEmail }: Revocations, logger: Logger): void {
  const count = byEmail.size + (everyone === undefined ? 0 : 1);
  logger.info('read who must sign in again', { count });
  for (const { key, problem } of malformed) {
    const fields = { revocation: key, problem, count: malformedCount };
    logger.warn('revocation is malformed and ends no session', fields);
  }
}
