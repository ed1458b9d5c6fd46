import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseCredentials } from '../../../src/cluster/credentials/credentials.ts';
import { errorOf, jsonOf } from '../../harness/answers.ts';
import { ADMIN, type ApiClient } from '../../harness/api-client.ts';
import type { PassingRequest } from '../../harness/interception.ts';
import { startInProcessStack, type InProcessStack } from '../../harness/in-process-stack.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { createWorkloadsClient, RESOURCES, usingEnv, type WorkloadsClient } from '../../harness/workloads.ts';

/** What happens in between: other writers, a cluster that fails. */

const PLANTED = 'planted-4711';
const WEB = { kind: 'Deployment', name: 'web' } as const;
const API = { kind: 'Deployment', name: 'api' } as const;
const QUEUE = { kind: 'StatefulSet', name: 'queue' } as const;

let stack: InProcessStack;
let client: ApiClient;
let hurried: ApiClient;
let namespace: string;
let workloads: WorkloadsClient;
const clients: WorkloadsClient[] = [];

beforeAll(async () => {
  stack = await startInProcessStack({ env: { SERVICE_RESTART_ENABLED: 'true' }, reconciles: false });
  client = await stack.client(ADMIN);
  hurried = await (await stack.another({ attemptTimeoutMs: 2_000 })).client(ADMIN);
});
afterAll(async () => {
  await Promise.all(clients.map((one) => one.close()));
  await stack.close();
});
beforeEach(async () => {
  stack.dev.faults.clear();
  namespace = await stack.namespace();
  workloads = createWorkloadsClient(parseCredentials(stack.dev.kubeconfig()), namespace);
  clients.push(workloads);
  await stack.kube.createSecret(namespace, nativeSecret('db', { key: 'value' }));
  for (const { kind, name } of [WEB, API, QUEUE]) await workloads.create(kind, name, usingEnv('db'));
});

const restart = async (by = client, body: object = {}) =>
  jsonOf(await by.post(secretsPath(namespace, 'db', 'restart'), body), 200);
const pathOf = ({ kind, name }: typeof WEB | typeof API | typeof QUEUE) =>
  `/apis/apps/v1/namespaces/${namespace}/${RESOURCES[kind].plural}/${name}`;
const isPatchOf =
  (workload: typeof WEB) =>
  ({ method, path }: PassingRequest) =>
    method === 'PATCH' && path === pathOf(workload);
const restartedAt = ({ kind, name }: typeof WEB | typeof API | typeof QUEUE) =>
  workloads.restartedAt(kind, name);
/** What is left when the Deployment `web` failed. */
const othersRestarted = (reason: string) => ({
  restarted: [API, QUEUE],
  failed: [{ ...WEB, reason }],
});

