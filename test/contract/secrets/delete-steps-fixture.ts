import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import type { FaultRule } from '../../../hack/dev-cluster/faults/rule.ts';
import { ADMIN, type ApiAnswer, type ApiClient } from '../../harness/api-client.ts';
import { callsIn } from '../../harness/cluster-calls.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import { startInProcessStack, type InProcessStack } from '../../harness/in-process-stack.ts';
import { secretsOf, type SecretsClient } from '../../harness/secrets-client.ts';
import { annotation } from '../../harness/annotation.ts';

export const TOUCH = { metadata: { labels: { touched: 'meanwhile' } } };
export const HISTORY = annotation('kind=history');

export let stack: InProcessStack;
export let admin: ApiClient;
export let namespace: string;
export let secrets: SecretsClient;

/** What happens between two calls to the cluster can only be arranged on a cluster of the tests' own. */
export function orderedSteps(tests: () => void): void {
  describe.runIf(ON_DEV_CLUSTER)('the ordered steps of a deletion', () => {
    beforeAll(async () => {
      stack = await startInProcessStack({ reconciles: false });
      admin = await stack.client(ADMIN);
    });
    afterAll(() => stack.close());
    beforeEach(async () => {
      stack.dev.faults.clear();
      namespace = await stack.namespace();
      secrets = secretsOf(admin, namespace);
    });
    tests();
  });
}

/** Creates `a` with a history, forgets the calls so far, and says how `a` is deleted. */
export async function ready(snapshots: number, query = ''): Promise<() => Promise<ApiAnswer>> {
  const { resourceVersion } = await secrets.createWithHistory('a', snapshots);
  stack.between.forget();
  return () => admin.delete(secrets.deletePath('a', resourceVersion, query));
}
export const calls = () => callsIn(stack.between.passed, namespace);
export const snapshots = async (): Promise<readonly string[]> =>
  (await stack.kube.listSecrets(namespace, HISTORY)).map(({ metadata }) =>
    metadata.name.replace(/\.[0-9a-f]+$/, ''),
  );
export const live = () => stack.kube.getSecret(namespace, 'a');
export const fail = (match: FaultRule['match'], action: FaultRule['action'], skip = 0) =>
  stack.dev.faults.add({ match: { namespace, ...match }, action, skip });
/** A new request after the user has reloaded finishes the job. */
export async function retryDeletes(): Promise<void> {
  stack.dev.faults.clear();
  const { resourceVersion } = await secrets.read('a');
  const answer = await admin.delete(secrets.deletePath('a', resourceVersion));
  expect(answer.status, answer.text).toBe(200);
  expect(await live()).toBeUndefined();
  expect(await snapshots()).toEqual([]);
}
