import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageChart } from '../../../chart/package-chart.ts';
import { COMBINATIONS, PUBLISHED } from '../../../hack/manifests/renderings.ts';
import { readDocument } from '../../unit/observability/markdown-tables.ts';
import { refusesOtherPlaces } from './helm/refusals.ts';
import { rendered, useChart } from './helm/use-chart.ts';

const chart = useChart();
const { folder, helm, charted } = chart;

const EVERYTHING = {
  waitForSettings: false,
  ingress: { enabled: true, host: 'secrets.example.com' },
  gateway: { enabled: true, hostname: 'secrets.example.com' },
  networkPolicy: { enabled: true },
  autoscaling: { enabled: true },
  monitoring: { enabled: true },
  tokenReview: { enabled: true },
  restart: { enabled: true },
};

const { waitForSettings, ingress, gateway, networkPolicy } = EVERYTHING;
const BEHIND_BOTH_WITH_TLS = { waitForSettings, ingress, gateway, networkPolicy, tls: { enabled: true } };
const NAMESPACED = { namespaces: ['team-a', 'team-b'] };

describe('the chart installs the objects, names and rights of the manifests', () => {
  it.each([
    ['by default', {}, PUBLISHED[0].file],
    ['in single namespaces', NAMESPACED, PUBLISHED[1].file],
    ['with every component', EVERYTHING, COMBINATIONS.allComponents.file],
    ['with TLS behind an ingress and a gateway', BEHIND_BOTH_WITH_TLS, COMBINATIONS.tls.file],
    ['with TLS alone', { waitForSettings: false, tls: { enabled: true } }, COMBINATIONS.tlsAlone.file],
    [
      'with the right to review tokens',
      { waitForSettings: false, tokenReview: { enabled: true } },
      COMBINATIONS.tokenReview.file,
    ],
    ['with consumers', { waitForSettings: false, consumers: { enabled: true } }, COMBINATIONS.consumers.file],
    [
      'with restarts in single namespaces',
      { ...NAMESPACED, waitForSettings: false, restart: { enabled: true } },
      COMBINATIONS.namespacedRestart.file,
    ],
  ])('%s', (_how, values, file) => {
    expect(charted(values)).toEqual(rendered(file));
  });

  it('in another namespace', () => {
    expect(charted(EVERYTHING, { namespace: 'elsewhere' })).toEqual(rendered(COMBINATIONS.elsewhere.file));
  });
});

describe('the chart gives another name of a ConfigMap the rights of the usual one', () => {
  const settings = { SERVICE_POLICY_NAME: 'secrets-policy', SERVICE_REVOCATIONS_NAME: 'ended-sessions' };

  it.each([
    ['in every namespace', {}, PUBLISHED[0].file],
    ['in single namespaces', NAMESPACED, PUBLISHED[1].file],
  ])('%s', (_where, values, file) => {
    const text = JSON.stringify(rendered(file))
      .replaceAll('service-policy"', 'secrets-policy"')
      .replaceAll('"service-revocations"', '"ended-sessions"');
    const renamed = JSON.parse(text) as Record<string, { data: object }>;
    Object.assign(renamed['ConfigMap/secrets-management/secrets-management-service']?.data ?? {}, settings);
    expect(charted({ ...values, settings })).toEqual(renamed);
  });
});

it('the chart reads no ConfigMap that an installation without Helm left behind', () => {
  expect(helm({})).not.toContain('secrets-management-service-settings');
});

refusesOtherPlaces(chart, NAMESPACED);

it('installations in two namespaces share no object that is cluster-wide', () => {
  const values = { ...NAMESPACED, tokenReview: { enabled: true } };
  const names = ['one', 'two'].flatMap((namespace) =>
    [...helm(values, { namespace }).matchAll(/^kind: (Cluster\w+)\nmetadata:\n {2}name: (.+)$/gm)].map(
      ([, kind, name]) => `${kind} ${name}`,
    ),
  );
  expect(names).toHaveLength(4);
  expect(new Set(names).size).toBe(4);
  // The binding names the role of its own installation.
  expect(helm(values, { namespace: 'one' })).not.toContain('-token-review\n');
});

it('an upgrade keeps the selector of the pods, which Kubernetes lets no one change', () => {
  const name = 'Deployment/secrets-management/secrets-management-service';
  const matchLabels = {
    'app.kubernetes.io/component': 'server',
    'app.kubernetes.io/name': 'secrets-management-service',
  };
  for (const values of [{}, EVERYTHING, { ...NAMESPACED, tls: { enabled: true }, image: { tag: '9.9.9' } }])
    expect(charted(values)[name]).toHaveProperty('spec.selector', { matchLabels });
});

