import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../hack/manifests/rendered.ts';
import { mayDo } from '../../hack/e2e/rights-in-effect.ts';
import { errorOf } from '../harness/answers.ts';
import { ADMIN, clientFor, DEVELOPER_A, type ApiAnswer, type ApiClient } from '../harness/api-client.ts';
import { everyRequest } from '../harness/every-request.ts';
import { secretsOf, type SecretsClient } from '../harness/secrets-client.ts';
import { openFixture, WITHIN_MS, type Fixture } from './fixture.ts';
import { installOwn, type OwnInstallation } from './own-installation.ts';
import { eventually } from '../harness/eventually.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}
type Role = Manifest & { readonly rules: readonly Rule[] };

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

let fixture: Fixture;
let own: OwnInstallation;
let admin: ApiClient;
let developer: ApiClient;
let namespace: string;
let secrets: SecretsClient;
beforeAll(async () => {
  fixture = openFixture();
  own = await installOwn(fixture, 'manifests/install.yaml', 'rights', () => ({
    SERVICE_HISTORY_LIMIT: '2',
    // Two installations look after the whole cluster here, with other limits: each has its own history.
    SERVICE_ANNOTATION_PREFIX: 'rights.example.com',
    // Each operation then calls the cluster itself, and meets what it may not do.
    SERVICE_LIST_CACHE: 'false',
  }));
  admin = await clientFor(own.service.url, ADMIN);
  developer = await clientFor(own.service.url, DEVELOPER_A);
});
afterAll(async () => {
  await own.stop();
  await fixture.close();
});
beforeEach(async () => {
  namespace = await fixture.namespace();
  await fixture.kube.setPolicy(namespace, { allowedGroups: '["team-a"]' });
  secrets = secretsOf(developer, namespace);
});
afterEach(() => grantAll());

function roleOf(kind: 'Role' | 'ClusterRole'): Role {
  const role = own.manifests.find((manifest) => manifest.kind === kind);
  if (role === undefined) throw new Error(`the manifest renders no ${kind}`);
  return role as Role;
}

function pathOf({ kind, metadata }: Role): string {
  const place = kind === 'Role' ? `namespaces/${metadata.namespace ?? ''}/roles` : 'clusterroles';
  return `${RBAC}/${place}/${metadata.name}`;
}

/** Takes one right away and waits until the cluster means it. */
async function take(kind: 'Role' | 'ClusterRole', verb: string, resource: string): Promise<void> {
  const role = roleOf(kind);
  const rules = role.rules
    .map((rule) => ({
      ...rule,
      verbs: rule.verbs.filter((granted) => granted !== verb || !rule.resources.includes(resource)),
    }))
    .filter(({ verbs }) => verbs.length > 0);
  await own.cluster.insist('PUT', pathOf(role), { ...role, rules });
  await rightBecomes(role, verb, resource, false);
}

/** Waits for every verb: all of a rule but one were there before. */
async function grantAll(): Promise<void> {
  for (const kind of ['ClusterRole', 'Role'] as const) {
    const role = roleOf(kind);
    await own.cluster.insist('PUT', pathOf(role), role);
    for (const { resources, verbs } of role.rules)
      for (const resource of resources)
        for (const verb of verbs) await rightBecomes(role, verb, resource, true);
  }
}

function rightBecomes(role: Role, verb: string, resource: string, wanted: boolean): Promise<void> {
  const rule = role.rules.find(({ resources }) => resources.includes(resource));
  const group = rule?.apiGroups[0] ?? '';
  const name = rule?.resourceNames?.[0];
  const place = {
    ...(role.kind === 'Role' && { namespace: own.home }),
    ...(name !== undefined && { name }),
  };
  return eventually(async () => {
    expect(await mayDo(own.asService, { verb, resource, group, ...place })).toBe(wanted);
  }, WITHIN_MS);
}

