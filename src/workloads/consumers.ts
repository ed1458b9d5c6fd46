import type { Deadline } from '../timing/deadline.ts';
import type { AuthorizedSecret } from '../secrets/authorize.ts';
import { createConsumerLists } from './find-consumers.ts';
import type { WorkloadStore } from './ports.ts';
import { restartConsumers, type NamedWorkload, type RestartResult } from './restart-consumers.ts';
import type { Use } from './uses.ts';

/** The workloads that use a Secret. Every method takes an authorized Secret. */
export interface Consumers {
  /** Ordered by kind and name. */
  list(
    authorized: AuthorizedSecret,
    deadline: Deadline,
  ): Promise<readonly (NamedWorkload & { readonly uses: readonly Use[] })[]>;
  /** Restarts the named consumers, or all of them. */
  restart(
    authorized: AuthorizedSecret<'write'>,
    named: readonly NamedWorkload[] | undefined,
    deadline: Deadline,
  ): Promise<RestartResult>;
}

export interface ConsumersDependencies {
  readonly store: WorkloadStore;
  readonly now: () => Date;
  /** Counts a request that is refused because too many of its kind are waiting. */
  readonly countRefusal: (bound: 'workload_lists') => void;
}

/** The use cases of the consumers of Secrets. */
export function createConsumers({ store, now, countRefusal }: ConsumersDependencies): Consumers {
  const found = createConsumerLists(store, countRefusal);
  return {
    list: async ({ live }, deadline) => {
      const consumers = await found.join(live, deadline);
      return consumers.map(({ kind, name, uses }) => ({ kind, name, uses }));
    },
    restart: async ({ live }, named, deadline) => {
      const consumers = await found.join(live, deadline);
      return restartConsumers(store, { secret: live, consumers, named }, now(), deadline);
    },
  };
}
