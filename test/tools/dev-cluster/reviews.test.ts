import { describe, expect, it } from 'vitest';
import { secretBody, SECRETS, useClusters } from './fixture.ts';

const start = useClusters();

describe('reviews', () => {
  it('say to everyone who they are', async () => {
    const { robot } = await start();
    const client = await robot('robot');
    const answer = await client.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {});
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      kind: 'SelfSubjectReview',
      status: {
        userInfo: {
          username: 'system:serviceaccount:default:robot',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
        },
      },
    });
  });

  it('say to the administrator what another user may do', async () => {
    const { client } = await start();
    const resourceAttributes = {
      verb: 'create',
      group: 'authentication.k8s.io',
      resource: 'selfsubjectreviews',
    };
    const allowed = async (spec: object) => {
      const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
      return (await client.post(path, { spec: { resourceAttributes, ...spec } })).body;
    };
    expect(await allowed({ user: 'ada', groups: ['system:authenticated'] })).toMatchObject({
      kind: 'SubjectAccessReview',
      status: { allowed: true },
    });
    expect(await allowed({ user: 'ada' })).toMatchObject({ status: { allowed: false } });
    expect(await allowed({})).toMatchObject({ code: 422, reason: 'Invalid' });
  });

  it('of others are not for everyone', async () => {
    const { robot } = await start();
    const client = await robot('robot');
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    expect((await client.post(path, { spec: { user: 'ada' } })).status).toBe(403);
  });
});

describe('impersonation', () => {
  const secretsAs = async (
    client: Awaited<ReturnType<typeof start>>['client'],
    headers: Record<string, string>,
  ) => (await client.send('GET', SECRETS, { headers })).status;

  it('has the rights of the one who is impersonated', async () => {
    const { client } = await start();
    expect(await secretsAs(client, {})).toBe(200);
    expect(await secretsAs(client, { 'impersonate-user': 'system:serviceaccount:default:robot' })).toBe(403);
    expect(await secretsAs(client, { 'impersonate-user': 'ada' })).toBe(403);
    const masters = { 'impersonate-user': 'ada', 'impersonate-group': 'system:masters' };
    expect(await secretsAs(client, masters)).toBe(200);
  });

  it('needs the right to impersonate', async () => {
    const { robot } = await start();
    const client = await robot('robot');
    const answer = await client.send('GET', '/version', { headers: { 'impersonate-user': 'ada' } });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ message: expect.stringContaining('cannot impersonate') as string });
  });
});

it('the review of rules lists what one may do in a namespace', async () => {
  const { client } = await start();
  const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
  const spec = { spec: { namespace: 'default' } };
  expect((await client.post(path, spec)).body).toMatchObject({
    status: { resourceRules: [{ verbs: ['*'], resources: ['*'] }] },
  });
  const limited = await client.send('POST', path, { body: spec, headers: { 'impersonate-user': 'ada' } });
  const { status } = limited.body as { status: { resourceRules: readonly object[] } };
  expect(status.resourceRules).not.toContainEqual(expect.objectContaining({ verbs: ['*'] }));
  expect(status.resourceRules.length).toBeGreaterThan(0);
});

describe('deleting a collection', () => {
  it('deletes as many as its limit says, and says how to go on', async () => {
    const { client } = await start();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await client.post(SECRETS, secretBody(name));
    const first = await client.delete(`${SECRETS}?limit=2`);
    expect(first.body).toMatchObject({ items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }] });
    const token = (first.body as { metadata: { continue: string } }).metadata.continue;
    await client.delete(`${SECRETS}?limit=2&continue=${encodeURIComponent(token)}`);
    const left = await client.get(SECRETS);
    expect(left.body).toMatchObject({ items: [{ metadata: { name: 'e' } }] });
    await client.delete(SECRETS);
    expect((await client.get(SECRETS)).body).toMatchObject({ items: [] });
  });
});
