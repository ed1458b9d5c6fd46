import { parseManifests, readRendered, type Manifest } from '../manifests/rendered.ts';
import { COMBINATIONS, OVERLAYS, PUBLISHED } from '../manifests/renderings.ts';

/** Objects that are installed together, and the file that they were rendered to. */
export interface ManifestSet {
  readonly source: string;
  readonly manifests: readonly Manifest[];
}

/** One of the files that are published, or the base with the right to review tokens. */
export function renderedSet(
  file: (typeof PUBLISHED)[number]['file'] | typeof COMBINATIONS.tokenReview.file,
): ManifestSet {
  return setOf(file);
}

/** What `make e2e` takes the rights from: the base, with everything enabled that needs rights. */
export function e2eSet(): ManifestSet {
  return setOf('test/data/rendered/e2e.yaml');
}

/** What `make e2e` installs on kind: the same, behind a gateway. */
export function kindSet(): ManifestSet {
  return setOf('test/data/rendered/kind-gateway.yaml');
}

/** Everything that there is to install: the published files, all overlays, and the base with all components. */
export function allSets(): readonly ManifestSet[] {
  return [...PUBLISHED, ...OVERLAYS, COMBINATIONS.allComponents].map(({ file }) => setOf(file));
}

function setOf(file: string): ManifestSet {
  return { source: file, manifests: parseManifests(readRendered(file)) };
}
