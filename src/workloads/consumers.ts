import type { Deadline } from '../timing/deadline.ts';
import { SharedRuns } from '../timing/shared-runs.ts';
import { ServiceError } from '../errors/service-error.ts';
import { collectPages } from '../kube/collect.ts';
import type { SecretRef } from '../kube/secret.ts';
import type { AuthorizedSecret } from '../secrets/authorize.ts';
import { WORKLOAD_KINDS, type Workload, type WorkloadStore } from './ports.ts';
import { restartConsumers, type NamedWorkload } from './restart-consumers.ts';
import { consumerOf, type Consumer } from './uses.ts';

export type Consumers = ReturnType<typeof createConsumers>;

/** The workloads that use a Secret. Every use case takes an authorized Secret. */
export function createConsumers(store: WorkloadStore, now: () => Date) {
  const found = createConsumerLists(store);
  return {
    /** Ordered by kind and name, with the progress of their rollouts if that is wanted. */
    list: async (
      { live }: AuthorizedSecret,
      { progress }: { readonly progress: boolean },
      deadline: Deadline,
    ) => {
      const consumers = await found.join(live, deadline);
      return consumers.map(({ kind, name, uses, rollout }) => ({
        kind,
        name,
        uses,
        ...(progress && rollout !== undefined && { rollout }),
      }));
    },
    /** Restarts the named consumers, or all of them. */
    restart: async (
      { live }: AuthorizedSecret<'write'>,
      named: readonly NamedWorkload[] | undefined,
      deadline: Deadline,
    ) => {
      const consumers = await found.join(live, deadline);
      return restartConsumers(store, { secret: live, consumers, named }, now(), deadline);
    },
  };
}

/** Each lists all workloads of a namespace, four kinds in order. */
const AT_ONCE = 4;

/**
 * The consumers of a Secret. Concurrent requests share one list, which begins after all of them.
 *
 * @throws {ServiceError} as {@link findConsumers}
 */
export function createConsumerLists(
  store: Pick<WorkloadStore, 'listPage'>,
): SharedRuns<SecretRef, readonly Consumer[]> {
  return new SharedRuns({
    keyOf: ({ namespace, name }) => `${namespace}/${name}`,
    run: (secret: SecretRef, deadline) => findConsumers(store, secret, deadline),
    atOnce: AT_ONCE,
    deadlineExceeded: () =>
      new ServiceError('listFailed', 'The list of workloads could not be collected', {
        reason: 'deadlineExceeded',
      }),
  });
}

/**
 * The workloads of the Secret's namespace whose pods use it, ordered by kind and name. Each kind is collected
 * completely or not at all, within the budgets of one collection.
 *
 * @throws {ServiceError} `listFailed`, `listInconsistent` or `listOverBudget`
 */
export async function findConsumers(
  store: Pick<WorkloadStore, 'listPage'>,
  { namespace, name }: SecretRef,
  deadline: Deadline,
): Promise<readonly Consumer[]> {
  const found: Consumer[] = [];
  for (const kind of WORKLOAD_KINDS) {
    const { items } = await collectPages({
      subject: 'workloads',
      listPage: (query) => store.listPage(kind, namespace, query, deadline),
      keep: (workload: Workload) => consumerOf(workload, name),
    });
    const consumers = items.filter(({ uses }) => uses.length > 0);
    found.push(...consumers.sort((one, other) => (one.name < other.name ? -1 : 1)));
  }
  return found;
}
