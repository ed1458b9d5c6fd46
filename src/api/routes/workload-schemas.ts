import * as z from 'zod';
import { WORKLOAD_KINDS } from '../../workloads/ports.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { NamedWorkload } from '../../workloads/restart-consumers.ts';
import { isSecretName, NAME_RULE } from '../../contract/names.ts';
import { fullPath, parseBody } from '../runner/parse-body.ts';
import { requestBody } from '../runner/route.ts';

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

export const restartBody = z.strictObject({
  consumers: z.array(consumer, 'must be an array of objects of kind and name').optional().meta({
    description: 'Workloads that use the Secret; all of them when left out. Each is restarted once.',
  }),
});

/**
 * The workloads that a restart names; undefined for all of them: without a body, or without `consumers`.
 * @throws {ServiceError} `invalidRequest`, naming the field and the rule
 */
export function parseRestart(body: unknown): readonly NamedWorkload[] | undefined {
  if (body === undefined) return undefined;
  // Before the elements are checked: each invalid one creates an issue, and a body may hold millions of them.
  if (hasTooManyConsumers(body)) throw new ServiceError('invalidRequest', `consumers ${MOST_RULE}`);
  return parseBody(restartBody, body, { placeOf: fullPath }).consumers;
}

function hasTooManyConsumers(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'consumers')) return false;
  const { consumers } = body as { readonly consumers: unknown };
  return Array.isArray(consumers) && consumers.length > MOST_CONSUMERS;
}

export const restartRequest = requestBody({
  schema: restartBody,
  isRequired: false,
  parse: parseRestart,
  example: { consumers: [{ kind: 'Deployment', name: 'orders' }] },
});
