import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inWords, type Grant } from './grants.ts';
import type { ApiAnswer } from '../../harness/api-client.ts';
import type { InProcessStack } from '../../harness/in-process-stack.ts';
import { becomes, loseLabels } from '../replicas.ts';
import { addWorkloads, placeIn, type Place } from './everything.ts';
import { clientOf, grant, installation, startInstalled, whenSessionsAreRead } from './fixture.ts';

// One missing right at a time, for every right of an installation, and the two of the history together: what the service
// answers, that its log names the right, and that it goes on with everything else.

const INSTALLED = installation('install.yaml', 'restarted');

type Send = (place: Place) => Promise<ApiAnswer>;

const path = ({ secrets }: Place, rest = ''): string => secrets.path('a', rest);
/** Sent before the right is taken away. */
const revisionOf = async ({ secrets }: Place): Promise<string> => (await secrets.read('a')).resourceVersion;
const restart: Send = (place) => place.developer.post(path(place, '/restart'), {});
const consumers: Send = (place) => place.developer.get(path(place, '/consumers'));

/** Requests that cannot be done without the right: 503. */
const REFUSED: Readonly<Record<string, (place: Place, revision: string) => Promise<ApiAnswer>>> = {
  'get secrets': (place) => place.developer.get(path(place)),
  'list secrets': (place) => place.developer.get(path(place, '/versions')),
  'create secrets': ({ developer, secrets }) => developer.post(secrets.path(), { name: 'b' }),
  'update secrets': (place, resourceVersion) => place.developer.put(path(place), { resourceVersion }),
  'delete secrets': ({ developer, secrets }, revision) => developer.delete(secrets.deletePath('a', revision)),
  'get configmaps': (place) => place.developer.get(path(place)),
  'list cronjobs.batch': consumers,
  'list daemonsets.apps': consumers,
  'list deployments.apps': consumers,
  'list statefulsets.apps': consumers,
};

/** Requests that are done but for the one workload. */
const PARTLY = {
  'patch daemonsets.apps': { kind: 'DaemonSet', name: 'daemonset' },
  'patch deployments.apps': { kind: 'Deployment', name: 'deployment' },
  'patch statefulsets.apps': { kind: 'StatefulSet', name: 'statefulset' },
} as const;

/** What the service does on its own account: it lacks this from the start, and the API is none the worse for it. */
const UNASKED: Readonly<Record<string, (stack: InProcessStack, place: Place) => Promise<void>>> = {
  'watch secrets': () => Promise.resolve(),
  'patch secrets': async ({ kube }, { namespace, secrets }) => {
    await secrets.createWithHistory('b', 1);
    const [snapshot] = await kube.listSecrets(namespace, 'service.io/kind=history');
    await loseLabels(kube, namespace, snapshot?.metadata.name ?? '');
  },
  'list configmaps': async (_stack, { developer, namespace }) => {
    const { json } = await developer.get('/api/namespaces');
    const { namespaces } = json as { readonly namespaces: readonly object[] };
    // Few policies are read one by one.
    expect(namespaces).toContainEqual({ name: namespace, canCreate: true });
  },
  'watch configmaps': () => Promise.resolve(),
  // Without a list there is nothing to watch from, and none to answer with.
  'list namespaces': async (_stack, { admin }) => {
    expect((await admin.get('/api/namespaces')).status).toBe(503);
  },
  'watch namespaces': async (_stack, { admin, namespace }) => {
    const { json } = await admin.get('/api/namespaces');
    expect(json).toMatchObject({
      namespaces: expect.arrayContaining([{ name: namespace, canCreate: true }]) as object,
    });
  },
  'watch configmaps in secrets-management': () => Promise.resolve(),
  'get leases.coordination.k8s.io in secrets-management': () => Promise.resolve(),
  'create leases.coordination.k8s.io in secrets-management': () => Promise.resolve(),
  'update leases.coordination.k8s.io in secrets-management': () => Promise.resolve(),
  'list leases.coordination.k8s.io': () => Promise.resolve(),
};

/** Without it the service is not ready. Its own test is below. */
const LIST_REVOCATIONS = 'list configmaps in secrets-management';

it('what is tried here is every right that the service has', () => {
  const tried = [REFUSED, PARTLY, UNASKED].flatMap((table) => Object.keys(table)).concat(LIST_REVOCATIONS);
  expect(tried.toSorted()).toEqual(INSTALLED.grants.map(inWords).toSorted());
});

const grantOf = (words: string): Grant => {
  const found = INSTALLED.grants.find((one) => inWords(one) === words);
  if (found === undefined) throw new Error(`${words} is not granted`);
  return found;
};

