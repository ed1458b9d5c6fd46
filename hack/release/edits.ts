import { ReleaseError } from './release-error.ts';
import { isNewer, isVersion } from './version.ts';

export interface Release {
  readonly version: string;
  /** Of the changelog's section, as `2026-01-31`. */
  readonly date: string;
}

/** A file with its new text. */
export interface Edit {
  readonly file: string;
  readonly text: string;
}

/** They name the version in their text. */
const NAMING = [
  'chart/secrets-management-service/Chart.yaml',
  'docs/install.md',
  'cli/README.md',
  'cli/CI.md',
];
const UNRELEASED = '## Unreleased\n';

/**
 * The files that name the version, as a release has them.
 * @param read the text of a file of the checkout
 * @throws {ReleaseError} when a file is not as expected; nothing was written then
 */
export function releaseEdits({ version, date }: Release, read: (file: string) => string): readonly Edit[] {
  if (!isVersion(version)) throw new ReleaseError('VERSION must be like 1.2.3 or 1.2.3-rc.1');
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw new ReleaseError('the date must be like 2026-01-31');
  const previous = (JSON.parse(read('package.json')) as { readonly version: string }).version;
  const changelog = read('CHANGELOG.md');
  // The version that a repository begins with may be released once; every other release is a later one.
  const isFirst = version === previous && !changelog.includes(`\n## ${version} `);
  if (!isFirst && !isNewer(version, previous)) {
    throw new ReleaseError(`VERSION must be newer than ${previous}`);
  }
  const replace = (file: string, before: string, after: string, times: number): Edit => ({
    file,
    text: replaced(file, read(file), { before, after, times }),
  });
  const inPackage = (file: string, times: number): Edit =>
    replace(file, `  "version": "${previous}",\n`, `  "version": "${version}",\n`, times);
  return [
    { file: 'CHANGELOG.md', text: changelogOf(changelog, { version, date }, previous) },
    inPackage('package.json', 1),
    inPackage('web/package.json', 1),
    inPackage('cli/package.json', 1),
    lockOf('package-lock.json', read, previous, version),
    lockOf('web/package-lock.json', read, previous, version),
    replace('kustomize/base/kustomization.yaml', `newTag: ${previous}\n`, `newTag: ${version}\n`, 1),
    replace(
      'kustomize/overlays/production/kustomization.yaml',
      `newTag: ${previous}\n`,
      `newTag: ${version}\n`,
      1,
    ),
    ...NAMING.map((file) => ({ file, text: read(file).replaceAll(previous, version) })),
  ];
}

function changelogOf(text: string, { version, date }: Release, previous: string): string {
  const [before = '', after, ...others] = text.split(UNRELEASED);
  if (after === undefined || others.length > 0)
    throw new ReleaseError('CHANGELOG.md needs one section "Unreleased"');
  const [section = ''] = after.split(/^## /m);
  const isListed = /^- /m.test(section);
  // A pre-release that proved itself is released as it is.
  const isSame = previous.startsWith(`${version}-`);
  if (!isListed && !isSame) throw new ReleaseError('CHANGELOG.md lists no change under "Unreleased"');
  const unchanged = isListed ? '' : `\nNo changes since ${previous}.\n`;
  return `${before}${UNRELEASED}\n## ${version} - ${date}\n${unchanged}${after}`;
}

/** A lock file names its own package twice, at its beginning; dependencies may have the same version. */
function lockOf(file: string, read: (file: string) => string, previous: string, version: string): Edit {
  const text = read(file);
  const lock = JSON.parse(text) as { version: string; packages: Record<string, { version?: string }> };
  const own = lock.packages[''];
  if (lock.version !== previous || own?.version !== previous) {
    throw new ReleaseError(`${file} is of another version than package.json`);
  }
  lock.version = version;
  own.version = version;
  return { file, text: `${JSON.stringify(lock, null, 2)}\n` };
}

interface Replacement {
  readonly before: string;
  readonly after: string;
  readonly times: number;
}

function replaced(file: string, text: string, { before, after, times }: Replacement): string {
  const parts = text.split(before);
  if (parts.length !== times + 1)
    throw new ReleaseError(`${file} names the version in ${parts.length - 1} places`);
  return parts.join(after);
}
