import { isDeepStrictEqual, parseArgs } from 'node:util';
import { findKustomize, NO_KUBECTL } from './manifests/kustomize.ts';
import {
  areFromCurrentSources,
  parseManifests,
  readRendered,
  render,
  writeRenderings,
} from './manifests/rendered.ts';
import { RENDERINGS } from './manifests/renderings.ts';

// Renders kustomize/ into manifests/ and test/data/rendered/. With --check nothing is written, and a file that differs is an
// error; where kubectl is missing, the files are held to the digest of the sources that they were rendered from.

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const kustomize = findKustomize();

if (values.check) check();
else if (kustomize === undefined) fail(`Cannot render: ${NO_KUBECTL}`);
else writeRenderings(kustomize, RENDERINGS);

function check(): void {
  if (!areFromCurrentSources()) fail('kustomize/ was changed since it was rendered: run `make manifests`');
  if (kustomize === undefined) {
    console.warn(`Rendered files are held to the digest of their sources only: ${NO_KUBECTL}`);
    return;
  }
  for (const rendering of RENDERINGS) {
    // Versions of kubectl differ in how they write YAML, so the objects are compared.
    const [kept, now] = [readRendered(rendering.file), render(kustomize, rendering)].map(parseManifests);
    if (!isDeepStrictEqual(kept, now)) {
      fail(`${rendering.file} differs from kustomize/${rendering.folder}: run \`make manifests\``);
    }
  }
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
