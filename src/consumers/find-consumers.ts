import type { Call } from '../calls/call.ts';
import { collectPages } from '../history/collect.ts';
import type { PageRequest, SecretRef } from '../history/ports.ts';
import { consumerOf, type Consumer } from './consumer.ts';
import { WORKLOAD_KINDS, type WorkloadStore } from './ports.ts';

/**
 * The workloads of the Secret's namespace whose pods use it, ordered by kind and name. They are collected completely
 * or not at all: each kind within the budgets of one collection.
 *
 * @throws {ServiceError} `listFailed`, `listInconsistent` or `listOverBudget`
 */
export async function findConsumers(
  store: Pick<WorkloadStore, 'listPage'>,
  { namespace, name }: SecretRef,
  call: Call,
): Promise<readonly Consumer[]> {
  const found: Consumer[] = [];
  for (const kind of WORKLOAD_KINDS) {
    const listPage = async (request: PageRequest) => {
      const page = await store.listPage(kind, namespace, request, call);
      return { ...page, items: page.items.map((workload) => consumerOf(workload, name)) };
    };
    const { items } = await collectPages('workloads', listPage);
    const consumers = items.filter(({ uses }) => uses.length > 0);
    found.push(...consumers.sort((one, other) => (one.name < other.name ? -1 : 1)));
  }
  return found;
}
