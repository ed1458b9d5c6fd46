import { describe, expect, it } from 'vitest';
import { objectAt, textAt } from '../../../hack/dev-cluster/json/json.ts';
import { ClusterClient } from './cluster-client.ts';
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

describe('a review of a token', () => {
  const PATH = '/apis/authentication.k8s.io/v1/tokenreviews';
  const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
  const PODS = '/api/v1/namespaces/default/pods';
  type Client = Awaited<ReturnType<typeof start>>['client'];

  /** The status of a review. The shapes are those of kube-apiserver's `tokenreview` registry. */
  const review = async (client: Client, token: string, audiences?: readonly string[]) => {
    const answer = await client.post(PATH, {
      spec: { token, ...(audiences && { audiences: [...audiences] }) },
    });
    return answer.status === 201 ? objectAt(answer.body, 'status') : answer.status;
  };
  const accountWithPod = async (client: Client) => {
    const account = await client.post(ACCOUNTS, { metadata: { name: 'job' } });
    const pod = await client.post(PODS, { metadata: { name: 'job-1' }, spec: { serviceAccountName: 'job' } });
    const spec = { audiences: ['secrets'], boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'job-1' } };
    const { body } = await client.post(`${ACCOUNTS}/job/token`, { spec });
    return {
      token: textAt(body, 'status', 'token'),
      uid: textAt(account.body, 'metadata', 'uid'),
      podUid: textAt(pod.body, 'metadata', 'uid'),
    };
  };

  it('names the account and the pod that it speaks for, to the audiences that it has', async () => {
    const { cluster, client } = await start();
    const { token, uid, podUid } = await accountWithPod(client);
    expect(await review(client, token, ['secrets', 'other'])).toEqual({
      authenticated: true,
      user: {
        username: 'system:serviceaccount:default:job',
        uid,
        groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
        extra: {
          'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=[0-9a-f-]{36}$/)],
          'authentication.kubernetes.io/pod-name': ['job-1'],
          'authentication.kubernetes.io/pod-uid': [podUid],
        },
      },
      audiences: ['secrets'],
    });
    expect(await review(client, cluster.adminToken)).toMatchObject({ authenticated: true });
  });

  it('says why it speaks for no one', async () => {
    const { client } = await start();
    const { token } = await accountWithPod(client);
    const refused = (error: string) => ({ user: {}, error });
    expect(await review(client, token)).toEqual(
      refused(
        '[invalid bearer token, token audiences ["secrets"] is invalid for the target audiences ["https://kubernetes.default.svc.cluster.local"]]',
      ),
    );
    expect(await review(client, 'nonsense', ['secrets'])).toEqual(refused('invalid bearer token'));
    expect(await review(client, '')).toBe(400);
    await client.send('DELETE', `${PODS}/job-1`);
    expect(await review(client, token, ['secrets'])).toEqual(
      refused('[invalid bearer token, service account token has been invalidated]'),
    );
  });

  it('is not for everyone, and a token for others is none for the cluster', async () => {
    const { cluster, client, robot } = await start();
    const { token } = await accountWithPod(client);
    expect(await review(await robot('robot'), token, ['secrets'])).toBe(403);
    expect((await new ClusterClient(cluster.url, token).get('/version')).status).toBe(401);
  });

  it('needs a token of a pod that runs with the account', async () => {
    const { client } = await start();
    await accountWithPod(client);
    await client.post(ACCOUNTS, { metadata: { name: 'other' } });
    const bind = async (account: string, kind: string, name: string) =>
      (await client.post(`${ACCOUNTS}/${account}/token`, { spec: { boundObjectRef: { kind, name } } }))
        .status;
    expect(await bind('other', 'Pod', 'job-1')).toBe(400);
    expect(await bind('job', 'Node', 'job-1')).toBe(400);
    expect(await bind('job', 'Pod', 'absent')).toBe(404);
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
