import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVICE_USER } from '../../../hack/demo/service-account.ts';
import { covers, inWords } from './grants.ts';
import type { InProcessStack } from '../../harness/in-process-stack.ts';
import { becomes } from '../replicas.ts';
import { doEverything, placeIn } from './everything.ts';
import { installation, reviewsTokens, sendAsPod, startInstalled, whenSessionsAreRead } from './fixture.ts';

/** Not a resource: every signed-in account may read it (role `system:public-info-viewer`). */
const VERSION = '/version';

describe.each([
  ['install.yaml', installation('install.yaml', 'none')],
  ['install.yaml with consumers', installation('install.yaml', 'listed')],
  ['install.yaml with restarts', installation('install.yaml', 'restarted')],
  ['install.yaml with token-review', installation('install.yaml with token-review', 'none')],
  ['install-namespaced.yaml', installation('install-namespaced.yaml', 'none')],
  ['install-namespaced.yaml with restarts', installation('install-namespaced.yaml', 'restarted')],
])('the rights of %s', (_name, installed) => {
  let stack: InProcessStack;
  const calls = () => stack.dev.requests.list().filter(({ user }) => user === SERVICE_USER);
  const unused = () => installed.grants.filter((grant) => !calls().some((call) => covers(grant, call)));

  beforeAll(async () => {
    stack = await startInstalled(installed);
    await whenSessionsAreRead(stack);
    if (reviewsTokens(installed.grants)) await sendAsPod(stack);
    for (const namespace of installed.namespaces ?? [await stack.namespace()]) {
      await doEverything(stack, await placeIn(stack, namespace), installed.workloads);
    }
  }, 120_000);
  afterAll(() => stack.close());

  it('are used, every single one', async () => {
    // The Lease is renewed in its own time.
    await becomes(() => unused().map(inWords), [], 20_000);
  });

  it('are enough: nothing is requested beyond them', () => {
    const beyond = calls().filter((call) => !installed.grants.some((grant) => covers(grant, call)));
    expect(beyond.filter(({ path }) => path !== VERSION)).toEqual([]);
    expect(calls().filter(({ status }) => status === 401 || status === 403)).toEqual([]);
  });

  it('make as many watches as the metrics say: one for everything, or one for each namespace', async () => {
    const lines = (await (await fetch(`${stack.opsUrl}/metrics`)).text()).split('\n');
    const count = installed.namespaces?.length ?? 1;
    expect(lines).toContain('service_watches{informer="revocations"} 1');
    for (const informer of ['secrets', 'policies']) {
      expect(lines).toContain(`service_watches{informer="${informer}"} ${count}`);
    }
  });

  it('name every verb and kind by itself', () => {
    const words = installed.grants.map(inWords);
    expect(words.filter((word) => word.includes('*'))).toEqual([]);
    expect(new Set(words).size).toBe(words.length);
  });
});

it('namespaced rights are cluster-wide nowhere', () => {
  const { grants, manifests } = installation('install-namespaced.yaml', 'restarted');
  expect(grants.filter(({ namespace }) => namespace === undefined)).toEqual([]);
  expect(manifests.filter(({ kind }) => kind.startsWith('ClusterRole'))).toEqual([]);
});
