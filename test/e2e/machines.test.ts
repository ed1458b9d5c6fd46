import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { COMBINATIONS } from '../../hack/manifests/renderings.ts';
import { openCluster } from '../../hack/e2e/cluster-api.ts';
import { clientWith, type ApiAnswer } from '../harness/api-client.ts';
import { nativeSecret } from '../harness/secret-paths.ts';
import { openFixture, WITHIN_MS, type Fixture } from './fixture.ts';
import { installOwn, type OwnInstallation } from './own-installation.ts';
import { eventually } from '../harness/eventually.ts';

const AUDIENCE = 'secrets-management';

let fixture: Fixture;
let own: OwnInstallation;
let namespace: string;
let token: string;

beforeAll(async () => {
  fixture = openFixture();
  const issuer = await issuerOfTheCluster();
  own = await installOwn(fixture, COMBINATIONS.tokenReview.file, 'machines', () => ({
    SERVICE_ANNOTATION_PREFIX: 'machines.example.com',
    SERVICE_TRUSTED_ISSUERS: JSON.stringify([{ name: 'here', kind: 'cluster', issuer, audience: AUDIENCE }]),
  }));
});
afterAll(async () => {
  await own.stop();
  await fixture.close();
});
beforeEach(async () => {
  namespace = await fixture.namespace();
  await fixture.kube.createSecret(namespace, nativeSecret('bound'));
  await fixture.kube.createSecret(namespace, nativeSecret('other'));
  const claims = { '/kubernetes.io/namespace': namespace, '/kubernetes.io/serviceaccount/name': 'job' };
  await fixture.kube.setPolicy(namespace, {
    machines: JSON.stringify([{ name: 'job', issuer: 'here', claims, level: 'read', secrets: ['bound'] }]),
  });
  token = await startPod(AUDIENCE);
});

/** What the cluster's own tokens name. */
async function issuerOfTheCluster(): Promise<string> {
  const place = await fixture.namespace();
  await fixture.kube.createServiceAccount(place, 'issuer');
  const any = await tokenOf(place, 'issuer', {});
  const claims = JSON.parse(Buffer.from(any.split('.')[1] ?? '', 'base64url').toString()) as { iss: string };
  return claims.iss;
}

async function tokenOf(place: string, account: string, spec: object): Promise<string> {
  const path = `/api/v1/namespaces/${place}/serviceaccounts/${account}/token`;
  const cluster = openCluster(fixture.adminKubeconfig);
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  const answer = (await cluster.insist('POST', path, body)) as { status: { token: string } };
  await cluster.close();
  return answer.status.token;
}

/** A pod need not run to have a token. */
async function startPod(audience: string): Promise<string> {
  await fixture.kube.createServiceAccount(namespace, 'job');
  const containers = [{ name: 'job', image: 'registry.k8s.io/pause:3.10' }];
  const spec = {
    serviceAccountName: 'job',
    containers,
    nodeSelector: { 'machines.example.com/none': 'true' },
  };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'job' }, spec };
  await own.cluster.insist('POST', `/api/v1/namespaces/${namespace}/pods`, pod);
  return tokenOf(namespace, 'job', {
    audiences: [audience],
    boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'job' },
  });
}

const read = (name: string, bearer = token): Promise<ApiAnswer> =>
  clientWith(own.service.url, { authorization: `Bearer ${bearer}` }).get(
    `/api/namespaces/${namespace}/secrets/${name}`,
  );
const becomes = (status: number, timeoutMs = WITHIN_MS): Promise<void> =>
  eventually(async () => {
    expect((await read('bound')).status).toBe(status);
  }, timeoutMs);

describe('a pod of the cluster', () => {
  it('reads what it is bound to, until it is deleted', async () => {
    await becomes(200);
    expect((await read('other')).status).toBe(403);
    const path = `/api/v1/namespaces/${namespace}/pods/job?gracePeriodSeconds=0`;
    await own.cluster.insist('DELETE', path);
    await becomes(401, 65_000);
  }, 120_000);

  it('is refused with a token for another audience, or one that the cluster did not sign', async () => {
    await becomes(200);
    const spec = { audiences: ['vault'], boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'job' } };
    expect((await read('bound', await tokenOf(namespace, 'job', spec))).status).toBe(401);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const forged = `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    const answer = await read('bound', forged);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer error="invalid_token"',
    ]);
  });
});
