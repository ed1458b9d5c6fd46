import type { Deadline } from '../timing/deadline.ts';
import { isServiceError, ServiceError, type ErrorCode } from '../errors/service-error.ts';
import type { SecretRef } from '../kube/secret.ts';
import { consumerOf, type Consumer } from './uses.ts';
import type { WorkloadKind, WorkloadStore } from './ports.ts';

/** A workload as a client names it; the namespace is the Secret's. */
export interface NamedWorkload {
  readonly kind: WorkloadKind;
  readonly name: string;
}

/** What is to be restarted. */
interface RestartRequest {
  readonly secret: SecretRef;
  /** All consumers of the Secret, ordered by kind and name. */
  readonly consumers: readonly Consumer[];
  /** Undefined for all of them. */
  readonly named: readonly NamedWorkload[] | undefined;
}

/**
 * Restarts consumers of a Secret: the named ones, each once, or all. Nothing is restarted unless all named workloads
 * are consumers; after that a failure does not stop the others. The Jobs of a CronJob read the Secret when they start,
 * so a CronJob is skipped. The result names each workload, in the order of kind and name.
 *
 * @throws {ServiceError} `invalidSecret` for a name that is no consumer
 */
export async function restartConsumers(
  store: WorkloadStore,
  { secret, consumers, named }: RestartRequest,
  at: Date,
  deadline: Deadline,
) {
  const restarted: NamedWorkload[] = [];
  const failed: (NamedWorkload & { readonly reason: RestartFailure })[] = [];
  for (const consumer of chosen(consumers, named)) {
    if (consumer.kind === 'CronJob') continue;
    const { kind, name } = consumer;
    const request = { secretName: secret.name, at };
    const reason = await restartOne(store, consumer, request, deadline).catch(failureOf);
    if (reason === undefined) restarted.push({ kind, name });
    else failed.push({ kind, name, reason });
  }
  return { restarted, failed };
}

function chosen(
  consumers: readonly Consumer[],
  named: readonly NamedWorkload[] | undefined,
): readonly Consumer[] {
  if (named === undefined) return consumers;
  const wanted = new Set(named.map(keyOf));
  const found = consumers.filter((consumer) => wanted.has(keyOf(consumer)));
  if (found.length === wanted.size) return found;
  throw new ServiceError('invalidSecret', 'consumers names a workload that does not use this Secret', {
    reason: 'noConsumer',
  });
}

function keyOf({ kind, name }: NamedWorkload): string {
  return `${kind}/${name}`;
}

/** Why a workload was not restarted, or (`uncertain`) may not have been. docs/api.md describes each. */
export const FAILURES = [
  'paused',
  'notFound',
  'replaced',
  'noConsumer',
  'conflict',
  'forbidden',
  'rejected',
  'unavailable',
  'uncertain',
] as const;

type RestartFailure = (typeof FAILURES)[number];

/** A workload that changes all the time fails: its status alone may change several times a second. */
const MAX_ATTEMPTS = 3;

/**
 * Restarts one workload as it was read, or its current revision if it has changed meanwhile and is still a consumer.
 * @returns why it was not restarted; undefined when it was
 */
async function restartOne(
  store: Pick<WorkloadStore, 'read' | 'restart'>,
  consumer: Consumer,
  { secretName, at }: { readonly secretName: string; readonly at: Date },
  deadline: Deadline,
): Promise<RestartFailure | undefined> {
  let current = consumer;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    // The template of a paused Deployment can be changed, but is not rolled out. kubectl refuses, too.
    if (current.paused) return 'paused';
    const failure = await store.restart(current, at, deadline).then(() => undefined, failureOf);
    // Someone else has changed it since it was read.
    if (failure !== 'conflict') return failure;
    const now = await store.read(consumer, deadline);
    if (now === undefined) return 'notFound';
    if (now.uid !== consumer.uid) return 'replaced';
    current = consumerOf(now, secretName);
    if (current.uses.length === 0) return 'noConsumer';
  }
  return 'conflict';
}

const FAILURE_OF: Readonly<Partial<Record<ErrorCode, RestartFailure>>> = {
  notFound: 'notFound',
  conflict: 'conflict',
  rbacForbidden: 'forbidden',
  admissionRefused: 'forbidden',
  rejected: 'rejected',
  tooLarge: 'rejected',
  uncertain: 'uncertain',
};

/** Every other failure leaves the workload unchanged. Only ServiceErrors have a result; a bug is thrown. */
function failureOf(error: unknown): RestartFailure {
  if (!isServiceError(error)) throw error;
  return FAILURE_OF[error.code] ?? 'unavailable';
}
