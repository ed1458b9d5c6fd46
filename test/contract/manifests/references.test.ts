import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../../hack/manifests/rendered.ts';
import { unresolvedReferences } from './references.ts';
import { RENDERED } from './installation.ts';

it.each([...RENDERED])('every subject, reference and selector of %s resolves', (_file, objects) => {
  expect(unresolvedReferences(objects)).toEqual([]);
});

it('an overlay outside the checkout moves everything to another namespace by one line', () => {
  const objects = RENDERED.get('test/data/rendered/elsewhere.yaml') ?? [];
  expect(JSON.stringify(objects)).not.toMatch(/"(name|namespace)":"secrets-management"/);
  expect(objects.find(({ kind }) => kind === 'Namespace')?.metadata.name).toBe('elsewhere');
  const homes = objects.flatMap(({ metadata }) =>
    metadata.namespace === undefined ? [] : [metadata.namespace],
  );
  expect([...new Set(homes)]).toEqual(['elsewhere']);
});

describe('what does not resolve is named', () => {
  const installed = structuredClone(RENDERED.get('test/data/rendered/elsewhere.yaml') ?? []);
  const first = (kind: string): Record<string, never> =>
    installed.find((object) => object.kind === kind) as unknown as Record<string, never>;

  it.each<[what: string, kind: string, change: (object: Record<string, never>) => void, problem: RegExp]>([
    [
      'a subject elsewhere',
      'ClusterRoleBinding',
      set('subjects.0.namespace', 'gone'),
      /ServiceAccount gone\//,
    ],
    ['a role that is not there', 'RoleBinding', set('roleRef.name', 'gone'), /Role elsewhere\/gone/],
    ['an account', 'Deployment', set('spec.template.spec.serviceAccountName', 'gone'), /ServiceAccount/],
    [
      'a ConfigMap',
      'Deployment',
      set('spec.template.spec.containers.0.envFrom.0.configMapRef.name', 'gone'),
      /ConfigMap/,
    ],
    ['a selector', 'PodDisruptionBudget', set('spec.selector.matchLabels', { a: 'b' }), /selects no pod/],
    ['a backend', 'HTTPRoute', set('spec.rules.0.backendRefs.0.port', 81), /port 81/],
    [
      'a backend by name',
      'Ingress',
      set('spec.rules.0.http.paths.0.backend.service.port.name', 'gone'),
      /port gone/,
    ],
    ['a scaled Deployment', 'HorizontalPodAutoscaler', set('spec.scaleTargetRef.name', 'gone'), /Deployment/],
    [
      'a monitored Service',
      'ServiceMonitor',
      set('spec.selector.matchLabels', { a: 'b' }),
      /selects no Service/,
    ],
  ])('%s', (_what, kind, change, problem) => {
    const object = structuredClone(first(kind));
    change(object);
    const changed = installed.map((one) => (one.kind === kind ? (object as unknown as Manifest) : one));
    expect(unresolvedReferences(changed).join('\n')).toMatch(problem);
  });
});

function set(path: string, value: unknown): (object: Record<string, never>) => void {
  return (object) => {
    const steps = path.split('.');
    const last = steps.pop() ?? '';
    let place: Record<string, unknown> = object;
    for (const step of steps) place = place[step] as Record<string, unknown>;
    place[last] = value;
  };
}
