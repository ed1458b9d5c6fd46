import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN, clientFor, DEVELOPER_A, type ApiClient } from '../../harness/api-client.ts';
import { errorOf, jsonOf, secretOf } from '../../harness/answers.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { openListFixture } from './list-fixture.ts';
import { annotation } from '../../harness/annotation.ts';
import { eventually } from '../../harness/eventually.ts';

const { here, seed, names } = openListFixture();

/** Hidden by default. Clusters have others whose names begin alike. */
const SYSTEM_NAMESPACES = ['kube-system', 'kube-public', 'kube-node-lease'];

const MANAGED = { [annotation('managed-by')]: 'service' };

describe('SERVICE_MANAGED_ONLY', () => {
  let admin: ApiClient;
  let developer: ApiClient;
  beforeAll(async () => {
    const { url } = await here.stack.anotherService({ env: { SERVICE_MANAGED_ONLY: 'true' } });
    [admin, developer] = await Promise.all([clientFor(url, ADMIN), clientFor(url, DEVELOPER_A)]);
  });
  beforeEach(async () => {
    await seed('managed', MANAGED);
    await seed('unmanaged');
    await seed('managed-by-label-only', {}, { [annotation('managed-by')]: 'service' });
    await seed('managed-by-another', { [annotation('managed-by')]: 'someone' });
  });

  it('excludes unmanaged Secrets from lists and their pages; the annotation alone counts', async () => {
    expect(await names(admin)).toEqual(['managed']);
    expect(await names(developer)).toEqual(['managed']);
    expect(await names(here.stack.admin)).toHaveLength(4);
    const page = jsonOf(await admin.get(`${secretsPath(here.namespace)}?limit=10`), 200);
    expect(page).toMatchObject({ secrets: [{ name: 'managed' }], total: 1 });
  });

  it.each([
    ['GET', undefined],
    ['PUT', undefined],
    ['PATCH', undefined],
    ['DELETE', undefined],
    ['GET', 'versions'],
    ['GET', 'versions/1'],
    ['GET', 'keys/key'],
    ['GET', 'versions/1/keys/key'],
    ['POST', 'restore'],
  ])('%s …/%s of an unmanaged Secret answers 404', async (method, below) => {
    const request = ['PUT', 'PATCH', 'POST'].includes(method) ? { json: {} } : {};
    for (const name of ['unmanaged', 'managed-by-another', 'managed-by-label-only']) {
      const answer = await admin.send(method, secretsPath(here.namespace, name, below), request);
      expect(errorOf(answer, 404)).toBe('Secret not found');
    }
  });

  it('serves managed ones, and those that it creates', async () => {
    secretOf(await developer.get(secretsPath(here.namespace, 'managed')));
    secretOf(await developer.post(secretsPath(here.namespace), { name: 'new' }), 201);
    expect(await names(admin)).toEqual(['managed', 'new']);
    expect(jsonOf(await admin.get('/api/config'), 200)).toMatchObject({ managedOnly: true });
  });
});

describe('the namespaces of the system', () => {
  it.each(SYSTEM_NAMESPACES)('%s answers 403, to administrators too, unless it is named', async (system) => {
    const before = await here.stack.kube.listSecrets(system);
    for (const client of [here.stack.admin, here.stack.developerA]) {
      for (const [method, path] of [
        ['GET', secretsPath(system)],
        ['POST', secretsPath(system)],
        ['GET', secretsPath(system, 'a')],
        ['PUT', secretsPath(system, 'a')],
        ['DELETE', secretsPath(system, 'a')],
      ] as const) {
        expect(errorOf(await client.send(method, path), 403)).toBe(
          'This namespace is outside the scope of the service',
        );
      }
    }
    expect(await here.stack.kube.listSecrets(system)).toEqual(before);
  });

  it('are in scope beside all others where they are named', async () => {
    const { url } = await here.stack.anotherService({ env: { SERVICE_NAMESPACES: '*,kube-public' } });
    const client = await clientFor(url, ADMIN);
    expect(jsonOf(await client.get(secretsPath('kube-public')), 200)).toMatchObject({
      namespace: 'kube-public',
    });
    jsonOf(await client.get(secretsPath(here.namespace)), 200);
    errorOf(await client.get(secretsPath('kube-system')), 403);
    const { namespaces } = jsonOf(await client.get('/api/namespaces'), 200) as {
      namespaces: readonly { name: string }[];
    };
    const system = namespaces.map(({ name }) => name).filter((name) => SYSTEM_NAMESPACES.includes(name));
    expect(system).toEqual(['kube-public']);
  });
});

describe('GET /api/namespaces', () => {
  it('names those in scope in order, with a hint whether one may create, and without the system namespaces', async () => {
    const open = here.namespace;
    const closed = await here.stack.namespace();
    const broken = await here.stack.namespace();
    await here.stack.kube.setPolicy(closed, { allowedGroups: '["team-b"]' });
    await here.stack.kube.setPolicy(broken, { allowedGroups: 'broken' });
    const seen = async (client: ApiClient) => {
      const { namespaces } = jsonOf(await client.get('/api/namespaces'), 200) as {
        namespaces: readonly { name: string; canCreate: boolean }[];
      };
      const all = namespaces.map(({ name }) => name);
      expect(all).toEqual([...all].sort());
      expect(all.filter((name) => SYSTEM_NAMESPACES.includes(name))).toEqual([]);
      for (const entry of namespaces) expect(Object.keys(entry)).toEqual(['name', 'canCreate']);
      return [open, closed, broken].map((name) => namespaces.find((one) => one.name === name)?.canCreate);
    };
    // The hint comes from memory, which follows policies by a watch.
    await eventually(async () => {
      expect(await seen(here.stack.developerA)).toEqual([true, false, false]);
      expect(await seen(here.stack.developerB)).toEqual([true, true, false]);
      expect(await seen(here.stack.admin)).toEqual([true, true, true]);
    });
  });

  it('leaves out a namespace while it is being deleted, from memory and live', async () => {
    const { url } = await here.stack.anotherService({ env: { SERVICE_LIST_CACHE: 'false' } });
    const [cached, live] = [here.stack.admin, await clientFor(url, ADMIN)];
    const shows = (client: ApiClient, wanted: boolean) =>
      eventually(async () => {
        const { namespaces } = jsonOf(await client.get('/api/namespaces'), 200) as {
          namespaces: readonly { name: string }[];
        };
        expect(namespaces.some(({ name }) => name === here.namespace)).toBe(wanted);
      });
    await shows(cached, true);
    await shows(live, true);
    const held = nativeSecret('held', {}, { metadata: { finalizers: ['example.com/held'] } });
    await here.stack.kube.createSecret(here.namespace, held);
    try {
      await here.stack.kube.deleteNamespace(here.namespace);
      await shows(cached, false);
      await shows(live, false);
      expect(await here.stack.kube.getSecret(here.namespace, 'held')).toBeDefined();
    } finally {
      await here.stack.kube.removeFinalizers(here.namespace);
    }
  });

  it('needs a session', async () => {
    expect(errorOf(await here.stack.anonymous.get('/api/namespaces'), 401)).toBe('Sign-in required');
  });
});
