import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readModels } from './manifests/extract-schemas.ts';
import { joinModels } from './manifests/join-schemas.ts';
import { KINDS, SCHEMAS_FILE, VERSIONS, type KubernetesSchemas } from './manifests/kubernetes-schemas.ts';

// Writes hack/manifests/kubernetes-schemas.json, which the rendered manifests are held to. It gets the releases of Kubernetes' own
// JavaScript client from the npm registry: their models are generated from Kubernetes' OpenAPI document.

const PACKAGE = '@kubernetes/client-node';
/** The release of the package for each version. None was made from 1.31 and 1.35. */
const SOURCES: Readonly<Record<string, string>> = {
  ...{ '1.27': '0.19.0', '1.28': '0.20.0', '1.29': '0.21.0', '1.30': '0.22.3' },
  ...{ '1.32': '1.0.0', '1.33': '1.2.0', '1.34': '1.4.0', '1.36': '2.0.0' },
};

function unpack(release: string, folder: string): string {
  const into = path.join(folder, release);
  mkdirSync(into);
  const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', `${PACKAGE}@${release}`], {
    cwd: into,
    encoding: 'utf8',
  });
  execFileSync('tar', ['xzf', packed.trim()], { cwd: into });
  return path.join(into, 'package/dist/gen');
}

const folder = mkdtempSync(path.join(tmpdir(), 'kubernetes-schemas-'));
try {
  const versions = VERSIONS.map((version) => {
    const release = SOURCES[version];
    if (release === undefined) return { version, models: undefined };
    return { version, models: readModels(unpack(release, folder), version, Object.values(KINDS)) };
  });
  const schemas: KubernetesSchemas = {
    source: `https://github.com/kubernetes-client/javascript (npm: ${PACKAGE}), generated from the OpenAPI document of Kubernetes`,
    licence: 'Apache-2.0, Copyright The Kubernetes Authors',
    versions: VERSIONS,
    sources: SOURCES,
    kinds: KINDS,
    models: joinModels(versions),
  };
  writeFileSync(SCHEMAS_FILE, `${JSON.stringify(schemas, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
execFileSync('npm', ['exec', '--', 'oxfmt', SCHEMAS_FILE], { stdio: 'inherit' });
