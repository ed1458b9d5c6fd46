import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../../../src/access/policy.ts';
import { hasRules } from '../../../src/contract/access-rules.ts';
import { parseTrustProxy } from '../../../src/config/forms.ts';
import { trustProxyProblem } from '../../../src/config/oddities.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { VARIABLES } from '../../../src/config/variables.ts';
import type { RightsRule } from '../../../hack/demo/rights.ts';
import type { Manifest } from '../../../hack/manifests/rendered.ts';
import {
  ALL_COMPONENTS,
  deploymentOf,
  INSTALLATIONS,
  ofKind,
  podOf,
  RENDERED,
  settingsOf,
} from './installation.ts';

const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

const seconds = (constant: string): number => {
  const digits = new RegExp(`const ${constant} = ([\\d_]+);`).exec(read('src/app/serving.ts'))?.[1] ?? '';
  return Number(digits.replaceAll('_', '')) / 1_000;
};

const matching = (pattern: RegExp): string => expect.stringMatching(pattern) as string;
/** Where two are not possible: each pod's provider has only its own logins. */
const REPLICAS: ReadonlyMap<string, number> = new Map([['kustomize/overlays/kind-gateway', 1]]);

const labelsOf = ({ spec }: ReturnType<typeof deploymentOf>) => spec.template.metadata.labels;
const selects = (selector: object, labels: object): boolean =>
  Object.entries(selector).every(([key, value]) => (labels as Record<string, unknown>)[key] === value);

