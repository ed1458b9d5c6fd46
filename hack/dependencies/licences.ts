import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAllowed } from './spdx.ts';

/**
 * Licences that allow the service to be shipped under its own, with notices at most. A new one is added on purpose, after
 * someone has read it.
 */
export const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Unlicense',
]);

export interface LicenceReport {
  /** Packages that were looked at. */
  readonly checked: number;
  /** One line for each package that may not be shipped. */
  readonly problems: readonly string[];
}

interface LockEntry {
  /** Where it is not that of the folder. */
  readonly name?: string;
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}

/**
 * Looks at every package below `folder` that is shipped: what `npm ci --omit=dev --omit=optional` installs. Tools for
 * development are not shipped, so their licences are their users' business.
 */
export function checkLicences(folder: string, allowed = ALLOWED): LicenceReport {
  const shipped = shippedPackages(folder);
  const problems = shipped.flatMap((path) => problemOf(folder, path, allowed) ?? []);
  return { checked: shipped.length, problems };
}

/** The folders, below `folder`, of the packages that are shipped. */
export function shippedPackages(folder: string): readonly string[] {
  const lock = readJson(join(folder, 'package-lock.json')) as {
    packages?: Readonly<Record<string, LockEntry>>;
  };
  if (lock.packages === undefined) throw new Error('package-lock.json has no packages');
  return Object.entries(lock.packages)
    .filter(([path, { dev, optional, devOptional }]) => path !== '' && !(dev ?? optional ?? devOptional))
    .map(([path]) => path);
}

/** The packages that are shipped, as `name@version`. */
export function shippedNames(folder: string): ReadonlySet<string> {
  const { packages = {} } = readJson(join(folder, 'package-lock.json')) as {
    packages?: Readonly<Record<string, LockEntry>>;
  };
  return new Set(
    shippedPackages(folder).map((path) => {
      const { name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), version = '' } =
        packages[path] ?? {};
      return `${name}@${version}`;
    }),
  );
}

function problemOf(folder: string, path: string, allowed: ReadonlySet<string>): string | undefined {
  const file = join(folder, path, 'package.json');
  if (!existsSync(file)) return `${path}: is not installed; run \`make setup\``;
  const licence = licenceOf(readJson(file));
  if (licence === undefined) return `${path}: names no licence`;
  return isAllowed(licence, allowed) ? undefined : `${path}: ${licence} is not on the list`;
}

/** The licence that a package names in its `package.json`. */
export function licenceIn(folder: string): string | undefined {
  return licenceOf(readJson(join(folder, 'package.json')));
}

/** The member `license`; old packages have an object there, or a list of them under `licenses`, of which any will do. */
function licenceOf(manifest: unknown): string | undefined {
  const { license, licenses } = manifest as { license?: unknown; licenses?: unknown };
  if (typeof license === 'string' && license.trim() !== '') return license;
  const types = [license, ...(Array.isArray(licenses) ? (licenses as unknown[]) : [])].flatMap((one) => {
    const type = (one as { type?: unknown } | undefined | null)?.type;
    return typeof type === 'string' ? [type] : [];
  });
  return types.length === 0 ? undefined : types.join(' OR ');
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
