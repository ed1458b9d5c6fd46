import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SERVICE_RULES } from '../../../hack/demo/rights.ts';
import type { DevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { ADMIN, DEVELOPER_A, type ApiAnswer, type ApiClient } from '../../harness/api-client.ts';
import { errorOf } from '../../harness/answers.ts';
import { everyRequest } from '../../harness/every-request.ts';
import { startInProcessStack, type InProcessStack } from '../../harness/in-process-stack.ts';
import { stateOf } from '../../harness/secret-paths.ts';
import { secretsOf, type SecretsClient } from '../../harness/secrets-client.ts';

const ROLE = 'secrets-management-service';

let stack: InProcessStack;
let admin: ApiClient;
let developer: ApiClient;
let namespace: string;
let secrets: SecretsClient;

beforeAll(async () => {
  stack = await startInProcessStack({
    // The caches would go on with what they hold; what they do without a right has tests of its own.
    env: { SERVICE_HISTORY_LIMIT: '2', SERVICE_LIST_CACHE: 'false' },
  });
  admin = await stack.client(ADMIN);
  developer = await stack.client(DEVELOPER_A);
});
afterAll(() => stack.close());
beforeEach(async () => {
  await grantAllBut(stack.dev);
  namespace = await stack.namespace();
  await stack.kube.setPolicy(namespace, { allowedGroups: '["team-a"]' });
  secrets = secretsOf(developer, namespace);
  await secrets.createWithHistory('a', 2);
});

/** Rewrites the role of the service's account, which takes effect at once. */
async function grantAllBut(dev: DevCluster, verb?: string, resource?: string): Promise<void> {
  const rules = SERVICE_RULES.map(({ verbs, ...rule }) => ({
    ...rule,
    verbs: verbs.filter(
      (granted) => granted !== verb || !rule.resources.some((one: string) => one === resource),
    ),
  })).filter(({ verbs }) => verbs.length > 0);
  const path = `${dev.url}/apis/rbac.authorization.k8s.io/v1/clusterroles/${ROLE}`;
  const response = await fetch(path, {
    method: 'PUT',
    headers: { authorization: `Bearer ${dev.adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name: ROLE }, rules }),
  });
  expect(response.ok).toBe(true);
}

const revision = async (): Promise<string> =>
  (await stack.kube.getSecret(namespace, 'a'))?.metadata.resourceVersion ?? '';

/** Requests one kind of work. */
function work(kind: string): Promise<ApiAnswer> {
  const send = everyRequest({ admin, developer, secrets, revision })[kind];
  if (send === undefined) throw new Error(`no request does ${kind}`);
  return send();
}

const NEEDS: Readonly<Record<string, readonly string[]>> = {
  'get secrets': ['read', 'update', 'restore', 'delete', 'versions', 'version'],
  'list secrets': ['list', 'delete', 'versions'],
  'create secrets': ['create', 'update', 'restore'],
  'update secrets': ['update', 'restore'],
  'delete secrets': ['update', 'restore', 'delete'],
  'get configmaps': ['list', 'read', 'create', 'update', 'restore', 'delete', 'versions', 'version'],
  'list namespaces': ['namespaces'],
};

const ROWS = Object.entries(NEEDS).flatMap(([right, kinds]) => kinds.map((kind) => [right, kind] as const));

it('with all of its rights the service can do all of this', async () => {
  for (const kind of ['namespaces', 'list', 'read', 'create', 'update', 'versions', 'restore', 'delete']) {
    const answer = await work(kind);
    expect([200, 201], kind).toContain(answer.status);
  }
});

describe('a right that the service lacks', () => {
  it.each(ROWS)('%s: %s is 503, the right is named in the log and not in the answer', async (right, kind) => {
    const [verb = '', resource = ''] = right.split(' ');
    await grantAllBut(stack.dev, verb, resource);
    const live = await stack.kube.getSecret(namespace, 'a');
    const linesBefore = stack.logLines().length;

    const answer = await work(kind);

    expect(errorOf(answer, 503)).not.toMatch(/configmaps|secrets\b.*cluster|system:serviceaccount|RBAC/);
    expect(stack.logLines().slice(linesBefore)).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        event: 'cluster request',
        reason: `rbacForbidden:${verb}:${resource}`,
      }),
    );
    expect(await stack.kube.getSecret(namespace, 'a')).toEqual(live);
  });

  it.each(ROWS)('%s: %s works once the right is granted, without a restart', async (right, kind) => {
    const [verb, resource] = right.split(' ');
    await grantAllBut(stack.dev, verb, resource);
    await work(kind);
    await grantAllBut(stack.dev);
    expect([200, 201]).toContain((await work(kind)).status);
  });

  it('get configmaps: admins, and people whom a Secret names itself, need no policy', async () => {
    const own = await secrets.create('own', { allowedGroups: ['team-a'] });
    await grantAllBut(stack.dev, 'get', 'configmaps');
    expect((await developer.get(secrets.path('own'))).status).toBe(200);
    expect((await admin.get(secrets.path('a'))).status).toBe(200);
    expect((await developer.delete(secrets.deletePath('own', own.resourceVersion))).status).toBe(200);
  });

  it('list configmaps: namespaces are shown, without the hint that one may create there', async () => {
    // More than are read one by one.
    for (let count = 0; count < 17; count++) await stack.namespace();
    await grantAllBut(stack.dev, 'list', 'configmaps');
    const { namespaces } = (await developer.get('/api/namespaces')).json as { namespaces: object[] };
    expect(namespaces).toContainEqual({ name: namespace, canCreate: false });
  });

  it('while rights are missing nothing is written', async () => {
    const before = await stateOf(stack.kube, namespace);
    await grantAllBut(stack.dev, 'create', 'secrets');
    await work('update');
    await work('restore');
    await work('create');
    expect(await stateOf(stack.kube, namespace)).toEqual(before);
  });
});

describe('credentials that the cluster does not take', () => {
  it('are 503, and the log says so', async () => {
    stack.dev.faults.add({ match: { namespace }, action: { type: 'status', status: 401 } });
    const answer = await developer.get(secrets.path('a'));
    stack.dev.faults.clear();
    errorOf(answer, 503);
    expect(stack.logLines()).toContainEqual(
      expect.objectContaining({ reason: 'clusterCredentialsRefused', level: 'warn' }),
    );
  });
});
