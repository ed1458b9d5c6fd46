import { constants } from 'node:http2';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createClusterClient, type ClusterClient } from '../../../hack/demo/cluster-client.ts';
import { makeCertificate } from '../../fakes/certificate.ts';
import { ADMIN, clientWith, type ApiClient } from '../../harness/api-client.ts';
import { connectHttp2, overHttp2, tlsSettings } from '../../harness/both-protocols.ts';
import { eventually } from '../../harness/eventually.ts';
import { startInProcessStack, type InProcessStack } from '../../harness/in-process-stack.ts';
import { CLUSTER_ISSUER, grantTokenReviews, startPod } from '../../harness/pod-token.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';

const AUDIENCE = 'secrets-management';
const REVIEWS = { verb: 'create', resource: 'tokenreviews' } as const;

let stack: InProcessStack;
let cluster: ClusterClient;
let namespace: string;
let pod: { readonly uid: string; readonly token: string };

beforeAll(async () => {
  stack = await startInProcessStack({
    env: {
      SERVICE_TRUSTED_ISSUERS: JSON.stringify([
        { name: 'here', kind: 'cluster', issuer: CLUSTER_ISSUER, audience: AUDIENCE },
      ]),
    },
  });
  cluster = createClusterClient(stack.dev.url, stack.dev.adminToken);
  await grantTokenReviews(cluster);
}, 60_000);
afterAll(() => stack.close());

beforeEach(async () => {
  stack.dev.faults.clear();
  namespace = await stack.namespace();
  await stack.kube.createSecret(namespace, nativeSecret('bound'));
  pod = await startPod(cluster, { namespace, name: 'job', audience: AUDIENCE });
  const claims = { '/kubernetes.io/namespace': namespace, '/kubernetes.io/serviceaccount/name': 'job' };
  await stack.kube.setPolicy(namespace, {
    machines: JSON.stringify([{ name: 'job', issuer: 'here', claims, level: 'read', secrets: ['bound'] }]),
  });
  await eventually(async () => {
    expect((await read(pod.token)).status).toBe(200);
  });
});

const client = (token: string, url = stack.url): ApiClient =>
  clientWith(url, { authorization: `Bearer ${token}` });
const read = (token: string) => client(token).get(`/api/namespaces/${namespace}/secrets/bound`);
const reviews = (): number =>
  stack.dev.requests.list().filter(({ resource }) => resource === REVIEWS.resource).length;
const refusals = (): number => stack.logLines().filter(({ action }) => action === 'session.refused').length;
const reasonOf = (headers: Headers): unknown =>
  stack
    .logLines()
    .find(({ event, requestId }) => event === 'request' && requestId === headers.get('x-request-id'))?.[
    'reason'
  ];

