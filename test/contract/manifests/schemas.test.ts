import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { joinModels } from '../../../hack/manifests/join-schemas.ts';
import { kubernetesProblems } from '../../../hack/manifests/kubernetes-problems.ts';
import { KINDS, readSchemas, VERSIONS } from '../../../hack/manifests/kubernetes-schemas.ts';
import { parseManifests } from '../../../hack/manifests/rendered.ts';
import { RENDERED } from './installation.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const SCHEMAS = readSchemas();
const EXTENSIONS = ['EnvoyProxy', 'Gateway', 'GatewayClass', 'HTTPRoute', 'PrometheusRule', 'ServiceMonitor'];

function problemsOf(text: string): readonly string[] | undefined {
  const [manifest] = parseManifests(text);
  if (manifest === undefined) throw new Error('no object');
  return kubernetesProblems(SCHEMAS, manifest);
}

const deployment = (container: string): string => `
  apiVersion: apps/v1
  kind: Deployment
  metadata: { name: planted }
  spec:
    selector: { matchLabels: { a: b } }
    template: { spec: { containers: [{ name: c, ${container} }] } }
`;

describe('the schemas of Kubernetes', () => {
  it('are those of all versions that the project is for', () => {
    expect(SCHEMAS.versions).toEqual(VERSIONS);
    expect([VERSIONS[0], VERSIONS.at(-1)]).toEqual(['1.27', '1.36']);
  });

  it('cover every kind that is rendered, but for the kinds of extensions', () => {
    expect(SCHEMAS.kinds).toEqual(KINDS);
    const rendered = [...RENDERED.values()].flat().filter(({ kind }) => !EXTENSIONS.includes(kind));
    for (const manifest of rendered) expect(kubernetesProblems(SCHEMAS, manifest)).toEqual([]);
  });

  it('reject an unknown field, at any depth, in every version', () => {
    const [problem, ...others] = problemsOf(deployment('readynessProbe: {}')) ?? [];
    expect(others).toEqual([]);
    expect(problem).toBe(
      `Deployment planted: spec.template.spec.containers[0].readynessProbe is unknown (${VERSIONS.join(', ')})`,
    );
  });

  it.each([
    ['ports: [{ containerPort: "80" }]', 'ports[0].containerPort must be an integer'],
    ['ports: { containerPort: 80 }', 'ports must be a list'],
    ['image: 1', 'image must be a string'],
    ['tty: yes please', 'tty must be a boolean'],
    ['securityContext: []', 'securityContext must be an object'],
    ['env: [{ name: A, value: 1 }]', 'env[0].value must be a string'],
    ['env: [{ value: a }]', 'env[0].name is required'],
    ['resources: { limits: { memory: 5 } }', 'resources.limits[memory] must be a string'],
    [
      'livenessProbe: { httpGet: { port: true } }',
      'livenessProbe.httpGet.port must be an integer or a string',
    ],
  ])('reject %s', (field, problem) => {
    const expected = `Deployment planted: spec.template.spec.containers[0].${problem} (${VERSIONS.join(', ')})`;
    expect(problemsOf(deployment(field))).toEqual([expected]);
  });

  it('reject what came after the oldest version, naming the versions without it', () => {
    const [problem] = problemsOf(deployment('lifecycle: { preStop: { sleep: { seconds: 5 } } }')) ?? [];
    expect(problem).toMatch(/preStop[.]sleep is unknown \(1[.]27, 1[.]28\)$/);
  });

  it('reject what a later version has removed, naming the versions without it', () => {
    const claims = deployment('image: a').replace(
      'containers:',
      'resourceClaims: [{ name: a, source: { resourceClaimName: b } }], containers:',
    );
    const problems = problemsOf(claims) ?? [];
    expect(problems).toEqual([
      expect.stringMatching(/resourceClaims\[0\][.]source is unknown \(1[.]31, .*1[.]36\)$/),
    ]);
  });
});

it('a version without a source of its own has what both of its neighbours have', () => {
  const fields = (...names: string[]) =>
    new Map([['M', new Map(names.map((name) => [name, { type: 'string' }]))]]);
  const joined = joinModels([
    { version: '1', models: fields('kept', 'removed') },
    { version: '2', models: undefined },
    { version: '3', models: fields('kept', 'added') },
  ]);
  expect(joined).toEqual({
    M: {
      added: [{ type: 'string', since: '3' }],
      kept: [{ type: 'string' }],
      removed: [{ type: 'string', until: '1' }],
    },
  });
});

describe('make check', () => {
  const validate = (...files: string[]) =>
    spawnSync(process.execPath, ['hack/validate-manifests.ts', ...files], { cwd: ROOT, encoding: 'utf8' });

  it('validates all that is rendered', () => {
    const { status, stderr } = validate();
    expect([status, stderr]).toEqual([0, '']);
  });

  it('fails for a key that occurs twice, and for what a schema rejects', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'manifests-'));
    try {
      const [twice, wrong] = ['twice.yaml', 'wrong.yaml'].map((file) => path.join(folder, file));
      if (twice === undefined || wrong === undefined) throw new Error('no files');
      writeFileSync(twice, 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { a: b, a: c }\n');
      writeFileSync(wrong, deployment('imagePolicy: Always'));
      expect(validate(twice)).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/twice.yaml: .*unique/) as string,
      });
      expect(validate(wrong)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('imagePolicy is unknown') as string,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