describe('the calls of a restart', () => {
  const calls = () =>
    stack.between.passed
      .filter(({ path }) => path.includes(`/namespaces/${namespace}/`))
      .map(({ method, path }) => `${method} ${path.split('/').slice(-1).join()}`);

  it('are the Secret, one list of each kind, and one patch of each workload, which carries uid and revision', async () => {
    stack.between.forget();
    await restart();
    expect(calls()).toEqual([
      'GET db',
      'GET cronjobs',
      'GET daemonsets',
      'GET deployments',
      'GET statefulsets',
      'PATCH api',
      'PATCH web',
      'PATCH queue',
    ]);
    for (const { method, body } of stack.between.passed) {
      if (method !== 'PATCH') continue;
      expect(body).toMatchObject({
        metadata: { uid: expect.any(String) as string, resourceVersion: expect.any(String) as string },
      });
      expect(Object.keys(body as object)).toEqual(['metadata', 'spec']);
    }
  });

  it('are lists and nothing else when a name is wrong, or nothing is to be done', async () => {
    stack.between.forget();
    const path = secretsPath(namespace, 'db', 'restart');
    errorOf(await client.post(path, { consumers: [WEB, { kind: 'DaemonSet', name: 'web' }] }), 422);
    await restart(client, { consumers: [] });
    expect(stack.between.passed.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('list at most 500 workloads of a kind at once', async () => {
    stack.between.forget();
    await client.get(secretsPath(namespace, 'db', 'consumers'));
    const lists = stack.between.passed.filter(({ path }) => path.includes('/apis/'));
    expect(lists.map(({ query }) => query.get('limit'))).toEqual(['500', '500', '500', '500']);
  });
});

describe('a workload that changes between the list and its restart', () => {
  const before = (act: () => Promise<unknown>) => {
    stack.between.before(isPatchOf(WEB), act);
  };
  const label = (value: string) => workloads.patch('Deployment', 'web', { metadata: { labels: { value } } });

  it('is read again and restarted when it is a consumer still; what was changed stays', async () => {
    before(() => label('changed'));
    expect(await restart()).toEqual({ restarted: [API, WEB, QUEUE], failed: [] });
    const native = await workloads.get('Deployment', 'web');
    expect(native?.metadata).toMatchObject({ labels: { value: 'changed' } });
    expect(await restartedAt(WEB)).toBeDefined();
  });

  it('again and again is reported as a conflict, after three attempts', async () => {
    for (const value of ['1', '2', '3']) before(() => label(value));
    stack.between.forget();
    expect(await restart()).toEqual(othersRestarted('conflict'));
    expect(stack.between.passed.filter(isPatchOf(WEB))).toHaveLength(3);
    expect(await restartedAt(WEB)).toBeUndefined();
  });

  it('that is deleted is reported as not found', async () => {
    before(() => workloads.remove('Deployment', 'web'));
    expect(await restart()).toEqual(othersRestarted('notFound'));
  });

  it('that is recreated under its name is never touched, though it is a consumer, too', async () => {
    before(async () => {
      await workloads.remove('Deployment', 'web');
      await workloads.create('Deployment', 'web', usingEnv('db'));
    });
    expect(await restart()).toEqual(othersRestarted('replaced'));
    expect(await restartedAt(WEB)).toBeUndefined();
  });

  it('that uses the Secret no more is not restarted', async () => {
    const containers = [{ name: 'main', image: 'registry.example.com/main:2' }];
    before(() => workloads.patch('Deployment', 'web', { spec: { template: { spec: { containers } } } }));
    expect(await restart()).toEqual(othersRestarted('noConsumer'));
    expect(await restartedAt(WEB)).toBeUndefined();
  });

  it('that is paused is not restarted', async () => {
    before(() => workloads.patch('Deployment', 'web', { spec: { paused: true } }));
    expect(await restart()).toEqual(othersRestarted('paused'));
  });
});

describe('a cluster that fails', () => {
  const failing = (action: Parameters<typeof stack.dev.faults.add>[0]['action']) =>
    stack.dev.faults.add({ match: { namespace, verb: 'patch', path: '/deployments/web$' }, action });

  it.each([
    [403, 'forbidden'],
    // It does not name the workload: some other 404 than its absence.
    [404, 'unavailable'],
    [422, 'rejected'],
    [500, 'uncertain'],
    [503, 'unavailable'],
    [504, 'uncertain'],
  ])('with %i at one workload: that one is %s, the others are restarted', async (status, reason) => {
    failing({ type: 'status', status, message: PLANTED });
    const logged = stack.log().length;
    expect(await restart()).toEqual(othersRestarted(reason));
    for (const other of [API, QUEUE]) expect(await restartedAt(other)).toBeDefined();
    const log = stack.log().slice(logged);
    expect(log).not.toContain(PLANTED);
    expect(log).toContain('"resource":"deployments"');
  });

  it('with a connection that is cut: uncertain once the write was sent, whether or not it took effect', async () => {
    for (const when of ['before', 'after'] as const) {
      const rule = failing({ type: 'cut', when });
      expect(await restart()).toEqual(othersRestarted('uncertain'));
      expect((await restartedAt(WEB)) !== undefined).toBe(when === 'after');
      rule.remove();
    }
  });

  it('with a workload that hangs: uncertain, and the others are restarted', async () => {
    failing({ type: 'hang', when: 'before' });
    expect(await restart(hurried)).toEqual(othersRestarted('uncertain'));
  });

  it('with a right that is missing: the log names it, the answer does not', async () => {
    failing({ type: 'status', status: 403, message: PLANTED });
    const lines = stack.logLines().length;
    expect(await restart()).toEqual(othersRestarted('forbidden'));
    expect(stack.logLines().slice(lines)).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        event: 'cluster request',
        reason: 'rbacForbidden:patch:deployments',
        name: 'web',
      }),
    );
  });

  it.each(['cronjobs', 'daemonsets', 'deployments', 'statefulsets'])(
    'at the list of %s: 503, nothing is restarted, and the log names the right',
    async (resource) => {
      const match = { namespace, verb: 'list', resource };
      stack.dev.faults.add({ match, action: { type: 'status', status: 403, message: PLANTED } });
      stack.between.forget();
      const lines = stack.logLines().length;
      const text = 'The list of workloads could not be collected';
      for (const [method, below] of [
        ['GET', 'consumers'],
        ['POST', 'restart'],
      ] as const) {
        expect(errorOf(await client.send(method, secretsPath(namespace, 'db', below)), 503)).toBe(text);
      }
      expect(stack.between.passed.filter(({ method }) => method === 'PATCH')).toEqual([]);
      expect(stack.logLines().slice(lines)).toContainEqual(
        expect.objectContaining({ event: 'request', reason: `rbacForbidden:list:${resource}`, status: 503 }),
      );
    },
  );
});
