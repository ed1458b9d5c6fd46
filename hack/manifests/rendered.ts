import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { findKustomizers, type Kustomizer } from './kustomize.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NOTE = '# Rendered from kustomize/ by `make manifests`: change it there.\n';

/** An object of the cluster as a manifest states it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** The files that are kept rendered, and what each is rendered from. */
export const RENDERED = [
  { file: 'manifests/install.yaml', folder: 'kustomize/base' },
  { file: 'manifests/install-namespaced.yaml', folder: 'kustomize/overlays/namespaced' },
] as const;

/** The text that a rendered file should have. */
export function render(folder: string, kustomizer = findKustomizers()[0]): string {
  if (kustomizer === undefined) throw new Error('nothing to render with');
  return NOTE + kustomizer.build(path.join(ROOT, folder));
}

/** What a rendered file holds now. */
export function readRendered(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

export function writeRendered(file: string, text: string): void {
  writeFileSync(path.join(ROOT, file), text);
}

/** The objects in a text of YAML documents. A key that occurs twice is an error. */
export function parseManifests(text: string): readonly Manifest[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0];
    return document.toJS() as Manifest;
  });
}

/** Every folder below kustomize/ that is a kustomization of the kind. */
export function foldersOf(kind: 'Kustomization' | 'Component'): readonly string[] {
  return readdirSync(path.join(ROOT, 'kustomize'), { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'kustomization.yaml')
    .map((file) => path.join('kustomize', path.dirname(file)))
    .filter((folder) => kindOf(folder) === kind)
    .sort();
}

function kindOf(folder: string): unknown {
  const text = readFileSync(path.join(ROOT, folder, 'kustomization.yaml'), 'utf8');
  return (parse(text) as { readonly kind?: unknown }).kind;
}

/** The base, or another folder, with one component or several, as an overlay would have it. */
export function renderWithComponents(
  kustomizer: Kustomizer,
  components: readonly string[],
  base = 'kustomize/base',
): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'kustomize-'));
  try {
    const from = (target: string): string => path.relative(folder, path.join(ROOT, target));
    const overlay = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: [from(base)],
      components: components.map(from),
    };
    writeFileSync(path.join(folder, 'kustomization.yaml'), JSON.stringify(overlay));
    return kustomizer.build(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
