import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../../src/api/http/body.ts';
import { MAX_COOKIE_BYTES } from '../../../src/auth/session/cookies.ts';
import { MAX_SESSION_PARTS } from '../../../src/auth/session/session-cookies.ts';
import { findKustomizers } from '../../../hack/manifests/kustomize.ts';
import {
  foldersOf,
  parseManifests,
  readRendered,
  render,
  RENDERED,
  renderWithComponents,
} from '../../../hack/manifests/rendered.ts';
import { schemaProblems } from '../../../hack/manifests/schema.ts';

const FOLDERS = foldersOf('Kustomization');
const COMPONENTS = foldersOf('Component');
const RENDERERS = findKustomizers();
const [first] = RENDERERS;
if (first === undefined) throw new Error('nothing renders');

/** The objects that each program makes of each folder, and of the base with each component. */
const ALONE = new Map(
  FOLDERS.map((folder) => [folder, RENDERERS.map((one) => parseManifests(render(folder, one)))]),
);
const ON_BASE = new Map(
  COMPONENTS.map((component) => [
    component,
    RENDERERS.map((one) => parseManifests(renderWithComponents(one, [component]))),
  ]),
);

describe('kustomize', () => {
  it('holds the base, the overlays and the components that the documentation names', () => {
    expect(FOLDERS).toEqual(
      expect.arrayContaining([
        'kustomize/base',
        'kustomize/overlays/production',
        'kustomize/overlays/namespaced',
        'kustomize/overlays/e2e',
      ]),
    );
    expect(COMPONENTS).toEqual(
      expect.arrayContaining(
        [
          'autoscaling',
          'ingress',
          'namespaced-rights',
          'network-policy',
          'restart-rights',
          'service-monitor',
        ].map((name) => `kustomize/components/${name}`),
      ),
    );
  });

  it.each([...ALONE])('%s is rendered alike by every program that is there to render it', (_, renderings) => {
    expect(renderings[0]).not.toEqual([]);
    for (const rendering of renderings) expect(rendering).toEqual(renderings[0]);
  });

  it.each([...ON_BASE])('%s adds to the base or changes it, alike with every program', (_, renderings) => {
    expect(renderings[0]).not.toEqual(ALONE.get('kustomize/base')?.[0]);
    for (const rendering of renderings) expect(rendering).toEqual(renderings[0]);
  });
});

it('the ingress lets through what the service itself takes and sends', () => {
  const component = 'kustomize/components/ingress';
  for (const rendering of ON_BASE.get(component) ?? []) {
    const ingress = rendering.find(({ kind }) => kind === 'Ingress');
    const { annotations } = ingress?.metadata as { readonly annotations?: Readonly<Record<string, string>> };
    const sizeOf = (name: string): number =>
      Number(/^(\d+)[km]$/.exec(annotations?.[`nginx.ingress.kubernetes.io/${name}`] ?? '')?.[1]);
    expect(sizeOf('proxy-body-size') * 1_024 * 1_024).toBeGreaterThan(MAX_BODY_BYTES);
    // The cookies of one sign-in, with room for the other headers of its answer.
    expect(sizeOf('proxy-buffer-size') * 1_024).toBeGreaterThan(MAX_SESSION_PARTS * MAX_COOKIE_BYTES + 2_048);
  }
});

it.each(RENDERED)('$file is what $folder renders to', ({ file, folder }) => {
  expect(readRendered(file)).toBe(render(folder, first));
});

describe('the objects, by the schemas of their kinds', () => {
  const together = COMPONENTS.filter((component) => component !== 'kustomize/components/namespaced-rights');
  const objects = [
    ...[...ALONE.values(), ...ON_BASE.values()].flatMap((renderings) => renderings[0] ?? []),
    ...parseManifests(renderWithComponents(first, together)),
  ];
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
