import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mayDo } from '../../hack/e2e/rights-in-effect.ts';
import { errorOf } from '../harness/answers.ts';
import { ADMIN, clientFor, type ApiClient } from '../harness/api-client.ts';
import { secretsOf } from '../harness/secrets-client.ts';
import { openFixture, secretsIn, WITHIN_MS, type Fixture } from './fixture.ts';
import { installOwn, type OwnInstallation } from './own-installation.ts';
import { eventually } from '../harness/eventually.ts';

const TEAMS = ['team-a', 'team-b'];

let fixture: Fixture;
let own: OwnInstallation;
let admin: ApiClient;
let inScope: readonly string[];
beforeAll(async () => {
  fixture = openFixture();
  own = await installOwn(fixture, 'manifests/install-namespaced.yaml', 'scoped', (name) => {
    inScope = TEAMS.map(name);
    return { SERVICE_NAMESPACES: inScope.join(',') };
  });
  admin = await clientFor(own.service.url, ADMIN);
});
afterAll(async () => {
  await own.stop();
  await fixture.close();
});

describe('an installation with rights in single namespaces', () => {
  it('has no rights in the whole cluster', async () => {
    expect(own.manifests.filter(({ kind }) => kind.startsWith('Cluster'))).toEqual([]);
    const elsewhere = await fixture.namespace();
    for (const verb of ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']) {
      const may = (place: { namespace?: string }) =>
        mayDo(own.asService, { verb, resource: 'secrets', ...place });
      expect([verb, await may({}), await may({ namespace: elsewhere })]).toEqual([verb, false, false]);
      expect([verb, await may({ namespace: inScope[0] ?? '' })]).toEqual([verb, true]);
    }
    expect(await mayDo(own.asService, { verb: 'list', resource: 'namespaces' })).toBe(false);
  });

  it('shows the namespaces in scope', async () => {
    const { json } = await admin.get('/api/namespaces');
    expect(json).toEqual({ namespaces: inScope.map((name) => ({ name, canCreate: true })) });
  });

  it('works in each of them as it does anywhere', async () => {
    for (const namespace of inScope) {
      const secrets = secretsOf(admin, namespace);
      await secrets.createWithHistory('a', 2);
      expect(await secrets.versions('a')).toEqual([2, 1]);
      expect(secretsIn(await admin.get(secrets.path()))).toMatchObject([{ name: 'a', version: 3 }]);
      const { resourceVersion } = await secrets.read('a');
      expect((await admin.delete(secrets.deletePath('a', resourceVersion))).status).toBe(200);
    }
  });

  it('refuses every other namespace, to admins too, without a request to the cluster', async () => {
    const elsewhere = await fixture.namespace();
    const answer = await admin.get(secretsOf(admin, elsewhere).path());
    errorOf(answer, 403);
    // Its own line is the last of a request.
    const id = answer.headers.get('x-request-id');
    const isLast = ({ event, requestId }: Record<string, unknown>) => event === 'request' && requestId === id;
    await eventually(() => {
      expect(own.service.logLines().some(isLast)).toBe(true);
    }, WITHIN_MS);
    expect(own.service.output()).not.toContain('rbacForbidden');
  });

  it('keeps the history in order: it has the Lease of its own namespace', async () => {
    await eventually(async () => {
      const metrics = await (await fetch(`${own.service.opsUrl}/metrics`)).text();
      expect(metrics).toMatch(/^service_leader 1$/m);
    }, WITHIN_MS);
    const path = `/apis/coordination.k8s.io/v1/namespaces/${own.home}/leases`;
    const { items } = (await own.cluster.insist('GET', path)) as { items: unknown[] };
    expect(items).toHaveLength(1);
  });
});
