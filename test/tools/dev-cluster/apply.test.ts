import { describe, expect, it } from 'vitest';
import { at, listAt, textAt, type Json, type JsonObject } from '../../../hack/dev-cluster/json/json.ts';
import { type ClusterClient, type Received } from './cluster-client.ts';
import { SECRETS, useClusters } from './fixture.ts';

const start = useClusters();

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

function apply(
  client: ClusterClient,
  path: string,
  config: Json,
  query = 'fieldManager=alice',
): Promise<Received> {
  return client.patch(`${path}?${query}`, config, 'application/apply-patch+yaml');
}

const secret = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'a', ...metadata },
  data,
});

const deployment = (containers: Json): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { app: 'd' } },
    template: { metadata: { labels: { app: 'd' } }, spec: { containers } },
  },
});

/** Who owns what, by manager and operation. */
const ownersIn = (body: Json): JsonObject =>
  Object.fromEntries(
    listAt(body, 'metadata', 'managedFields').map((entry) => [
      `${textAt(entry, 'manager')} ${textAt(entry, 'operation')}`,
      at(entry, 'fieldsV1') ?? null,
    ]),
  );

describe('server-side apply', () => {
  it('creates what is absent, from YAML, and says that the manager applied it', async () => {
    const { client } = await start();
    const yaml = 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  labels: {l: "1"}\ndata:\n  k: dg==\n';
    const created = await apply(client, `${SECRETS}/a`, yaml);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ data: { k: 'dg==' }, type: 'Opaque' });
    expect(ownersIn(created.body)).toEqual({
      'alice Apply': { 'f:data': { 'f:k': {} }, 'f:metadata': { 'f:labels': { 'f:l': {} } } },
    });
    expect((await client.get(`${SECRETS}/a`)).body).toEqual(created.body);
  });

  it('changes what is there, keeps what others set, and changes nothing the second time', async () => {
    const { client } = await start();
    await client.post(`${SECRETS}?fieldManager=bob`, secret({ k: 'dg==', other: 'bw==' }));
    const changed = await apply(client, `${SECRETS}/a`, secret({ k: 'dg==', mine: 'bQ==' }));
    expect(changed.status).toBe(200);
    expect(at(changed.body, 'data')).toEqual({ k: 'dg==', mine: 'bQ==', other: 'bw==' });
    expect(ownersIn(changed.body)).toMatchObject({
      'bob Update': { 'f:data': { 'f:k': {}, 'f:other': {} } },
      'alice Apply': { 'f:data': { 'f:k': {}, 'f:mine': {} } },
    });
    expect((await apply(client, `${SECRETS}/a`, secret({ k: 'dg==', mine: 'bQ==' }))).body).toEqual(
      changed.body,
    );
  });

  it('removes what the manager no longer applies, unless others own it', async () => {
    const { client } = await start();
    await apply(client, `${SECRETS}/a`, secret({ k: 'dg==', shared: 'cw==', gone: 'Zw==' }));
    await apply(client, `${SECRETS}/a`, secret({ shared: 'cw==' }), 'fieldManager=bob');
    const { body } = await apply(client, `${SECRETS}/a`, secret({ k: 'dg==' }));
    expect(at(body, 'data')).toEqual({ k: 'dg==', shared: 'cw==' });
    expect(ownersIn(body)).toEqual({
      'alice Apply': { 'f:data': { 'f:k': {} } },
      'bob Apply': { 'f:data': { 'f:shared': {} } },
    });
  });

  it('merges lists by their keys, and removes from them', async () => {
    const { client } = await start();
    const [a, b] = [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
    ];
    const web = { name: 'web', image: 'w:1' };
    const side = { name: 'side', image: 's:1' };
    const first = [
      { ...web, env: [a, b] },
      { ...side, tty: true },
      { name: 'gone', image: 'g:1' },
    ];
    await apply(client, `${DEPLOYMENTS}/d`, deployment(first));
    await apply(client, `${DEPLOYMENTS}/d`, deployment([side]), 'fieldManager=bob');
    const { body } = await apply(client, `${DEPLOYMENTS}/d`, deployment([{ ...web, env: [b] }]));
    const containers = listAt(body, 'spec', 'template', 'spec', 'containers');
    expect(containers).toMatchObject([{ ...web, env: [b] }, side]);
    expect([listAt(containers[0], 'env').length, at(containers[1], 'tty')]).toEqual([1, undefined]);
  });
});

