import * as z from 'zod';
import { WORKLOAD_KINDS } from '../consumers/ports.ts';
import type { NamedWorkload } from '../consumers/restart-consumers.ts';
import { isSecretName, NAME_RULE } from '../secrets/names.ts';
import { fullPath, parseBody } from './parse-body.ts';

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
 * The workloads that a restart names; undefined when it means all: without a body, or without `consumers`.
 * @throws {ServiceError} `invalidRequest`, naming the field and the rule
 */
export function parseRestart(body: unknown): readonly NamedWorkload[] | undefined {
  return body === undefined ? undefined : parseBody(restartBody, body, { placeOf: fullPath }).consumers;
}
