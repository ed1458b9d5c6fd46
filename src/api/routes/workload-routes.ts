import { ServiceError } from '../../errors/service-error.ts';
import { requestBody } from '../runner/request-body.ts';
import { json, secretRoute, type ApiRoute } from '../runner/route.ts';
import { flag, parseQuery } from './query-parameters.ts';
import { LIST_ERRORS, NAMED } from './secret-record.ts';
import * as z from 'zod';
import { ROLLOUT_REASONS, WORKLOAD_KINDS } from '../../workloads/ports.ts';
import { FAILURES } from '../../workloads/consumers.ts';
import { USES } from '../../workloads/uses.ts';
import { isSecretName, NAME_RULE } from '../../contract/names.ts';

/** Far more workloads than use one Secret in a namespace. */
const MOST_CONSUMERS = 5_000;
const MOST_RULE = 'must have at most 5,000 entries';
const KIND_RULE = `must be one of ${WORKLOAD_KINDS.join(', ')}`;

const consumer = z.strictObject(
  {
    kind: z.enum(WORKLOAD_KINDS, KIND_RULE),
    // A workload's name follows the same rule as a Secret's: a DNS subdomain.
    name: z.string('is required and must be a string').refine(isSecretName, NAME_RULE),
  },
  'must be an object of kind and name, and nothing else',
);

const consumers = z
  .preprocess(
    (given, context) => {
      // Before the elements are checked: each invalid one creates an issue.
      if (Array.isArray(given) && given.length > MOST_CONSUMERS) context.addIssue(MOST_RULE);
      return given;
    },
    z.array(consumer, 'must be an array of objects of kind and name'),
  )
  .optional()
  .describe('Workloads that use the Secret, each restarted once; all of them when left out.');

/** The workloads that a restart names; all of them without a body, or without `consumers`. */
export const restartRequest = requestBody({
  fields: { consumers },
  isOptional: true,
  example: { consumers: [{ kind: 'Deployment', name: 'orders' }] },
});

/** Names of workloads in an audit line. There may be thousands. */
const AUDITED_NAMES = 50;

const workload = z.strictObject({ kind: z.enum(WORKLOAD_KINDS), name: z.string() }).meta({ id: 'Workload' });

const rollout = z
  .strictObject({
    desired: z.int().min(0).describe('Pods that are to be of the last change.'),
    updated: z.int().min(0).describe('Pods that are; 0 until the controller has observed the change.'),
    available: z.int().min(0).describe('Pods that are available, of whatever change.'),
    done: z.boolean().describe('Whether `kubectl rollout status` would wait no longer.'),
    reason: z.enum(ROLLOUT_REASONS).optional().describe('Why it does not finish by itself.'),
  })
  .meta({ id: 'Rollout', description: 'How far the last change of the pods is.' });

const consumersResponse = z.strictObject({
  consumers: z
    .array(
      z.strictObject({
        ...workload.shape,
        uses: z.array(z.enum(USES)).min(1),
        rollout: rollout.optional().describe('With `progress=true`, of all kinds but CronJob.'),
      }),
    )
    .describe('Ordered by kind and name.'),
});
const restartResponse = z.strictObject({
  restarted: z.array(workload),
  failed: z.array(z.strictObject({ ...workload.shape, reason: z.enum(FAILURES) })),
});

const consumersQuery = z.object({
  progress: flag('true').optional().describe('`true` adds how far the rollout of each workload is.'),
});

/** The workloads that use a Secret, and their restart. What is not offered is refused before any request to the cluster. */
export const consumerRoutes: readonly ApiRoute[] = [
  secretRoute({
    method: 'GET',
    path: `${NAMED}/consumers`,
    level: 'read',
    action: 'secret.consumers',
    requireOffered({ consumersEnabled }) {
      if (consumersEnabled) return;
      throw new ServiceError('notConfigured', 'Consumers are not enabled', { reason: 'consumersDisabled' });
    },
    operationId: 'listConsumers',
    tag: 'Consumers',
    summary: 'List the workloads whose pods use the Secret',
    description: 'Deployments, StatefulSets, DaemonSets and CronJobs whose pod template names the Secret.',
    query: consumersQuery,
    responses: { 200: json('The workloads, and how they use the Secret.', consumersResponse) },
    errors: LIST_ERRORS,
    async handle({ services: { consumers }, secret, query, deadline }) {
      const { progress = false } = parseQuery(consumersQuery, query);
      return { status: 200, json: { consumers: await consumers.list(secret, { progress }, deadline) } };
    },
  }),
  secretRoute({
    method: 'POST',
    path: `${NAMED}/restart`,
    level: 'write',
    action: 'secret.restart',
    body: restartRequest,
    requireOffered({ restartEnabled }) {
      if (restartEnabled) return;
      throw new ServiceError('notConfigured', 'Restart is not enabled', { reason: 'restartDisabled' });
    },
    operationId: 'restartConsumers',
    tag: 'Consumers',
    summary: 'Restart workloads that use the Secret, all of them or those that are named',
    description:
      'Without a body, all of them. Nothing is restarted unless every name is a consumer; one that fails does not stop the others.',
    responses: { 200: json('What became of each workload.', restartResponse) },
    errors: [...LIST_ERRORS, 'invalidSecret'],
    async handle({ services: { consumers }, secret, input, deadline, audit }) {
      const { restarted, failed } = await consumers.restart(secret, input().consumers, deadline);
      audit.restarted = restarted.length;
      audit.failed = failed.length;
      const names = restarted.slice(0, AUDITED_NAMES).map(({ kind, name }) => `${kind}/${name}`);
      if (names.length > 0) audit.workloads = names.join(',');
      return { status: 200, json: { restarted, failed } };
    },
  }),
];
