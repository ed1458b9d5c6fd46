import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorOf } from '../harness/answers.ts';
import type { ApiClient } from '../harness/api-client.ts';
import { secretsOf } from '../harness/secrets-client.ts';
import { ADMIN, DEVELOPER_A, DEVELOPER_B, GUEST, openFixture, WITHIN_MS, type Fixture } from './fixture.ts';
import { eventually } from '../harness/eventually.ts';

let fixture: Fixture;
let admin: ApiClient;
let developerA: ApiClient;
let developerB: ApiClient;
let guest: ApiClient;
let namespace: string;
beforeAll(async () => {
  fixture = openFixture();
  admin = await fixture.signIn(ADMIN);
  developerA = await fixture.signIn(DEVELOPER_A);
  developerB = await fixture.signIn(DEVELOPER_B);
  guest = await fixture.signIn(GUEST);
});
afterAll(() => fixture.close());
beforeEach(async () => {
  namespace = await fixture.namespace();
});

describe('the policy of a namespace', () => {
  it('lets in whom it names, by the groups that the provider gave, and no one else but admins', async () => {
    await fixture.kube.setPolicy(namespace, { allowedGroups: '["team-a"]' });
    const secrets = secretsOf(developerA, namespace);
    await secrets.create('a');
    for (const [client, status] of [
      [developerA, 200],
      [admin, 200],
      [developerB, 403],
      [guest, 403],
    ] as const) {
      expect((await client.get(secrets.path('a'))).status).toBe(status);
    }
    errorOf(await guest.post(secrets.path(), { name: 'b' }), 403);
  });

  it('that cannot be understood shuts everyone but admins out', async () => {
    await secretsOf(admin, namespace).create('a');
    await fixture.kube.setPolicy(namespace, { allowedGroups: 'team-a' });
    const path = secretsOf(developerA, namespace).path('a');
    expect(errorOf(await developerA.get(path), 503)).toBe('Namespace access policy is unavailable');
    expect((await admin.get(path)).status).toBe(200);
  });

  it('gives way to the access rules of a Secret of its own', async () => {
    await fixture.kube.setPolicy(namespace, { allowedGroups: '["team-a"]' });
    const secrets = secretsOf(admin, namespace);
    await secrets.create('shared', { allowedUsers: [GUEST] });
    expect((await guest.get(secrets.path('shared'))).status).toBe(200);
    errorOf(await developerA.get(secrets.path('shared')), 403);
  });

  it('decides where one may create, in the list of namespaces', async () => {
    await fixture.kube.setPolicy(namespace, { allowedGroups: '["team-a"]' });
    const entryFor = async (client: ApiClient) => {
      const { namespaces } = (await client.get('/api/namespaces')).json as { namespaces: { name: string }[] };
      return namespaces.find(({ name }) => name === namespace);
    };
    await eventually(async () => {
      expect(await entryFor(developerA)).toEqual({ name: namespace, canCreate: true });
      expect(await entryFor(developerB)).toEqual({ name: namespace, canCreate: false });
    }, WITHIN_MS);
  });
});
