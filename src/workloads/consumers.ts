import type { Deadline } from '../timing/deadline.ts';
import { SharedRuns } from '../timing/shared-runs.ts';
import { isServiceError, ServiceError, type ErrorCode } from '../errors/service-error.ts';
import { collectPages } from '../kube/collect.ts';
import type { SecretRef } from '../kube/secret.ts';
import type { AuthorizedSecret } from '../secrets/authorize.ts';
import { WORKLOAD_KINDS, type Workload, type WorkloadRef, type WorkloadStore } from './ports.ts';
import { consumerOf, type Consumer } from './uses.ts';

/** A workload as a client names it; the namespace is the Secret's. */
export type NamedWorkload = Pick<WorkloadRef, 'kind' | 'name'>;

export type Consumers = ReturnType<typeof createConsumers>;

/** Lists at once. Each has all workloads of a namespace, four kinds in order. */
const AT_ONCE = 4;

/** The workloads that use a Secret. Every use case takes an authorized Secret. */
export function createConsumers(store: WorkloadStore, now: () => Date) {
  /** Concurrent requests share one list, which begins after all of them. */
  const found = new SharedRuns({
    keyOf: ({ namespace, name }: SecretRef) => `${namespace}/${name}`,
    run: (secret, deadline: Deadline) => findConsumers(store, secret, deadline),
    atOnce: AT_ONCE,
    deadlineExceeded: () =>
      new ServiceError('listFailed', 'The list of workloads could not be collected', {
        reason: 'deadlineExceeded',
      }),
  });
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
    /**
     * Restarts the named consumers, or all of them, each once. Nothing is restarted unless all named workloads are
     * consumers; after that a failure does not stop the others. The Jobs of a CronJob read the Secret when they start, so a
     * CronJob is skipped. The result names each workload, in the order of kind and name.
     */
    restart: async (
      { live }: AuthorizedSecret<'write'>,
      named: readonly NamedWorkload[] | undefined,
      deadline: Deadline,
    ) => {
      const consumers = chosen(await found.join(live, deadline), named);
      const restart = { secretName: live.name, at: now() };
      const restarted: NamedWorkload[] = [];
      const failed: (NamedWorkload & { readonly reason: RestartFailure })[] = [];
      for (const consumer of consumers) {
        if (consumer.kind === 'CronJob') continue;
        const { kind, name } = consumer;
        const reason = await restartOne(store, consumer, restart, deadline).catch(failureOf);
        if (reason === undefined) restarted.push({ kind, name });
        else failed.push({ kind, name, reason });
      }
      return { restarted, failed };
    },
  };
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

/** @throws {ServiceError} `invalidSecret` for a name that is no consumer */
function chosen(consumers: readonly Consumer[], named: readonly NamedWorkload[] | undefined) {
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
