import { checkSignIn } from '../auth/authentication.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Settings } from '../config/settings.ts';
import type { Logger } from '../observability/logger.ts';
import { startDeadline } from '../timing/deadline.ts';
import type { ServiceParts } from './parts.ts';

const SCOPE_BUDGET_MS = 30_000;

/**
 * Tries once what would otherwise be noticed when the first person signs in, or never, and logs it. It makes no replica
 * unready, since whoever is signed in can work. A stop does not wait for it.
 */
export function runStartChecks({ settings, logger, cluster }: ServiceParts): void {
  if (!settings.auth.disabled) {
    checkAdministrators(settings, logger);
    void checkSignIn({ settings, logger });
  }
  void checkScope(settings, cluster.namespaces, logger);
}

function checkAdministrators({ access }: Settings, logger: Pick<Logger, 'warn'>): void {
  if (access.adminUsers.length > 0 || access.adminGroups.length > 0) return;
  const problem = 'names no one, nor does SERVICE_ADMIN_GROUPS: there is no administrator';
  logger.warn('a setting looks wrong', { variable: 'SERVICE_ADMIN_USERS', problem });
}

/**
 * Names the namespaces of the scope that do not exist, such as a misspelling. With rights in single namespaces it cannot
 * be found out, and the informer says which rights are missing.
 */
async function checkScope(
  { access }: Settings,
  namespaces: Cluster['namespaces'],
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  const { named } = access.namespaces;
  if (named.length === 0) return;
  const deadline = startDeadline(SCOPE_BUDGET_MS);
  try {
    if (!(await namespaces.mayBeListed(deadline))) return;
    const existing = new Set(await namespaces.names(deadline));
    const problem = 'names a namespace that does not exist';
    for (const namespace of named.filter((name) => !existing.has(name)))
      logger.warn('a setting looks wrong', { variable: 'SERVICE_NAMESPACES', namespace, problem });
  } catch {
    // The cluster does not answer, which is logged where every request is.
  }
}
