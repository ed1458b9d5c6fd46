import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { parseManifests, readRendered, type Manifest } from '../../../../hack/manifests/rendered.ts';
import { debianProgram } from '../../../harness/debian-program.ts';
import { VALUES } from '../chart-values.ts';

const CHART = new URL('../../../../chart/secrets-management-service', import.meta.url).pathname;
const SOURCE = new URL('render.go', import.meta.url).pathname;

interface Install {
  readonly namespace?: string;
  readonly notes?: true;
  readonly chart?: string;
}

type Objects = Readonly<Record<string, unknown>>;

export interface Chart {
  /** Exists while the tests run, for what they write. */
  readonly folder: () => string;
  /** What `helm template` prints with the values. */
  readonly helm: (values: object, install?: Install) => string;
  readonly charted: (values: object, install?: Install) => Objects;
}

const SETTINGS_HASH = /(?<=name":"secrets-management-service)-[2456789bcdfghkmt]{10}(?=")/g;

const RELEASE_NAMESPACE = /(?<=name":"secrets-management-service-token-review)-[a-z-]+(?=")/g;
const SETTINGS_BY_HAND = ',{"configMapRef":{"name":"secrets-management-service-settings","optional":true}}';

interface Pods {
  readonly spec?: { readonly template?: { readonly metadata: { annotations?: unknown } } };
}

/** Helm is a program of Go's template language, and so is what renders the chart for the tests of the file that calls this. */
export function useChart(): Chart {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'service-test-'));
    const { path, root } = debianProgram('go');
    const env = {
      PATH: process.env['PATH'],
      GO111MODULE: 'off',
      CGO_ENABLED: '0',
      GOPATH: join(root, 'usr/share/gocode'),
      GOROOT: join(root, 'usr/lib/go'),
      GOCACHE: join(folder, 'cache'),
    };
    execFileSync(path, ['build', '-o', join(folder, 'render'), SOURCE], { env, stdio: 'pipe' });
  }, 120_000);
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const helm: Chart['helm'] = (values, { namespace = 'secrets-management', notes, chart = CHART } = {}) => {
    VALUES.parse(values);
    return execFileSync(join(folder, 'render'), [chart, namespace], {
      input: JSON.stringify(values),
      encoding: 'utf8',
      stdio: 'pipe',
      env: notes === undefined ? {} : { NOTES: '1' },
    });
  };
  return { folder: () => folder, helm, charted: (values, install) => byName(parsed(helm(values, install))) };
}

/** The objects of a file of `manifests`, as `charted` gives those of the chart. */
export const rendered = (file: string): Objects => byName(parseManifests(readRendered(file)));

/** What is turned off leaves empty documents. */
const parsed = (text: string): readonly Manifest[] =>
  (parseManifests(text) as readonly (Manifest | null)[]).filter((manifest) => manifest !== null);

/**
 * Objects by kind, namespace and name, without what only one of both has: the namespace, also in names that are
 * cluster-wide, settings by hand, how pods are rolled.
 */
function byName(manifests: readonly Manifest[]): Objects {
  const text = JSON.stringify(manifests)
    .replaceAll(SETTINGS_HASH, '')
    .replaceAll(RELEASE_NAMESPACE, '')
    .replace(SETTINGS_BY_HAND, '');
  const objects = (JSON.parse(text) as readonly (Manifest & Pods)[]).filter(
    ({ kind }) => kind !== 'Namespace',
  );
  return Object.fromEntries(
    objects.map((object) => {
      delete object.spec?.template?.metadata.annotations;
      const { kind, metadata } = object;
      return [`${kind}/${metadata.namespace ?? ''}/${metadata.name}`, object];
    }),
  );
}