describe('a pod of this cluster', () => {
  it('reads with its projected token, under the name of its binding, pod and token', async () => {
    expect(stack.logLines()).toContainEqual(
      expect.objectContaining({
        ...{ event: 'audit', action: 'secret.read', outcome: 'succeeded' },
        ...{ actor: `machine:${namespace}/job`, issuer: 'here', podName: 'job', podUid: pod.uid },
        tokenId: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      }),
    );
    const of = async (name: string) =>
      (await read((await startPod(cluster, { namespace, name, audience: AUDIENCE })).token)).status;
    expect(await of('stranger')).toBe(403);
    expect(stack.logLines()).toContainEqual(
      expect.objectContaining({
        ...{ event: 'audit', action: 'session.refused', outcome: 'denied', code: 'forbidden' },
        ...{ issuer: 'here', podName: 'stranger', namespace },
      }),
    );
  });

  it('costs one review for many requests', async () => {
    const before = reviews();
    const fresh = await startPod(cluster, { namespace, name: 'fresh', audience: AUDIENCE });
    await read(fresh.token);
    await Promise.all(Array.from({ length: 5 }, () => read(fresh.token)));
    expect(reviews()).toBe(before + 1);
  });

  it('is refused with a token for another audience, before the cluster is called', async () => {
    const other = await startPod(cluster, { namespace, name: 'other', audience: 'vault' });
    const before = reviews();
    const answer = await read(other.token);
    expect([answer.status, reasonOf(answer.headers), reviews()]).toEqual([401, 'audience', before]);
  });

  it('is refused with a token that the cluster did not issue', async () => {
    const [header = '', payload = ''] = pod.token.split('.');
    const answer = await read(`${header}.${payload}.AAAA`);
    expect([answer.status, answer.json]).toEqual([401, { error: 'The bearer token is not accepted' }]);
    expect(reasonOf(answer.headers)).toBe('notAuthenticated');
  });

  it('goes without a review at an address with too many refused tokens, unless it was reviewed before', async () => {
    const limited = await stack.another({ env: { SERVICE_LOGIN_RATE_LIMIT: '2/1m' } });
    const send = async (token: string) => (await client(token, limited.url).get('/api/auth/me')).status;
    expect(await send(pod.token)).toBe(200);
    const [before, refusedBefore] = [reviews(), refusals()];
    const [header = '', payload = ''] = pod.token.split('.');
    const statuses: number[] = [];
    for (const signature of ['AAAA', 'BBBB', 'CCCC', 'DDDD', 'EEEE'])
      statuses.push(await send(`${header}.${payload}.${signature}`));
    expect([statuses, reviews() - before]).toEqual([[401, 401, 429, 429, 429], 3]);
    expect(await send(pod.token)).toBe(200);
    // Those that were reviewed.
    expect(refusals() - refusedBefore).toBe(3);
  });

  it('goes without a review also where the clients of its address give up before the answer', async () => {
    const refusedBefore = refusals();
    const certificate = makeCertificate('service');
    const tls = tlsSettings(certificate);
    const limited = await stack.another({ env: { ...tls.env, SERVICE_LOGIN_RATE_LIMIT: '2/1m' } });
    const session = await connectHttp2(Number(new URL(limited.url).port), certificate.cert);
    onTestFinished(() => {
      session.destroy();
      tls.remove();
    });
    stack.dev.faults.add({ match: REVIEWS, action: { type: 'delay', ms: 300 } });
    const [header = '', payload = ''] = pod.token.split('.');
    const wanted = (signature: string) => ({ authorization: `Bearer ${header}.${payload}.${signature}` });
    for (const signature of ['AAAA', 'BBBB', 'CCCC']) {
      const before = reviews();
      const stream = session.request({ ':path': '/api/auth/me', ...wanted(signature) });
      stream.on('error', () => undefined);
      await eventually(() => {
        expect(reviews()).toBe(before + 1);
      });
      stream.close(constants.NGHTTP2_CANCEL);
    }
    await eventually(() => {
      expect(refusals() - refusedBefore).toBe(3);
    });
    const last = { method: 'GET', path: '/api/auth/me', headers: wanted('DDDD') };
    expect((await overHttp2(session, last)).status).toBe(429);
  });

  it('is refused once it is deleted, by a replica that has not seen it', async () => {
    const elsewhere = await stack.another({});
    expect((await client(pod.token, elsewhere.url).get('/api/auth/me')).status).toBe(200);
    const path = `/api/v1/namespaces/${namespace}/pods/job`;
    const headers = { authorization: `Bearer ${stack.dev.adminToken}` };
    expect((await fetch(`${stack.dev.url}${path}`, { method: 'DELETE', headers })).status).toBe(200);
    const replica = await stack.another({});
    expect((await client(pod.token, replica.url).get('/api/auth/me')).status).toBe(401);
  });

  it.each([
    ['the service may not review tokens', { type: 'status', status: 403 }],
    ['the cluster fails', { type: 'status', status: 500 }],
    ['the answer of the cluster is lost', { type: 'cut', when: 'after' }],
  ] as const)('waits, with 503, while %s; people do not', async (_what, action) => {
    stack.dev.faults.add({ match: REVIEWS, action });
    const fresh = await startPod(cluster, { namespace, name: `pod-${action.type}`, audience: AUDIENCE });
    const answer = await read(fresh.token);
    expect([answer.status, answer.json]).toEqual([
      503,
      { error: expect.not.stringContaining('change') as string },
    ]);
    // What was found before holds.
    expect((await read(pod.token)).status).toBe(200);
    const admin = await stack.client(ADMIN);
    expect((await admin.get(`/api/namespaces/${namespace}/secrets/bound`)).status).toBe(200);
  });
});
