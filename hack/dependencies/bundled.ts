import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of which a build of the service holds code. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** Where it was installed, below the project. */
  readonly path: string;
}

/**
 * The packages of which `dist/` holds code: fewer than the lock file has for it, and the bundler, whose helpers are in the code.
 * @param folder the project
 * @throws without a build
 */
export function bundledPackages(folder: string): readonly BundledPackage[] {
  const dist = join(folder, 'dist');
  const root = join(dist, 'node_modules');
  const files = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : [];
  const manifests = files.filter((file) => /(?:^|\/)package\.json$/.test(file)).toSorted();
  if (manifests.length === 0) throw new Error('dist/ holds no packages: run `npm run build:service`');
  return manifests.map((file) => {
    const { name, version } = JSON.parse(readFileSync(join(root, file), 'utf8')) as BundledPackage;
    return { name, version, path: join('node_modules', file, '..') };
  });
}

/** The same as `name@version`. */
export function bundledNames(folder: string): ReadonlySet<string> {
  return new Set(bundledPackages(folder).map(({ name, version }) => `${name}@${version}`));
}
