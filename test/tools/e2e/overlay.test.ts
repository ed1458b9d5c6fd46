import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDevCluster, type DevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { openClusterOf, type ClusterApi } from '../../../hack/e2e/cluster-api.ts';
import { createNamespaces } from '../../../hack/e2e/installation.ts';
import { knownKinds } from '../../../hack/e2e/kinds.ts';
import { installOverlay, overlaySet } from '../../../hack/e2e/overlay.ts';
import { podEnvironment } from '../../../hack/e2e/pod-environment.ts';
import { namedForRun } from '../../../hack/e2e/run-names.ts';
import { findKustomize } from '../../../hack/manifests/kustomize.ts';
import type { Manifest } from '../../../hack/manifests/rendered.ts';

const BASE = resolve(import.meta.dirname, '../../../kustomize/base');
/** Rendered from an overlay outside the checkout, in the namespace `elsewhere`. */
const ELSEWHERE = 'test/data/rendered/elsewhere.yaml';

let folder: string;
let dev: DevCluster;
let cluster: ClusterApi;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  dev = await startDevCluster();
  cluster = openClusterOf(dev.kubeconfig());
});
afterAll(async () => {
  await cluster.close();
  await dev.close();
  rmSync(folder, { recursive: true });
});

describe('an overlay in another namespace', () => {
  it('is installed whole, without pods, and its pods would have these settings', async () => {
    const manifests = namedForRun(overlaySet(ELSEWHERE).manifests, 'e2e-whole');
    await createNamespaces(cluster, manifests);
    const environment = await installOverlay(cluster, knownKinds(cluster), manifests);
    expect(environment).toMatchObject({
      POD_NAMESPACE: 'e2e-whole-elsewhere',
      SERVICE_RESTART_ENABLED: 'true',
      NODE_OPTIONS: expect.stringContaining('--max-old-space-size') as string,
      SESSION_SECRET: expect.stringMatching(/^[\w-]{64}$/) as string,
    });
    expect(environment).not.toHaveProperty('OIDC_CLIENT_SECRET');
    const deployment = await cluster.insist(
      'GET',
      '/apis/apps/v1/namespaces/e2e-whole-elsewhere/deployments/secrets-management-service',
    );
    expect(deployment).toMatchObject({ spec: { replicas: 0 } });
  });

  it.runIf(findKustomize() !== undefined)('is a folder anywhere, rendered with kubectl', () => {
    const own = join(folder, 'ours');
    mkdirSync(own);
    const kustomization = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      namespace: 'ours',
      resources: [relative(own, BASE)],
      configMapGenerator: [
        {
          name: 'for-replacements',
          literals: ['a=b'],
          options: { annotations: { 'config.kubernetes.io/local-config': 'true' } },
        },
      ],
    };
    writeFileSync(join(own, 'kustomization.yaml'), JSON.stringify(kustomization));
    const { manifests } = overlaySet(own);
    const namespaces = manifests.flatMap(({ metadata }) => metadata.namespace ?? []);
    expect(new Set(namespaces)).toEqual(new Set(['ours']));
    expect(manifests.filter(({ metadata }) => metadata.name.startsWith('for-replacements'))).toEqual([]);
  });

  it('that is not there is an error', () => {
    expect(() => overlaySet(join(folder, 'absent'))).toThrow('ENOENT');
  });
});

describe('the environment of a pod', () => {
  const deploymentWith = (container: object): Manifest => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', namespace: 'pods' },
    spec: { template: { spec: { containers: [{ name: 'service', ...container }] } } },
  });
  const of = (container: object) => podEnvironment(cluster, deploymentWith(container));
  beforeAll(async () => {
    await cluster.insist('POST', '/api/v1/namespaces', { metadata: { name: 'pods' } });
    const create = (kind: string, name: string, data: object) =>
      cluster.insist('POST', `/api/v1/namespaces/pods/${kind}`, { metadata: { name }, data });
    await create('configmaps', 'first', { A: '1', B: '1', C: '1' });
    await create('configmaps', 'second', { B: '2', C: '2' });
    await create('secrets', 's', { KEY: Buffer.from('value').toString('base64') });
  });

  it('has the later source in place of the earlier, and the variable in place of both', async () => {
    const envFrom = [{ configMapRef: { name: 'first' } }, { configMapRef: { name: 'second' } }];
    const env = [{ name: 'C', value: '3' }, { name: 'EMPTY' }];
    expect(await of({ envFrom, env })).toEqual({ A: '1', B: '2', C: '3', EMPTY: '' });
  });

  it('has what keys and fields name, and nothing of an optional one that is absent', async () => {
    const env = [
      { name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'KEY' } } },
      { name: 'ONE', valueFrom: { configMapKeyRef: { name: 'first', key: 'A' } } },
      { name: 'HERE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
      { name: 'NO_KEY', valueFrom: { secretKeyRef: { name: 's', key: 'NONE', optional: true } } },
      { name: 'NO_SECRET', valueFrom: { secretKeyRef: { name: 'none', key: 'K', optional: true } } },
    ];
    const envFrom = [{ secretRef: { name: 'none', optional: true } }];
    expect(await of({ envFrom, env })).toEqual({ KEY: 'value', ONE: '1', HERE: 'pods' });
  });

  it.each([
    ['a ConfigMap', { envFrom: [{ configMapRef: { name: 'none' } }] }, 'configmaps/none'],
    [
      'a key',
      { env: [{ name: 'K', valueFrom: { secretKeyRef: { name: 's', key: 'NONE' } } }] },
      'the key NONE of s',
    ],
  ])('is an error without %s that it needs', async (_what, container, named) => {
    await expect(of(container)).rejects.toThrow(named);
  });
});