it('a package of the chart runs one image by its digest, and has the same bytes each time', () => {
  const reference = `registry.example.com/team/secrets-management-service@sha256:${'a'.repeat(64)}`;
  const [one, two] = ['one', 'two'].map((name) => {
    const place = join(folder(), name);
    mkdirSync(place);
    return join(place, packageChart(reference, place));
  }) as [string, string];
  expect(readFileSync(one).equals(readFileSync(two))).toBe(true);
  execFileSync('tar', ['-xzf', one, '-C', folder()]);
  const unpacked = join(folder(), 'secrets-management-service');
  expect(helm({}, { chart: unpacked })).toContain(`image: ${reference}\n`);
});

describe('the values of the chart', () => {
  const URL_WITH_PORT = { NEXT_PUBLIC_APP_URL: 'https://secrets.example.com:8443' };
  const deployment = (values: object): string =>
    JSON.stringify(charted(values)['Deployment/secrets-management/secrets-management-service']);

  it('reach the pods', () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const text = deployment({
      image: { repository: 'registry.example.com/service', digest, pullSecrets: [{ name: 'registry' }] },
      secretName: 'another-secret',
      nodeSelector: { pool: 'system' },
      tolerations: [{ key: 'system', operator: 'Exists' }],
      extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/ca/ca.crt' }],
      extraVolumes: [{ name: 'ca', configMap: { name: 'ca' } }],
      extraVolumeMounts: [{ name: 'ca', mountPath: '/ca' }],
    });
    expect(text).toContain(`"image":"registry.example.com/service@${digest}"`);
    expect(text.match(/"name":"another-secret"/g)).toHaveLength(4);
    for (const part of [
      '"imagePullSecrets":[{"name":"registry"}]',
      '"nodeSelector":{"pool":"system"}',
      '"tolerations":[{"key":"system","operator":"Exists"}]',
      '{"name":"NODE_EXTRA_CA_CERTS","value":"/ca/ca.crt"}',
      '"volumes":[{"configMap":{"name":"ca"},"name":"ca"}]',
      '"volumeMounts":[{"mountPath":"/ca","name":"ca"}]',
    ])
      expect(text).toContain(part);
  });

  it('name the Secret of the certificate, whose volume stands beside others', () => {
    const text = deployment({
      tls: { enabled: true, secretName: 'another-certificate' },
      extraVolumes: [{ name: 'ca', configMap: { name: 'ca' } }],
      extraVolumeMounts: [{ name: 'ca', mountPath: '/ca' }],
    });
    expect(text).toContain(
      '"volumes":[{"name":"server-tls","secret":{"defaultMode":288,"secretName":"another-certificate"}},{"configMap"',
    );
    expect(text).toContain('"name":"server-tls","readOnly":true},{"mountPath":"/ca","name":"ca"}]');
  });

  it('are settings as text, which roll the pods when they change', () => {
    const settings = { SERVICE_HISTORY_LIMIT: 20, SERVICE_MANAGED_ONLY: true };
    const { data } = charted({ settings })['ConfigMap/secrets-management/secrets-management-service'] as {
      data: object;
    };
    expect(data).toMatchObject({
      SERVICE_HISTORY_LIMIT: '20',
      SERVICE_MANAGED_ONLY: 'true',
      NODE_ENV: 'production',
    });
    const checksum = (values: object) => /checksum\/settings: (\w{64})/.exec(helm(values))?.[1];
    expect(checksum({ settings })).not.toBe(checksum({}));
    expect(checksum({ settings })).toBe(checksum({ settings, replicas: 3 }));
  });

  it('open ports outwards, or none, and add rules', () => {
    const ports = (...numbers: number[]) => ({ ports: numbers.map((port) => ({ port, protocol: 'TCP' })) });
    const to = { to: [{ ipBlock: { cidr: '169.254.20.10/32' } }], ports: [{ port: 53, protocol: 'UDP' }] };
    const egress = (values: object) => {
      const objects = charted({ networkPolicy: { enabled: true, ...values } });
      const policy = objects['NetworkPolicy/secrets-management/secrets-management-service'] as {
        spec: { egress: object[] };
      };
      return policy.spec.egress.slice(1);
    };
    expect(egress({ egressPorts: [443, 6443, 8443] })).toEqual([ports(443, 6443, 8443)]);
    expect(egress({ egressPorts: [], extraEgress: [to] })).toEqual([to]);
    expect(egress({ extraEgress: [to] })).toEqual([ports(443, 6443), to]);
    expect(egress({ egressPorts: [] })).toEqual([]);
  });

  it('move the ports of the container with the settings', () => {
    const ports = (settings: object): unknown =>
      JSON.parse(/"ports":(\[.*?\])/.exec(deployment({ settings }))?.[1] ?? '');
    expect(ports({ PORT: 8080, OPS_PORT: '9091' })).toEqual([
      { containerPort: 8080, name: 'http' },
      { containerPort: 9091, name: 'operations' },
    ]);
    expect(() => helm({ extraEnv: [{ name: 'PORT', value: '8080' }] })).toThrow('PORT belongs in settings');
  });

  it('annotate the Service', () => {
    const annotations = { 'projectcontour.io/upstream-protocol.tls': '443,https' };
    const service = charted({ service: { annotations } })[
      'Service/secrets-management/secrets-management-service'
    ];
    expect(service).toMatchObject({ metadata: { annotations } });
  });

  it('have each part of the monitoring alone, with the labels by which it is selected', () => {
    const kindOf = { serviceMonitor: 'ServiceMonitor', alerts: 'PrometheusRule', dashboard: 'ConfigMap' };
    const none = { enabled: true, serviceMonitor: false, alerts: false, dashboard: false };
    const labels = { release: 'prometheus' };
    const before = Object.keys(charted({}));
    expect(Object.keys(charted({ monitoring: none }))).toEqual(before);
    for (const [part, kind] of Object.entries(kindOf)) {
      const objects = Object.entries(charted({ monitoring: { ...none, [part]: true, labels } }));
      const added = objects.filter(([name]) => !before.includes(name)).map(([, object]) => object);
      expect(added).toEqual([
        expect.objectContaining({
          kind,
          metadata: expect.objectContaining({
            labels: expect.objectContaining(labels) as unknown,
          }) as unknown,
        }),
      ]);
    }
  });

  it('take the host from the public address, without its port', () => {
    const values = {
      settings: URL_WITH_PORT,
      ingress: { enabled: true, className: 'traefik' },
      gateway: { enabled: true },
    };
    const objects = charted(values);
    expect(objects['Ingress/secrets-management/secrets-management-service']).toMatchObject({
      spec: {
        ingressClassName: 'traefik',
        rules: [{ host: 'secrets.example.com' }],
        tls: [{ hosts: ['secrets.example.com'] }],
      },
    });
    expect(objects['HTTPRoute/secrets-management/secrets-management-service']).toMatchObject({
      spec: { hostnames: ['secrets.example.com'] },
    });
    expect(() => helm({ ingress: { enabled: true } })).toThrow(
      /settings.NEXT_PUBLIC_APP_URL is required for the host/,
    );
  });

  it('of docs/install.md are those of a service that has its settings', () => {
    const [, example = ''] =
      /## With Helm[\s\S]*?```yaml\n([\s\S]*?)```/.exec(readDocument('install.md')) ?? [];
    const values = parse(example) as object;
    expect(helm(values)).toContain('kind: Ingress');
    expect(helm(values, { notes: true })).not.toMatch(/waits for its settings|TRUST_PROXY/);
  });

  it('end in notes that say what is missing', () => {
    expect(helm({}, { notes: true })).toContain('set settings.NEXT_PUBLIC_APP_URL');
    const settings = { ...URL_WITH_PORT, OIDC_ISSUER: 'https://idp.example.com', OIDC_CLIENT_ID: 'service' };
    const notes = helm({ settings }, { notes: true, namespace: 'elsewhere' });
    expect(notes).toContain('at https://secrets.example.com:8443');
    expect(notes).toContain('kubectl -n elsewhere rollout status');
    expect(notes).not.toContain('waits for its settings');
  });

  it('end in notes with the next steps of what they turn on', () => {
    const steps = ['TRUST_PROXY', 'secret tls tls-of-host', 'secret tls tls-of-pods', 'rollout restart'];
    const named = (values: object) => {
      const notes = helm(values, { notes: true });
      return steps.filter((step) => notes.includes(step));
    };
    const ingress = { enabled: true, tlsSecretName: 'tls-of-host' };
    const tls = { enabled: true, secretName: 'tls-of-pods' };
    expect(named({ ingress, tls })).toEqual(steps);
    expect(named({ gateway: { enabled: true }, waitForSettings: false })).toEqual(['TRUST_PROXY']);
    expect(named({ ingress, settings: { TRUST_PROXY: '10.244.3.0/24' } })).toEqual([steps[1], steps[3]]);
    expect(named({ waitForSettings: false })).toEqual([]);
  });
});
