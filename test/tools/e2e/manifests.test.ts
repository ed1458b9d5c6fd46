import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDevCluster, type DevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { accountKubeconfig } from '../../../hack/e2e/account-kubeconfig.ts';
import { cleanUp, namespacesOf } from '../../../hack/e2e/clean-up.ts';
import { openCluster, openClusterOf, type ClusterApi } from '../../../hack/e2e/cluster-api.ts';
import { dryRun, isGood } from '../../../hack/e2e/dry-run.ts';
import { accountOf, createNamespaces, createObjects, createRights } from '../../../hack/e2e/installation.ts';
import { knownKinds } from '../../../hack/e2e/kinds.ts';
import { kindSet, renderedSet } from '../../../hack/e2e/manifest-sets.ts';
import { checkManifests } from '../../../hack/e2e/on-cluster.ts';
import { namedForRun } from '../../../hack/e2e/run-names.ts';
import type { Manifest } from '../../../hack/manifests/rendered.ts';
import { createKubeClient } from '../../harness/kube-client.ts';

/** Kinds that only operators bring. */
const NOT_BUILT_IN = /^ {2}not known to this cluster: (ServiceMonitor|PrometheusRule) e2e-all-/;

let folder: string;
let dev: DevCluster;
let kubeconfigFile: string;
let cluster: ClusterApi;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  dev = await startDevCluster();
  kubeconfigFile = join(folder, 'kubeconfig');
  writeFileSync(kubeconfigFile, dev.kubeconfig(), { mode: 0o600 });
  cluster = openCluster(kubeconfigFile);
});
afterAll(async () => {
  await cluster.close();
  await dev.close();
  rmSync(folder, { recursive: true });
});

describe('the server-side dry-run', () => {
  it('accepts everything that there is to install, and names what the cluster does not know', async () => {
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    expect(await checkManifests({ name: 'e2e-all', cluster, kinds: knownKinds(cluster), say })).toBe(true);
    expect(said[0]).toContain(
      'manifests/install.yaml, manifests/install-namespaced.yaml, test/data/rendered/',
    );
    const unknown = said.filter((line) => line.includes('not known'));
    expect(unknown).not.toEqual([]);
    for (const line of unknown) expect(line).toMatch(NOT_BUILT_IN);
    expect(said.filter((line) => line.includes('REFUSED'))).toEqual([]);
  });

  it('keeps nothing', async () => {
    const rendered = namedForRun(renderedSet('manifests/install.yaml').manifests, 'e2e-dry');
    await dryRun(cluster, knownKinds(cluster), rendered);
    expect(await namespacesOf(cluster, 'e2e-dry')).toEqual([]);
  });

  it.each([
    ['a Service without ports', { apiVersion: 'v1', kind: 'Service', spec: {} }, /spec\.ports: Required/],
    [
      'a field that there is not',
      { apiVersion: 'v1', kind: 'ConfigMap', datta: {} },
      /unknown field "datta"/,
    ],
    [
      'a role that grants nothing by name',
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', rules: [{ resources: ['secrets'] }] },
      /verbs: Required/,
    ],
  ])('refuses %s, in the words of the cluster', async (_what, object, words) => {
    const manifest: Manifest = { ...object, metadata: { name: 'wrong', namespace: 'default' } };
    const [verdict] = await dryRun(cluster, knownKinds(cluster), [manifest]);
    expect(verdict).toMatchObject({ outcome: 'refused' });
    expect(verdict?.words.join()).toMatch(words);
  });
});

describe('a warning of the cluster', () => {
  const accepted = (text: string) => isGood({ object: 'Deployment x', outcome: 'accepted', words: [text] });

  it.each([
    'policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+',
    'spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
    'spec.template.metadata.annotations[x]: non-functional in v1.27+; use the "seccompProfile" field instead',
    'unknown field "spec.datta"',
    'would violate PodSecurity "restricted:latest": runAsNonRoot != true',
  ])('about the object is a failure: %s', (text) => {
    expect(accepted(text)).toBe(false);
  });

  it.each([
    'policy require-labels.check-team: validation error: the label team is required',
    '[must-have-owner] you must provide labels: {"owner"}',
    "Validation failed for ValidatingAdmissionPolicy 'demo' with binding 'demo': replicas must be at least 3",
  ])('of a policy of that cluster is shown only: %s', (text) => {
    expect(accepted(text)).toBe(true);
  });
});

describe('a run', () => {
  it('names everything for itself: what is there already stays untouched', () => {
    const { manifests } = kindSet();
    const outermost = ({ metadata }: Manifest) => metadata.namespace ?? metadata.name;
    const named = namedForRun(manifests, 'e2e-x');
    for (const object of named) expect(outermost(object)).toMatch(/^e2e-x-/);
    expect(named.find(({ kind }) => kind === 'Gateway')).toMatchObject({
      spec: { gatewayClassName: named.find(({ kind }) => kind === 'GatewayClass')?.metadata.name },
    });
    const text = JSON.stringify(
      namedForRun(manifests, 'e2e-x').filter(({ kind }) => kind.includes('Role') || kind.includes('Account')),
    );
    expect(text).not.toMatch(/"namespace":"secrets-management"/);
  });

  it('gives the service the rights of its account and no more, and removes everything afterwards', async () => {
    const run = 'e2e-life';
    const manifests = namedForRun(renderedSet('manifests/install.yaml').manifests, run);
    await createNamespaces(cluster, manifests);
    await createRights(cluster, knownKinds(cluster), manifests);
    const ofKind = namedForRun(kindSet().manifests, run);
    await createObjects(
      cluster,
      knownKinds(cluster),
      ofKind.filter(({ kind }) => kind === 'GatewayClass'),
    );
    const account = accountOf(manifests);
    const text = await accountKubeconfig(cluster, kubeconfigFile, account);
    expect(text).not.toContain(dev.adminToken);
    const asService = openClusterOf(text);
    expect((await asService.send('GET', '/api/v1/secrets')).status).toBe(200);
    expect((await asService.send('GET', '/api/v1/serviceaccounts')).status).toBe(403);

    const kube = createKubeClient(kubeconfigFile);
    await kube.createSecret(account.namespace, { metadata: { name: 'left' } });
    const finalizers = ['example.com/hold'];
    await kube.createSecret(account.namespace, { metadata: { name: 'held', finalizers } });
    await kube.close();
    expect(await cleanUp(cluster, run)).toEqual([]);
    expect((await asService.send('GET', '/api/v1/secrets')).status).toBe(401);
    await asService.close();
    expect(await namespacesOf(cluster, run)).toEqual([]);
    for (const path of [
      'rbac.authorization.k8s.io/v1/clusterroles',
      'gateway.networking.k8s.io/v1/gatewayclasses',
    ])
      expect(JSON.stringify(await cluster.insist('GET', `/apis/${path}`))).not.toContain(run);
  });
});
