import type { Deadline } from '../timing/deadline.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { SecretRef } from '../kube/secret.ts';
import type { Consumer } from './uses.ts';
import type { WorkloadKind, WorkloadStore } from './ports.ts';
import { restartOne, type RestartFailure } from './restart-one.ts';

/** A workload as a client names it; the namespace is the Secret's. */
export interface NamedWorkload {
  readonly kind: WorkloadKind;
  readonly name: string;
}

/** What is to be restarted. */
export interface RestartRequest {
  readonly secret: SecretRef;
  /** All consumers of the Secret, ordered by kind and name. */
  readonly consumers: readonly Consumer[];
  /** Undefined for all of them. */
  readonly named: readonly NamedWorkload[] | undefined;
}

/** The result for each workload, in the order of kind and name. */
export interface RestartResult {
  readonly restarted: readonly NamedWorkload[];
  readonly failed: readonly (NamedWorkload & { readonly reason: RestartFailure })[];
}

/**
 * Restarts consumers of a Secret: the named ones, each once, or all. Nothing is restarted unless all named workloads
 * are consumers; after that a failure does not stop the others. The Jobs of a CronJob read the Secret when they start,
 * so a CronJob is skipped.
 *
 * @throws {ServiceError} `invalidSecret` for a name that is no consumer
 */
export async function restartConsumers(
  store: WorkloadStore,
  { secret, consumers, named }: RestartRequest,
  at: Date,
  deadline: Deadline,
): Promise<RestartResult> {
  const restarted: NamedWorkload[] = [];
  const failed: (NamedWorkload & { readonly reason: RestartFailure })[] = [];
  for (const consumer of chosen(consumers, named)) {
    if (consumer.kind === 'CronJob') continue;
    const { kind, name } = consumer;
    const reason = await restartOne(store, consumer, { secretName: secret.name, at }, deadline);
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
