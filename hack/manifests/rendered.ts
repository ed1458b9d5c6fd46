import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import type { Kustomize } from './kustomize.ts';
import type { Rendering } from './renderings.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = 'kustomize';
const NOTE = '# Rendered from kustomize/ by `make manifests`: change it there.\n';
/** The SHA-256 of the sources that the files were rendered from last. */
const DIGEST = 'test/data/rendered/sources.sha256';

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

/** The text that the file of a rendering should have. */
export function render(kustomize: Kustomize, rendering: Rendering): string {
  const text =
    rendering.overlay === undefined
      ? kustomize(path.join(ROOT, SOURCES, rendering.folder))
      : renderOverlay(kustomize, rendering.folder, rendering.overlay);
  return NOTE + text;
}

export function readRendered(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** Writes the files of all renderings, and the digest of their sources. */
export function writeRenderings(kustomize: Kustomize, renderings: readonly Rendering[]): void {
  for (const rendering of renderings) {
    writeFileSync(path.join(ROOT, rendering.file), render(kustomize, rendering));
  }
  writeFileSync(path.join(ROOT, DIGEST), sourcesDigest());
}

/** Whether the files were rendered from the sources as they are now. This needs no kubectl. */
export function areFromCurrentSources(): boolean {
  return readRendered(DIGEST) === sourcesDigest();
}

/** The objects in a text of YAML documents. A key that occurs twice is an error. */
export function parseManifests(text: string): readonly Manifest[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0];
    return document.toJS() as Manifest;
  });
}

/** Every folder below kustomize/ that is a kustomization of the kind, relative to kustomize/. */
export function foldersOf(kind: 'Kustomization' | 'Component'): readonly string[] {
  return sourceFiles()
    .filter((file) => path.basename(file) === 'kustomization.yaml')
    .map((file) => path.dirname(file))
    .filter((folder) => kindOf(folder) === kind);
}

function kindOf(folder: string): unknown {
  const text = readFileSync(path.join(ROOT, SOURCES, folder, 'kustomization.yaml'), 'utf8');
  return (parse(text) as { readonly kind?: unknown }).kind;
}

/** Relative to kustomize/. */
function sourceFiles(): readonly string[] {
  return readdirSync(path.join(ROOT, SOURCES), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(path.join(ROOT, SOURCES), path.join(entry.parentPath, entry.name)))
    .sort();
}

function sourcesDigest(): string {
  const hash = createHash('sha256');
  for (const file of sourceFiles()) {
    const content = readFileSync(path.join(ROOT, SOURCES, file));
    hash.update(`${file}\0${content.byteLength}\0`).update(content);
  }
  return `${hash.digest('hex')}\n`;
}

/** An overlay in a folder of its own, outside the checkout. */
function renderOverlay(
  kustomize: Kustomize,
  resource: string,
  { components, namespace }: NonNullable<Rendering['overlay']>,
): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'kustomize-'));
  try {
    const from = (target: string): string => path.relative(folder, path.join(ROOT, SOURCES, target));
    const overlay = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      ...(namespace === undefined ? {} : { namespace }),
      resources: [from(resource)],
      components: components.map((component) => from(`components/${component}`)),
    };
    writeFileSync(path.join(folder, 'kustomization.yaml'), JSON.stringify(overlay));
    return kustomize(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
