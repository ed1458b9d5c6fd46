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

/** The service in this process, and the Secrets of a namespace that each test has to itself. */
interface Here {
  readonly stack: InProcessStack;
  readonly admin: ApiClient;
  readonly namespace: string;
  readonly secrets: SecretsClient;
}

/** What happens between two calls to the cluster can only be arranged on a cluster of the tests' own. */
export function orderedSteps(tests: (fixture: ReturnType<typeof stepsOf>) => void): void {
  describe.runIf(ON_DEV_CLUSTER)('the ordered steps of a deletion', () => {
    const here = {} as Here;
    beforeAll(async () => {
      const stack = await startInProcessStack({ reconciles: false });
      Object.assign(here, { stack, admin: await stack.client(ADMIN) });
    });
    afterAll(() => here.stack.close());
    beforeEach(async () => {
      here.stack.dev.faults.clear();
      const namespace = await here.stack.namespace();
      Object.assign(here, { namespace, secrets: secretsOf(here.admin, namespace) });
    });
    tests(stepsOf(here));
  });
}

function stepsOf(here: Here) {
  const live = () => here.stack.kube.getSecret(here.namespace, 'a');
  const snapshots = async (): Promise<readonly string[]> =>
    (await here.stack.kube.listSecrets(here.namespace, HISTORY)).map(({ metadata }) =>
      metadata.name.replace(/\.[0-9a-f]+$/, ''),
    );
  return {
    here,
    live,
    snapshots,
    /** Creates `a` with a history, forgets the calls so far, and says how `a` is deleted. */
    ready: async (count: number, query = ''): Promise<() => Promise<ApiAnswer>> => {
      const { resourceVersion } = await here.secrets.createWithHistory('a', count);
      here.stack.between.forget();
      return () => here.admin.delete(here.secrets.deletePath('a', resourceVersion, query));
    },
    calls: () => callsIn(here.stack.between.passed, here.namespace),
    fail: (match: FaultRule['match'], action: FaultRule['action'], skip = 0) =>
      here.stack.dev.faults.add({ match: { namespace: here.namespace, ...match }, action, skip }),
    /** A new request after the user has reloaded finishes the job. */
    retryDeletes: async (): Promise<void> => {
      here.stack.dev.faults.clear();
      const { resourceVersion } = await here.secrets.read('a');
      const answer = await here.admin.delete(here.secrets.deletePath('a', resourceVersion));
      expect(answer.status, answer.text).toBe(200);
      expect(await live()).toBeUndefined();
      expect(await snapshots()).toEqual([]);
    },
  };
}
