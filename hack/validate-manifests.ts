import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { yamlProblems } from './manifests/duplicate-keys.ts';
import { kubernetesProblems } from './manifests/kubernetes-problems.ts';
import { readSchemas } from './manifests/kubernetes-schemas.ts';
import { parseManifests } from './manifests/rendered.ts';
import { RENDERINGS } from './manifests/renderings.ts';
import { schemaProblems } from './manifests/schema.ts';

// Holds every rendered manifest, or the files that are named, to Kubernetes' schemas of all versions that the project is for, and to those of
// the Gateway API and the Prometheus operator. The sources are held to YAML.

const ROOT = path.resolve(import.meta.dirname, '..');
const SOURCES = 'kustomize/**/*.yaml';

async function problemsOf(files: readonly string[]): Promise<readonly string[]> {
  const malformed = yamlProblems(files);
  if (malformed.length > 0) return malformed;
  const schemas = readSchemas();
  const manifests = files.flatMap((file) => parseManifests(readFileSync(file, 'utf8')));
  // Renderings have most of their objects in common.
  const distinct = [...new Map(manifests.map((manifest) => [JSON.stringify(manifest), manifest])).values()];
  const problems = distinct.map((manifest) => kubernetesProblems(schemas, manifest));
  const ofExtensions = distinct.filter((_, index) => problems[index] === undefined);
  return [...problems.flatMap((found) => found ?? []), ...(await schemaProblems(ofExtensions))];
}

const named = process.argv.slice(2);
const problems =
  named.length > 0
    ? await problemsOf(named)
    : [
        ...yamlProblems(globSync(SOURCES, { cwd: ROOT }).map((file) => path.join(ROOT, file))),
        ...(await problemsOf(RENDERINGS.map(({ file }) => path.join(ROOT, file)))),
      ];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
