import { ServiceError } from '../../errors/service-error.ts';
import type { Consumers } from '../../workloads/consumers.ts';
import { secretRoute, type ApiRoute } from '../runner/route.ts';
import { json } from '../runner/route-response.ts';
import { consumersResponse, restartResponse } from './response-schemas.ts';
import { NAMED } from './secret-paths.ts';
import { restartRequest } from './workload-schemas.ts';

const READ_BUDGET_MS = 15_000;
/** Consumers are restarted one after the other. */
const RESTART_BUDGET_MS = 30_000;
/** Names of workloads in an audit line. There may be thousands. */
const AUDITED_NAMES = 50;

/** Failures to list the workloads of a namespace. */
const LIST_ERRORS = ['listFailed', 'listInconsistent', 'listOverBudget', 'expired'] as const;

/** What an installation offers: without it the service has no rights for it either. */
export interface OfferedToConsumers {
  readonly consumersEnabled: boolean;
  readonly restartEnabled: boolean;
}

/** The workloads that use a Secret, and their restart. What is not offered is refused before any request to the cluster. */
export function consumerRoutes(
  consumers: Consumers,
  { consumersEnabled, restartEnabled }: OfferedToConsumers,
): readonly ApiRoute[] {
  return [
    listConsumersRoute(consumers, () => {
      if (consumersEnabled) return;
      throw new ServiceError('notConfigured', 'Consumers are not enabled', { reason: 'consumersDisabled' });
    }),
    restartRoute(consumers, () => {
      if (restartEnabled) return;
      throw new ServiceError('notConfigured', 'Restart is not enabled', { reason: 'restartDisabled' });
    }),
  ];
}

function listConsumersRoute(consumers: Pick<Consumers, 'list'>, requireOffered: () => void): ApiRoute {
  return secretRoute({
    method: 'GET',
    path: `${NAMED}/consumers`,
    access: 'secret',
    level: 'read',
    action: 'secret.consumers',
    requireOffered,
    budgetMs: READ_BUDGET_MS,
    operationId: 'listConsumers',
    tag: 'Consumers',
    summary: 'List the workloads whose pods use the Secret',
    description:
      'Deployments, StatefulSets, DaemonSets and CronJobs of the namespace whose pod template names the Secret.',
    responses: {
      200: json({
        description: 'The workloads, and how they use the Secret.',
        schema: consumersResponse,
        example: { consumers: [{ kind: 'Deployment', name: 'orders', uses: ['env'] }] },
      }),
    },
    errors: LIST_ERRORS,
    async handle({ secret, deadline }) {
      return { status: 200, json: { consumers: await consumers.list(secret, deadline) } };
    },
  });
}

function restartRoute(consumers: Pick<Consumers, 'restart'>, requireOffered: () => void): ApiRoute {
  return secretRoute({
    method: 'POST',
    path: `${NAMED}/restart`,
    access: 'secret',
    level: 'write',
    action: 'secret.restart',
    body: restartRequest,
    requireOffered,
    budgetMs: RESTART_BUDGET_MS,
    operationId: 'restartConsumers',
    tag: 'Consumers',
    summary: 'Restart workloads that use the Secret, all of them or those that are named',
    description:
      'Without a body, all of them. Nothing is restarted unless every name is a consumer; one that fails does not stop the others.',
    responses: {
      200: json({
        description: 'What became of each workload.',
        schema: restartResponse,
        example: { restarted: [{ kind: 'Deployment', name: 'orders' }], failed: [] },
      }),
    },
    errors: [...LIST_ERRORS, 'invalidSecret'],
    async handle({ secret, input, deadline, audit }) {
      const { restarted, failed } = await consumers.restart(secret, input(), deadline);
      audit.restarted = restarted.length;
      audit.failed = failed.length;
      const names = restarted.slice(0, AUDITED_NAMES).map(({ kind, name }) => `${kind}/${name}`);
      if (names.length > 0) audit.workloads = names.join(',');
      return { status: 200, json: { restarted, failed } };
    },
  });
}
