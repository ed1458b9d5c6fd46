import { describe, expect, it } from 'vitest';
import { textAt, type Json } from '../../../hack/dev-cluster/json/json.ts';
import { secretBody, SECRETS, useClusters } from './fixture.ts';

const start = useClusters();
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const ROBOT = { kind: 'ServiceAccount', name: 'robot', namespace: 'default' };

async function clusterWith(rules: Json, subject: Json = ROBOT) {
  const fixture = await start();
  const robot = await fixture.robot('robot');
  await fixture.client.post(`${RBAC}/clusterroles`, { metadata: { name: 'r' }, rules });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' };
  const binding = { metadata: { name: 'r' }, subjects: [subject], roleRef };
  return { ...fixture, robot, binding };
}

const READ_SECRETS = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] }];

describe('the rights of a service account', () => {
  it('come from a cluster role bound to the whole cluster', async () => {
    const { client, robot, binding } = await clusterWith(READ_SECRETS);
    expect((await robot.get('/api/v1/secrets')).status).toBe(403);
    await client.post(`${RBAC}/clusterrolebindings`, binding);
    expect((await robot.get('/api/v1/secrets')).status).toBe(200);
    expect((await robot.get(SECRETS)).status).toBe(200);
    expect((await robot.post(SECRETS, secretBody('a'))).status).toBe(403);
  });

  it('come from a cluster role bound in one namespace, for that namespace only', async () => {
    const { client, robot, binding } = await clusterWith(READ_SECRETS);
    await client.post(`${RBAC}/namespaces/default/rolebindings`, binding);
    expect((await robot.get(SECRETS)).status).toBe(200);
    expect((await robot.get('/api/v1/namespaces/kube-system/secrets')).status).toBe(403);
    expect((await robot.get('/api/v1/secrets')).status).toBe(403);
  });

  it.each(['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'])(
    'come through the group %s',
    async (name) => {
      const { client, robot, binding } = await clusterWith(READ_SECRETS, { kind: 'Group', name });
      await client.post(`${RBAC}/clusterrolebindings`, binding);
      expect((await robot.get(SECRETS)).status).toBe(200);
    },
  );

  it('by name cover a list that a field selector narrows to that name', async () => {
    const rules = [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['a'], verbs: ['get', 'list'] }];
    const { client, robot, binding } = await clusterWith(rules);
    await client.post(`${RBAC}/clusterrolebindings`, binding);
    expect((await robot.get(`${SECRETS}?fieldSelector=metadata.name%3Da`)).status).toBe(200);
    expect((await robot.get(SECRETS)).status).toBe(403);
    expect((await robot.get(`${SECRETS}/b`)).status).toBe(403);
    expect((await robot.get(`${SECRETS}/a`)).status).toBe(404);
  });

  it('on a resource do not cover its subresources', async () => {
    const rules = [{ apiGroups: [''], resources: ['serviceaccounts'], verbs: ['*'] }];
    const { client, robot, binding } = await clusterWith(rules);
    await client.post(`${RBAC}/clusterrolebindings`, binding);
    const path = '/api/v1/namespaces/default/serviceaccounts/robot';
    expect((await robot.get(path)).status).toBe(200);
    const refused = await robot.post(`${path}/token`, { spec: {} });
    expect(refused.status).toBe(403);
    expect(textAt(refused.body, 'message')).toContain('cannot create resource "serviceaccounts/token"');
  });

  it('in one API group do not reach into another', async () => {
    const rules = [{ apiGroups: ['apps'], resources: ['*'], verbs: ['*'] }];
    const { client, robot, binding } = await clusterWith(rules);
    await client.post(`${RBAC}/clusterrolebindings`, binding);
    expect((await robot.get('/apis/apps/v1/namespaces/default/deployments')).status).toBe(200);
    expect((await robot.get(SECRETS)).status).toBe(403);
  });

  it('include what every user may do: discovery, health, and reviews of their own access', async () => {
    const { robot } = await clusterWith([]);
    for (const path of ['/version', '/api/v1', '/apis', '/readyz', '/livez', '/healthz', '/openapi/v3']) {
      expect((await robot.get(path)).status, path).toBe(200);
    }
    const refused = await robot.get('/metrics');
    expect(refused.status).toBe(403);
    expect(textAt(refused.body, 'message')).toContain('cannot get path "/metrics"');
  });
});

describe('a service account token', () => {
  it('ends with its account, even when one of that name is made again', async () => {
    const { client, robot } = await start().then(async (fixture) => ({
      ...fixture,
      robot: await fixture.robot('robot'),
    }));
    expect((await robot.get('/version')).status).toBe(200);
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await client.delete(`${accounts}/robot`, {});
    expect((await robot.get('/version')).status).toBe(401);
    await client.post(accounts, { metadata: { name: 'robot' } });
    expect((await robot.get('/version')).status).toBe(401);
  });

  it('lives ten minutes at least', async () => {
    const { client, robot } = await start();
    await robot('robot');
    const path = '/api/v1/namespaces/default/serviceaccounts/robot/token';
    expect((await client.post(path, { spec: { expirationSeconds: 599 } })).status).toBe(422);
    expect((await client.post(path, { spec: { expirationSeconds: 600 } })).status).toBe(201);
  });
});

describe('the administrator', () => {
  it('may be no one in particular on loopback, but not a page of another site', async () => {
    const { cluster } = await start();
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(cluster.url + SECRETS, { headers })).status;
    expect(await status({})).toBe(200);
    expect(await status({ origin: 'https://evil.example' })).toBe(401);
    expect(await status({ authorization: 'Basic x' })).toBe(401);
  });

  it('has the token that was requested', async () => {
    const { cluster, client } = await start({ adminToken: 'another' });
    expect((await client.get(SECRETS)).status).toBe(200);
    const refused = await fetch(cluster.url + SECRETS, { headers: { authorization: 'Bearer dev-token' } });
    expect(refused.status).toBe(401);
  });
});
