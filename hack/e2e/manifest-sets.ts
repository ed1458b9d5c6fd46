import path from 'node:path';
import { findKustomizers } from '../manifests/kustomize.ts';
import {
  foldersOf,
  parseManifests,
  readRendered,
  render,
  renderWithComponents,
  RENDERED,
  type Manifest,
} from '../manifests/rendered.ts';

/** Objects that are installed together, and what they were rendered from. */
export interface ManifestSet {
  readonly source: string;
  readonly manifests: readonly Manifest[];
}

/** The component that changes what the others bring, and so stands last. */
const LAST = 'kustomize/components/restart-rights';
/** Its namespaces belong to an overlay, which is rendered anyway. */
const NOT_ALONE = 'kustomize/components/namespaced-rights';

/** One of the files that are kept rendered. */
export function renderedSet(file: (typeof RENDERED)[number]['file']): ManifestSet {
  return { source: file, manifests: parseManifests(readRendered(file)) };
}

/** What `make e2e` installs: the base, with everything enabled that needs rights. */
export function e2eSet(): ManifestSet {
  const source = 'kustomize/overlays/e2e';
  return { source, manifests: parseManifests(render(source)) };
}

/**
 * Everything that there is to install: the rendered files, all overlays, and the base with all components.
 */
export function allSets(): readonly ManifestSet[] {
  const rendered = RENDERED.map(({ file }) => renderedSet(file));
  const [kustomizer] = findKustomizers();
  if (kustomizer === undefined) throw new Error('nothing to render with');
  const overlays = foldersOf('Kustomization').filter(
    (folder) => path.dirname(folder) === 'kustomize/overlays',
  );
  const components = foldersOf('Component')
    .filter((folder) => !folder.startsWith(NOT_ALONE))
    .toSorted((a, b) => Number(a === LAST) - Number(b === LAST));
  return [
    ...rendered,
    ...overlays.map((folder) => ({ source: folder, manifests: parseManifests(render(folder, kustomizer)) })),
    {
      source: 'kustomize/base with all components',
      manifests: parseManifests(renderWithComponents(kustomizer, components)),
    },
  ];
}
