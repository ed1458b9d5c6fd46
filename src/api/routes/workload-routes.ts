import { ServiceError } from '../../errors/service-error.ts';
import { parseRestart } from './workload-schemas.ts';
import type { Consumers } from '../../workloads/consumers.ts';
import type { Route } from '../http/routes.ts';
import { NAMED } from './secret-paths.ts';

const READ_BUDGET_MS = 15_000;
/** Consumers are restarted one after the other. */
const RESTART_BUDGET_MS = 30_000;
/** Names of workloads in an audit line; there may be thousands. */
const AUDITED_NAMES = 50;

/**
 * The workloads that use a Secret, and their restart. Where restart is not enabled the service has no rights for
 * either, so both are refused before the cluster is asked anything.
 */
export function consumerRoutes(consumers: Consumers, enabled: boolean): readonly Route[] {
  const requireOffered = () => {
    if (enabled) return;
    throw new ServiceError('notConfigured', 'Restart is not enabled', { reason: 'restartDisabled' });
  };
  return [
    {
      method: 'GET',
      path: `${NAMED}/consumers`,
      access: 'secret',
      action: 'secret.consumers',
      requireOffered,
      budgetMs: READ_BUDGET_MS,
      async handle({ secret, call }) {
        return { status: 200, json: { consumers: await consumers.list(secret, call) } };
      },
    },
    {
      method: 'POST',
      path: `${NAMED}/restart`,
      access: 'secret',
      action: 'secret.restart',
      body: 'json, or none',
      requireOffered,
      budgetMs: RESTART_BUDGET_MS,
      async handle({ secret, body, call, audit }) {
        const result = await consumers.restart(secret, parseRestart(body), call);
        const { restarted, failed } = result;
        audit.restarted = restarted.length;
        audit.failed = failed.length;
        const names = restarted.slice(0, AUDITED_NAMES).map(({ kind, name }) => `${kind}/${name}`);
        if (names.length > 0) audit.workloads = names.join(',');
        return { status: 200, json: { restarted, failed } };
      },
    },
  ];
}
