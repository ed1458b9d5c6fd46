import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../../src/server/body.ts';
import { CONNECTION_TIMES } from '../../../src/server/connection-bounds.ts';
import { MAX_COOKIE_BYTES, MAX_SESSION_PARTS } from '../../../src/auth/session/cookies.ts';
import { areFromCurrentSources, foldersOf, parseManifests } from '../../../hack/manifests/rendered.ts';
import { OVERLAYS, PUBLISHED, RENDERINGS } from '../../../hack/manifests/renderings.ts';
import { schemaProblems } from '../../../hack/manifests/schema.ts';
import { ALL_COMPONENTS, ofKind, RENDERED } from './installation.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

describe('the rendered files', () => {
  it('are made from the sources as they are', () => {
    expect(areFromCurrentSources()).toBe(true);
  });

  it('are all that there are', () => {
    const files = globSync('{manifests,test/data/rendered}/*.yaml', { cwd: ROOT });
    expect(files.toSorted()).toEqual(RENDERINGS.map(({ file }) => file).toSorted());
  });

  it('are those of the base, of every overlay, and of every component', () => {
    const overlays = foldersOf('Kustomization').filter((folder) => /^(base|overlays\/[^/]+)$/.test(folder));
    expect([...PUBLISHED, ...OVERLAYS].map(({ folder }) => folder).toSorted()).toEqual(overlays.toSorted());
    const used = RENDERINGS.flatMap(({ overlay }) => overlay?.components ?? []);
    const parts = ['service-monitor', 'alerts', 'grafana-dashboard', 'namespaced-rights'];
    const components = foldersOf('Component').map((folder) => path.basename(folder));
    expect([...new Set([...used, ...parts])].toSorted()).toEqual(components.toSorted());
  });
});

it('without kubectl the check compares digests, says so, and says what to install', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['hack/manifests.ts', '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: '/nonexistent' },
  });
  expect([status, stdout]).toEqual([0, '']);
  expect(stderr).toMatch(/held to the digest of their sources only: kubectl 1\.27 or newer is not installed/);
});

it('without kubectl nothing can be rendered, which is an error', () => {
  const { status, stderr } = spawnSync(process.execPath, ['hack/manifests.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: '/nonexistent' },
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/Cannot render: kubectl 1\.27 or newer is not installed/);
});

it('every component adds its kinds to the base', () => {
  const kinds = [
    'Ingress',
    'HTTPRoute',
    'NetworkPolicy',
    'HorizontalPodAutoscaler',
    'ServiceMonitor',
    'PrometheusRule',
  ];
  expect(ALL_COMPONENTS.map(({ kind }) => kind)).toEqual(expect.arrayContaining(kinds));
});

it('the ingress lets through what the service itself takes and sends', () => {
  const annotations = annotationsOfIngress();
  const sizeOf = (name: string): number => Number(/^(\d+)[km]$/.exec(annotations[name] ?? '')?.[1]);
  for (const body of ['nginx.ingress.kubernetes.io/proxy-body-size', 'nginx.org/client-max-body-size'])
    expect(sizeOf(body) * 1_024 * 1_024).toBeGreaterThan(MAX_BODY_BYTES);
  // The cookies of one sign-in, and the other headers of its answer.
  for (const head of ['nginx.ingress.kubernetes.io/proxy-buffer-size', 'nginx.org/proxy-buffer-size'])
    expect(sizeOf(head) * 1_024).toBeGreaterThan(MAX_SESSION_PARTS * MAX_COOKIE_BYTES + 2_048);
});

it('the gateway and the ingress wait as long as the service takes for a request', () => {
  const [route] = ofKind(ALL_COMPONENTS, 'HTTPRoute');
  const spec = route?.['spec'] as { readonly rules: readonly [{ readonly timeouts?: { request: string } }] };
  const ingress = annotationsOfIngress();
  for (const wait of [
    spec.rules[0].timeouts?.request,
    ingress['projectcontour.io/response-timeout'],
    ingress['haproxy.org/timeout-server'],
  ])
    expect(Number(/^(\d+)s$/.exec(wait ?? '')?.[1]) * 1_000).toBeGreaterThanOrEqual(
      CONNECTION_TIMES.exchange,
    );
});

function annotationsOfIngress(): Readonly<Record<string, string>> {
  const [ingress] = ofKind(ALL_COMPONENTS, 'Ingress');
  const metadata = ingress?.metadata as
    | { readonly annotations?: Readonly<Record<string, string>> }
    | undefined;
  return metadata?.annotations ?? {};
}

describe('the objects, by the schemas of their kinds', () => {
  const objects = [...RENDERED.values()].flat();
  const distinct = new Map(objects.map((object) => [JSON.stringify(object), object]));

  it('have no unknown, missing or malformed field, in any overlay, with any component', async () => {
    expect(await schemaProblems([...distinct.values()])).toEqual([]);
  });

  it('would not get by with a misspelt or malformed field', async () => {
    const [wrong] = parseManifests(`
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: wrong, label: {} }
      spec:
        replicas: two
        selector: { matchLabels: { a: b } }
        template: { spec: { containers: [{ name: c, readynessProbe: {} }] } }
    `);
    if (wrong === undefined) throw new Error('no object');
    const problems = await schemaProblems([wrong]);
    expect(problems).toContainEqual(expect.stringMatching(/^Deployment .*replicas must be integer/));
    expect(problems).toContainEqual(expect.stringContaining('"readynessProbe"'));
    expect(problems).toContainEqual(expect.stringContaining('"label"'));
  });
});