/** Whether the log names the right at a level that is seen. */
const isNamed = ({ verb, resource }: Grant, lines: readonly Readonly<Record<string, unknown>>[]): boolean =>
  lines.some(({ level, reason }) => level === 'warn' && reason === `rbacForbidden:${verb}:${resource}`);

describe('a right that is taken away', () => {
  let stack: InProcessStack;
  let place: Place;
  beforeAll(async () => {
    stack = await startInstalled(INSTALLED);
    await whenSessionsAreRead(stack);
    place = await placeIn(stack, await stack.namespace());
    await place.secrets.createWithHistory('a', 1);
    await addWorkloads(stack, place.namespace);
  });
  afterAll(() => stack.close());

  /** Sends it without the right, and gives it back. @returns the answer and what was logged meanwhile */
  async function sendWithout(missing: Grant, send: () => Promise<ApiAnswer>) {
    const linesBefore = stack.logLines().length;
    await grant(clientOf(stack), INSTALLED.manifests, missing);
    const answer = await send();
    const probes = await Promise.all(['livez', 'readyz'].map((probe) => fetch(`${stack.opsUrl}/${probe}`)));
    await grant(clientOf(stack), INSTALLED.manifests);
    // Another replica would be forbidden just the same, so traffic is not sent elsewhere.
    expect(probes.map(({ status }) => status)).toEqual([200, 200]);
    return { answer, lines: stack.logLines().slice(linesBefore) };
  }

  it.each(Object.entries(REFUSED))(
    '%s: 503; the log names the right, the answer does not',
    async (words, send) => {
      const missing = grantOf(words);
      const revision = await revisionOf(place);
      const { answer, lines } = await sendWithout(missing, () => send(place, revision));
      expect(answer.status).toBe(503);
      expect(answer.json).toEqual({ error: expect.any(String) as string });
      expect(answer.text).not.toMatch(/rbacForbidden|system:serviceaccount|cannot /);
      expect(isNamed(missing, lines)).toBe(true);
      expect(await revisionOf(place)).toBe(revision);
    },
  );

  it.each(Object.entries(PARTLY))('%s: the others are restarted', async (words, workload) => {
    const missing = grantOf(words);
    const { answer, lines } = await sendWithout(missing, () => restart(place));
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      restarted: [{}, {}],
      failed: [{ ...workload, reason: 'forbidden' }],
    });
    expect(isNamed(missing, lines)).toBe(true);
  });
});

describe('a right that was never given', () => {
  it.each(Object.entries(UNASKED))('%s: the log names it, and the API goes on', async (words, act) => {
    const missing = grantOf(words);
    const stack = await startInstalled(INSTALLED, missing);
    try {
      await whenSessionsAreRead(stack);
      const place = await placeIn(stack, await stack.namespace());
      await act(stack, place);
      await becomes(() => isNamed(missing, stack.logLines()), true, 20_000);
      await place.secrets.create('c');
      expect((await place.developer.get(place.secrets.path())).status).toBe(200);
      expect((await fetch(`${stack.opsUrl}/readyz`)).status).toBe(200);
    } finally {
      await stack.close();
    }
  });
});

describe('the rights to watch and to patch Secrets', () => {
  it('are not needed for changes, whose archived state is confirmed all the same', async () => {
    const stack = await startInstalled(INSTALLED, grantOf('watch secrets'), grantOf('patch secrets'));
    try {
      await whenSessionsAreRead(stack);
      const { developer, secrets } = await placeIn(stack, await stack.namespace());
      const { resourceVersion } = await secrets.createWithHistory('a', 1);
      const restored = await developer.post(secrets.path('a', '/restore'), { resourceVersion, version: 1 });
      expect(restored.status).toBe(200);
      const patch = { resourceVersion: (await secrets.read('a')).resourceVersion, set: { key: 'three' } };
      expect((await developer.patch(secrets.path('a'), patch)).status).toBe(200);
      expect(await secrets.versions('a')).toEqual([3, 2]);
    } finally {
      await stack.close();
    }
  });
});

describe('the right to read who must sign in again', () => {
  const readiness = async ({ opsUrl }: InProcessStack) => (await fetch(`${opsUrl}/readyz`)).text();

  it('is named in the log, and the service is not ready until it is granted', async () => {
    const missing = grantOf(LIST_REVOCATIONS);
    const stack = await startInstalled(INSTALLED, missing);
    try {
      await becomes(() => isNamed(missing, stack.logLines()), true, 20_000);
      await becomes(() => readiness(stack), 'not ready: revocations (rbacForbidden)\n');
      await grant(clientOf(stack), INSTALLED.manifests);
      await becomes(() => readiness(stack), 'ok\n', 60_000);
    } finally {
      await stack.close();
    }
  });
});
