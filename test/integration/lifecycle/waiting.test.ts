import { connect } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openCluster, type ClusterApi } from '../../../hack/e2e/cluster-api.ts';
import { createNamespaces, createObjects, createRights } from '../../../hack/e2e/installation.ts';
import { knownKinds } from '../../../hack/e2e/kinds.ts';
import { renderedSet } from '../../../hack/e2e/manifest-sets.ts';
import { podEnvironment } from '../../../hack/e2e/pod-environment.ts';
import { startService, TEST_SESSION_SECRET, type ServiceProcess } from '../../harness/service-process.ts';
import { openFolderWithCluster, type FolderWithCluster } from './folder-with-cluster.ts';
import { runToEnd } from './run-to-end.ts';

const NAMESPACE = 'secrets-management';
const SETTINGS = {
  NEXT_PUBLIC_APP_URL: 'https://secrets.example.com',
  OIDC_ISSUER: 'https://login.example.com/realms/main',
  OIDC_CLIENT_ID: 'client',
};
const { manifests } = renderedSet('manifests/install.yaml');
const deployment = manifests.find(({ kind }) => kind === 'Deployment') ?? manifests[0];

let here: FolderWithCluster;
let cluster: ClusterApi;
beforeAll(async () => {
  here = await openFolderWithCluster();
  cluster = openCluster(here.kubeconfigFile);
  const kinds = knownKinds(cluster);
  await createNamespaces(cluster, manifests);
  await createRights(cluster, kinds, manifests);
  const rest = manifests.filter(({ kind }) => !/^Namespace$|Role|ServiceAccount/.test(kind));
  await createObjects(cluster, kinds, rest);
});
afterAll(async () => {
  await cluster.close();
  await here.close();
});

/** A pod of the Deployment as it would start now. */
async function startPod(waitFor: 'ready' | 'live', config = here.kubeconfigFile): Promise<ServiceProcess> {
  if (deployment === undefined) throw new Error('there is no Deployment');
  const env = { SESSION_SECRET: '', ...(await podEnvironment(cluster, deployment)) };
  const service = await startService({ kubeconfigFile: config, env, waitFor });
  onTestFinished(async () => {
    await service.stop();
  });
  return service;
}

const readiness = async ({ opsUrl }: ServiceProcess): Promise<string> => {
  const answer = await fetch(`${opsUrl}/readyz`);
  return `${answer.status} ${await answer.text()}`;
};

const waitingFor = (service: ServiceProcess) =>
  service.logLines().flatMap(({ event, level, variable, problem }) => {
    return event === 'waiting for a setting' ? [[level, variable, problem]] : [];
  });

it('applied alone, install.yaml ends with a service that says which settings are missing, and that serves nothing', async () => {
  // No file: the cluster is not even looked for.
  const service = await startPod('live', join(here.folder, 'absent'));
  expect(await readiness(service)).toBe(
    '503 not ready: settings (missing NEXT_PUBLIC_APP_URL, OIDC_ISSUER, OIDC_CLIENT_ID, SESSION_SECRET)\n',
  );
  const missing = [...Object.keys(SETTINGS), 'SESSION_SECRET'];
  expect(waitingFor(service)).toEqual(missing.map((variable) => ['warn', variable, 'missing']));
  const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text();
  expect(metrics).toMatch(/^service_ready\{check="settings"\} 0$/m);

  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const [refusal] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
  expect(refusal.code).toBe('ECONNREFUSED');
  expect(await service.stop()).toBe(0);
});

it('with its settings it names the key alone, and with its Secret it is ready', async () => {
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', data: SETTINGS };
  const settings = { ...configMap, metadata: { name: 'secrets-management-service-settings' } };
  await cluster.insist('POST', `/api/v1/namespaces/${NAMESPACE}/configmaps`, settings);
  const waiting = await startPod('live');
  expect(await readiness(waiting)).toBe('503 not ready: settings (missing SESSION_SECRET)\n');
  for (const value of Object.values(SETTINGS)) expect(waiting.output()).not.toContain(value);

  const data = { SESSION_SECRET: Buffer.from(TEST_SESSION_SECRET).toString('base64') };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'secrets-management-service' }, data };
  await cluster.insist('POST', `/api/v1/namespaces/${NAMESPACE}/secrets`, secret);
  const service = await startPod('ready');
  expect(await readiness(service)).toBe('200 ok\n');
  expect(waitingFor(service)).toEqual([]);
  const answer = await fetch(`${service.url}/api/config`);
  expect(await answer.json()).toMatchObject({ authDisabled: false, oidcConfigured: true });
});

it('a malformed setting ends the start-up even where settings are waited for', async () => {
  const { code, stdout, lines } = await runToEnd({
    SERVICE_WAIT_FOR_SETTINGS: 'true',
    OIDC_ISSUER: 'x-value',
  });
  expect([code, stdout]).toEqual([1, '']);
  const problem = expect.stringMatching(/^must be /) as string;
  expect(lines).toMatchObject([{ event: 'cannot start', variable: 'OIDC_ISSUER', problem }]);
});

it('without SERVICE_WAIT_FOR_SETTINGS production does not start without its public address', async () => {
  const { code, lines } = await runToEnd({ NODE_ENV: 'production', KUBECONFIG: here.kubeconfigFile });
  expect(code).toBe(1);
  const problem = 'is required in production with auth enabled';
  expect(lines).toMatchObject([{ variable: 'NEXT_PUBLIC_APP_URL', problem }]);
});