/** The log of another process arrives a little later than its answer. */
function logged(after: number, reason: string): Promise<void> {
  return eventually(() => {
    expect(own.service.logLines().slice(after)).toContainEqual(
      expect.objectContaining({ level: 'warn', reason }),
    );
  }, WITHIN_MS);
}

const revision = async (): Promise<string> =>
  (await fixture.kube.getSecret(namespace, 'a'))?.metadata.resourceVersion ?? '';

/** Requests one kind of work. */
function work(kind: string): Promise<ApiAnswer> {
  const send = everyRequest({ admin, developer, secrets, revision })[kind];
  if (send === undefined) throw new Error(`no request does ${kind}`);
  return send();
}

/** What stops working without a right. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  'get secrets': ['read', 'update', 'restore', 'delete', 'versions'],
  'list secrets': ['list', 'delete', 'versions'],
  'create secrets': ['create', 'update', 'restore'],
  'update secrets': ['update', 'restore'],
  'delete secrets': ['update', 'restore', 'delete'],
  'get configmaps': ['list', 'read', 'create', 'update', 'versions'],
  'list namespaces': ['namespaces'],
};
const READS = ['list', 'read', 'versions', 'namespaces'];
/** Rights of what happens in the background, and of hints: no request fails without them. */
const BACKGROUND = [
  'watch secrets',
  'patch secrets',
  'list configmaps',
  'list leases',
  'watch configmaps',
  'watch namespaces',
];

const ROWS = Object.entries(NEEDS).flatMap(([right, kinds]) => kinds.map((kind) => [right, kind] as const));

it('every right that is granted to the service is looked at here', () => {
  const granted = roleOf('ClusterRole').rules.flatMap(({ resources, verbs }) =>
    resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
  );
  expect(granted.toSorted()).toEqual([...Object.keys(NEEDS), ...BACKGROUND].toSorted());
});

describe('a right that the service lacks', () => {
  beforeEach(async () => {
    await secrets.createWithHistory('a', 2);
  });

  it.each(ROWS)(
    '%s: %s is 503, the log names it, the answer does not, nothing is written',
    async (right, kind) => {
      const [verb = '', resource = ''] = right.split(' ');
      await take('ClusterRole', verb, resource);
      const before = await fixture.kube.getSecret(namespace, 'a');
      const lines = own.service.logLines().length;
      const refusal = async () => {
        expect(errorOf(await work(kind), 503)).not.toMatch(/configmaps|serviceaccount|RBAC|forbidden/i);
      };
      // Another API server of the same cluster may have it later; only what changes nothing can be sent again.
      await (READS.includes(kind) ? eventually(refusal, WITHIN_MS) : refusal());
      await logged(lines, `rbacForbidden:${verb}:${resource}`);
      expect(await fixture.kube.getSecret(namespace, 'a')).toEqual(before);
      await grantAll();
      await eventually(async () => {
        expect([200, 201]).toContain((await work(kind)).status);
      }, WITHIN_MS);
    },
  );

  it.each(BACKGROUND)('%s: no request fails', async (right) => {
    const [verb = '', resource = ''] = right.split(' ');
    await take('ClusterRole', verb, resource);
    for (const kind of ['namespaces', 'list', 'read', 'create', 'update', 'versions', 'restore', 'delete'])
      expect([kind, (await work(kind)).status]).toEqual([kind, kind === 'create' ? 201 : 200]);
  });

  it('update leases: the history is left alone until it is granted again, and requests go on', async () => {
    const leads = async (): Promise<string | undefined> =>
      /^service_leader (\d)$/m.exec(await (await fetch(`${own.service.opsUrl}/metrics`)).text())?.[1];
    // A replica that fails to get the Lease tries less and less often, at least twice a minute.
    const becomes = (wanted: string) =>
      eventually(async () => {
        expect(await leads()).toBe(wanted);
      }, 50_000);
    await becomes('1');
    await take('Role', 'update', 'leases');
    await becomes('0');
    await logged(0, 'rbacForbidden:update:leases');
    expect((await work('update')).status).toBe(200);
    await grantAll();
    await becomes('1');
  }, 120_000);
});