describe.each([...INSTALLATIONS])('%s', (folder, objects) => {
  const deployment = deploymentOf(objects);
  const pod = podOf(objects);
  const service = pod.containers.find(({ name }) => name === 'service');
  const settings = settingsOf(objects);

  it('sets only variables that there are, to values that the service takes', () => {
    expect(Object.keys(settings).filter((name) => !(name in VARIABLES))).toEqual([]);
    const needed = { NEXT_PUBLIC_APP_URL: 'https://secrets.example.com', ...settings };
    expect(() => readSettings(needed)).not.toThrow();
  });

  it('leaves what differs from one installation to another out of the base, so that it is not forgotten', () => {
    const own = ['NEXT_PUBLIC_APP_URL', 'OIDC_ISSUER', 'OIDC_CLIENT_ID'].filter((name) => name in settings);
    expect(own.length).toBe(['kustomize/base', 'kustomize/overlays/namespaced'].includes(folder) ? 0 : 3);
  });

  it('holds no Secret, and takes the keys from the one that is made by hand', () => {
    expect(ofKind(objects, 'Secret')).toEqual([]);
    const keys = (service?.env ?? []).flatMap(({ name: variable, valueFrom }) =>
      valueFrom?.secretKeyRef === undefined ? [] : [{ variable, ...valueFrom.secretKeyRef }],
    );
    const name = 'secrets-management-service';
    // What is installed from a file starts without the Secret, and says that it is missing.
    const waits = settings['SERVICE_WAIT_FOR_SETTINGS'] === 'true' ? { optional: true } : {};
    expect(keys).toEqual([
      { variable: 'SESSION_SECRET', name, key: 'SESSION_SECRET', ...waits },
      { variable: 'SESSION_SECRET_PREVIOUS', name, key: 'SESSION_SECRET_PREVIOUS', optional: true },
      { variable: 'OIDC_CLIENT_SECRET', name, key: 'OIDC_CLIENT_SECRET', optional: true },
      { variable: 'OTEL_EXPORTER_OTLP_HEADERS', name, key: 'OTEL_EXPORTER_OTLP_HEADERS', optional: true },
    ]);
    for (const { variable } of keys) expect(settings).not.toHaveProperty(variable);
  });

  it('names the addresses of its ingress or gateway, and never believes every private one', () => {
    const { proxies, trusted } = {
      proxies: [...ofKind(objects, 'Ingress'), ...ofKind(objects, 'HTTPRoute')],
      trusted: parseTrustProxy(settings['TRUST_PROXY'] ?? ''),
    };
    if (proxies.length === 0) expect(settings).not.toHaveProperty('TRUST_PROXY');
    else expect(trusted).toEqual([expect.stringMatching(/^[0-9.]+\/[0-9]+$/)]);
    expect(trustProxyProblem(trusted)).toBeUndefined();
  });

  it('may read the one ConfigMap that ends sessions early, under the name and in the namespace that the service looks in', () => {
    const pod = (service?.env ?? []).find((entry) => entry.name === 'POD_NAMESPACE') as object | undefined;
    expect(pod).toMatchObject({ valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } });
    const name = settings['SERVICE_REVOCATIONS_NAME'] ?? VARIABLES.SERVICE_REVOCATIONS_NAME.shownDefault;
    const role = ofKind(objects, 'Role').find((one) => one.metadata.name.endsWith('-revocations'));
    expect(role).toMatchObject({
      metadata: { namespace: 'secrets-management' },
      rules: [
        { apiGroups: [''], resources: ['configmaps'], resourceNames: [name], verbs: ['list', 'watch'] },
      ],
    });
    // Applying an upgrade must not give sessions back that were ended.
    expect(ofKind(objects, 'ConfigMap').map((one) => one.metadata.name)).not.toContain(name);
  });

  it('closes its own namespace by a policy of the name that the service looks for', () => {
    const name = settings['SERVICE_POLICY_NAME'] ?? VARIABLES.SERVICE_POLICY_NAME.shownDefault;
    const policies = ofKind(objects, 'ConfigMap').filter(({ metadata }) => metadata.name === name);
    expect(policies.map(({ metadata }) => metadata.namespace)).toEqual(['secrets-management']);
    const data = new Map(Object.entries(policies[0]?.['data'] as Record<string, string>));
    const policy = parsePolicy({
      namespace: 'secrets-management',
      data,
      resourceVersion: '1',
      binaryKeys: [],
    });
    expect(policy).toMatchObject({ state: 'rules' });
    // Two empty lists are open.
    expect(policy.state === 'rules' && hasRules(policy.rules)).toBe(true);
    // Identities are trimmed and groups come as they are, so only a person can be no one for sure.
    expect(policy).toMatchObject({ rules: { allowedGroups: [], allowedUsers: [/^\s/].map(matching) } });
  });

  it('may read ConfigMaps of the names that the service reads alone, and never every ConfigMap', () => {
    const name = settings['SERVICE_POLICY_NAME'] ?? VARIABLES.SERVICE_POLICY_NAME.shownDefault;
    const rules = [...ofKind(objects, 'Role'), ...ofKind(objects, 'ClusterRole')]
      .filter(({ metadata }) => metadata.name === 'secrets-management-service')
      .map((role) =>
        (role['rules'] as RightsRule[]).filter(({ resources }) => resources.includes('configmaps')),
      );
    expect(rules.length).toBeGreaterThan(0);
    for (const ofRole of rules) {
      expect(ofRole).toMatchObject([{ resourceNames: [name], verbs: ['get', 'list', 'watch'] }]);
    }
  });

  it('gives the service the time that it takes to stop', () => {
    const longest = seconds('STOP_DEADLINE_MS');
    expect(longest).toBeGreaterThan(seconds('READINESS_LEAD_MS'));
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(longest);
  });

  it('probes the operations port alone', () => {
    const probes = [service?.startupProbe, service?.livenessProbe, service?.readinessProbe];
    expect(probes.map((probe) => probe?.httpGet)).toEqual([
      { path: '/livez', port: 'operations' },
      { path: '/livez', port: 'operations' },
      { path: '/readyz', port: 'operations' },
    ]);
    expect(service?.ports).toEqual([
      { name: 'http', containerPort: Number(VARIABLES.PORT.shownDefault) },
      { name: 'operations', containerPort: Number(VARIABLES.OPS_PORT.shownDefault) },
    ]);
  });

  it('never has fewer pods than it should while it is rolled out', () => {
    expect(deployment.spec.strategy).toMatchObject({ rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } });
    const autoscaled = ofKind(objects, 'HorizontalPodAutoscaler').length > 0;
    expect(deployment.spec.replicas).toBe(autoscaled ? undefined : (REPLICAS.get(folder) ?? 2));
  });

  it('has Services, budgets and policies that select its pods, and ports that these have', () => {
    const selectors = objects.flatMap(({ kind, spec }) => {
      const { selector, podSelector } = (spec ?? {}) as Record<string, Selector | undefined>;
      if (kind === 'Service') return [selector];
      if (kind === 'PodDisruptionBudget' || kind === 'NetworkPolicy' || kind === 'Deployment')
        return [(selector ?? podSelector)?.matchLabels];
      return [];
    });
    expect(selectors.length).toBeGreaterThanOrEqual(4);
    for (const selector of selectors) expect(selects(selector ?? {}, labelsOf(deployment))).toBe(true);
    const ports = ofKind(objects, 'Service').flatMap(({ spec }) => (spec as { ports: object[] }).ports);
    expect(ports).toMatchObject([{ targetPort: 'http' }, { targetPort: 'operations' }]);
  });

  it('keeps the operations port from whatever reaches the public one', () => {
    const services = ofKind(objects, 'Service');
    const portsOf = (name: string) =>
      (
        services.find(({ metadata }) => metadata.name === name)?.['spec'] as
          | { ports: { name: string }[] }
          | undefined
      )?.ports;
    expect(portsOf('secrets-management-service')).toHaveLength(1);
    const backends = JSON.stringify(ofKind(objects, 'Ingress'));
    expect(backends).not.toContain('operations');
  });

  it('puts everything into its own namespace, but for the rights in others', () => {
    const elsewhere = objects.filter(
      ({ kind, metadata }) =>
        !/^Cluster|^Namespace$|^GatewayClass$/.test(kind) && metadata.namespace !== 'secrets-management',
    );
    expect(elsewhere.filter(({ kind }) => !/^Role(Binding)?$/.test(kind))).toEqual([]);
  });

  it('gives every object the standard labels', () => {
    const labels = {
      'app.kubernetes.io/name': 'secrets-management-service',
      'app.kubernetes.io/part-of': 'secrets-management-service',
    };
    expect(objects.filter(({ metadata }) => !selects(labels, metadata.labels ?? {}))).toEqual([]);
  });

  it('binds the rights to the account that the pods run as', () => {
    const bindings = objects.filter(({ kind }) => kind.endsWith('RoleBinding'));
    expect(bindings.length).toBeGreaterThan(0);
    const account = { kind: 'ServiceAccount', name: pod.serviceAccountName, namespace: 'secrets-management' };
    for (const binding of bindings) expect(binding['subjects']).toEqual([account]);
    expect(pod.automountServiceAccountToken).toBe(true);
    expect(ofKind(objects, 'ServiceAccount')).toMatchObject([{ automountServiceAccountToken: false }]);
  });
});