describe('a conflict of server-side apply', () => {
  it('is 409 with the field and its manager, and changes nothing', async () => {
    const { client } = await start();
    const before = await client.post(`${SECRETS}?fieldManager=bob`, secret({ k: 'dg==' }));
    const refused = await apply(client, `${SECRETS}/a`, secret({ k: 'eA==' }));
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "bob" using v1: .data.k',
      details: {
        causes: [
          { reason: 'FieldManagerConflict', message: 'conflict with "bob" using v1', field: '.data.k' },
        ],
      },
    });
    expect((await client.get(`${SECRETS}/a`)).body).toEqual(before.body);
  });

  it('names each field below its manager', async () => {
    const { client } = await start();
    await apply(client, `${DEPLOYMENTS}/d`, deployment([{ name: 'c', image: 'c:1' }]));
    await client.patch(
      `${DEPLOYMENTS}/d?fieldManager=bob`,
      { spec: { replicas: 2 }, metadata: { labels: { l: '1' } } },
      'application/merge-patch+json',
    );
    const config = {
      ...deployment([{ name: 'c', image: 'c:2' }]),
      metadata: { name: 'd', labels: { l: '2' } },
    };
    const { status, body } = await apply(client, `${DEPLOYMENTS}/d`, config, 'fieldManager=carol');
    expect(status).toBe(409);
    expect(textAt(body, 'message')).toBe(
      'Apply failed with 2 conflicts: conflicts with "alice":\n- .spec.template.spec.containers[name="c"].image\n' +
        'conflicts with "bob" using apps/v1:\n- .metadata.labels.l',
    );
  });

  it('is none with force, which takes the field', async () => {
    const { client } = await start();
    await client.post(`${SECRETS}?fieldManager=bob`, secret({ k: 'dg==' }));
    const taken = await apply(client, `${SECRETS}/a`, secret({ k: 'eA==' }), 'fieldManager=alice&force=true');
    expect(taken.status).toBe(200);
    expect(at(taken.body, 'data')).toEqual({ k: 'eA==' });
    expect(ownersIn(taken.body)).toMatchObject({ 'alice Apply': { 'f:data': { 'f:k': {} } } });
    expect(at(ownersIn(taken.body), 'bob Update', 'f:data')).toEqual({ '.': {} });
  });

  it("is none between kubectl's two ways to apply", async () => {
    const { client } = await start();
    await client.post(`${SECRETS}?fieldManager=kubectl-client-side-apply`, secret({ k: 'dg==' }));
    const taken = await apply(client, `${SECRETS}/a`, secret({ k: 'eA==' }), 'fieldManager=kubectl');
    expect(taken.status).toBe(200);
  });
});

describe('what server-side apply refuses', () => {
  it.each<readonly [string, string, Json, number]>([
    ['no manager', '', secret({}), 422],
    ['what is no YAML', 'fieldManager=alice', '{', 400],
    ['what is no object', 'fieldManager=alice', '- a', 400],
    ['managed fields', 'fieldManager=alice', secret({}, { managedFields: [] }), 400],
    ['another name', 'fieldManager=alice', secret({}, { name: 'b' }), 400],
    ['another kind', 'fieldManager=alice', { ...secret({}), kind: 'ConfigMap' }, 400],
    ['an unknown field', 'fieldManager=alice&fieldValidation=Strict', { ...secret({}), nonsense: 1 }, 400],
    ['a wrong type', 'fieldManager=alice', secret({ k: 1 }), 400],
    ['a uid where there is no object', 'fieldManager=alice', secret({}, { uid: 'u' }), 409],
    ['another dry run', 'fieldManager=alice&dryRun=Some', secret({}), 422],
  ])('%s', async (_title, query, config, status) => {
    const { client } = await start();
    expect((await apply(client, `${SECRETS}/a`, config, query)).status).toBe(status);
    expect((await client.get(`${SECRETS}/a`)).status).toBe(404);
  });

  it('creating without the right to create', async () => {
    const { client, robot } = await start();
    const account = await robot('robot');
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    const role = (verbs: Json): Json => ({
      metadata: { name: 'r' },
      rules: [{ apiGroups: [''], resources: ['secrets'], verbs }],
    });
    await client.post(`${rbac}/roles`, role(['patch']));
    const subjects = [{ kind: 'ServiceAccount', name: 'robot', namespace: 'default' }];
    await client.post(`${rbac}/rolebindings`, {
      metadata: { name: 'r' },
      subjects,
      roleRef: { kind: 'Role', name: 'r' },
    });
    const refused = await apply(account, `${SECRETS}/a`, secret({}));
    expect([refused.status, textAt(refused.body, 'message')]).toEqual([
      403,
      expect.stringContaining('cannot create resource "secrets"'),
    ]);
    await client.put(`${rbac}/roles/r`, role(['patch', 'create']));
    expect((await apply(account, `${SECRETS}/a`, secret({}))).status).toBe(201);
    await client.put(`${rbac}/roles/r`, role(['patch']));
    expect((await apply(account, `${SECRETS}/a`, secret({ k: 'dg==' }))).status).toBe(200);
  });

  it('an old revision, another uid, and force with other patches', async () => {
    const { client } = await start();
    const { body } = await apply(client, `${SECRETS}/a`, secret({ k: 'dg==' }));
    const resourceVersion = textAt(body, 'metadata', 'resourceVersion');
    const at1 = (config: JsonObject): Promise<Received> =>
      apply(client, `${SECRETS}/a`, secret({ k: 'eA==' }, config));
    expect((await at1({ resourceVersion: '1' })).status).toBe(409);
    expect((await at1({ uid: 'other' })).status).toBe(422);
    expect((await client.patch(`${SECRETS}/a?force=true`, {})).status).toBe(422);
    expect((await client.get(`${SECRETS}/a`)).body).toEqual(body);
    expect((await at1({ resourceVersion })).status).toBe(200);
  });

  it('nothing in a dry run, which stores nothing', async () => {
    const { client } = await start();
    const dry = 'fieldManager=alice&dryRun=All';
    expect((await apply(client, `${SECRETS}/a`, secret({ k: 'dg==' }), dry)).status).toBe(201);
    expect((await client.get(`${SECRETS}/a`)).status).toBe(404);
    const { body } = await apply(client, `${SECRETS}/a`, secret({ k: 'dg==' }));
    const tried = await apply(client, `${SECRETS}/a`, secret({ k: 'eA==' }), dry);
    expect([tried.status, at(tried.body, 'data')]).toEqual([200, { k: 'eA==' }]);
    expect((await client.get(`${SECRETS}/a`)).body).toEqual(body);
  });
});