interface Selector {
  readonly matchLabels?: object;
}

it.each([...INSTALLATIONS])(
  '%s waits for settings only where it is installed from a file',
  (folder, objects) => {
    const fromFile = ['kustomize/base', 'kustomize/overlays/namespaced'].includes(folder);
    expect(settingsOf(objects)['SERVICE_WAIT_FOR_SETTINGS']).toBe(fromFile ? 'true' : undefined);
  },
);

it('the base runs the version that is in package.json', () => {
  const images = podOf(installed('kustomize/base')).containers.map(({ image }) => image);
  expect(images).toEqual([`secrets-management-service:${version}`]);
});

it('the namespaced overlay grants rights in the namespaces that its settings name', () => {
  const objects = installed('kustomize/overlays/namespaced');
  const namespaces = ofKind(objects, 'Role')
    .filter(({ metadata }) => metadata.name === 'secrets-management-service')
    .map(({ metadata }) => metadata.namespace);
  expect(namespaces.toSorted()).toEqual(settingsOf(objects)['SERVICE_NAMESPACES']?.split(',').toSorted());
});

it.each([...RENDERED])(
  '%s has all settings in one ConfigMap named by their hash, so that a change rolls the pods',
  (_, objects) => {
    const service = podOf(objects).containers.find(({ name }) => name === 'service');
    expect(service?.envFrom).toEqual([
      { configMapRef: { name: matching(/^secrets-management-service-[a-z0-9]{10}$/) } },
      // Created by hand, where there is no kustomize.
      { configMapRef: { name: 'secrets-management-service-settings', optional: true } },
    ]);
    const names = ofKind(objects, 'ConfigMap').map(({ metadata }) => metadata.name);
    expect(names.filter((name) => /^secrets-management-service-[a-z0-9]{10}$/.test(name))).toHaveLength(1);
  },
);

it('the components change the settings of the base', () => {
  expect(settingsOf(ALL_COMPONENTS)).toMatchObject({
    NODE_ENV: 'production',
    SERVICE_RESTART_ENABLED: 'true',
  });
});

it('the ingress component leaves the class to the cluster or an overlay', () => {
  const [ingress] = ofKind(ALL_COMPONENTS, 'Ingress');
  expect(ingress?.['spec']).not.toHaveProperty('ingressClassName');
});

it('the production overlay has the host of its ingress from NEXT_PUBLIC_APP_URL, its class, and its own runbook', () => {
  const [ingress] = ofKind(installed('kustomize/overlays/production'), 'Ingress');
  expect(ingress?.['spec']).toMatchObject({
    ingressClassName: 'nginx',
    rules: [{ host: 'secrets.example.com' }],
    tls: [{ hosts: ['secrets.example.com'] }],
  });
});

it('the heap of Node fits into the memory limit', () => {
  const [service] = podOf(installed('kustomize/base')).containers;
  const options = service?.env?.find(({ name }) => name === 'NODE_OPTIONS')?.value ?? '';
  expect(service?.resources.limits?.memory).toBe('1Gi');
  expect(Number(/--max-old-space-size=(\d+)$/.exec(options)?.[1])).toBeLessThan(1_024 * 0.8);
});

function installed(folder: string): readonly Manifest[] {
  const objects = INSTALLATIONS.get(folder);
  if (objects === undefined) throw new Error(`there is no ${folder}`);
  return objects;
}
