import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceIn, shippedPackages } from './licences.ts';

/** Files in which authors put their terms and what must be repeated with copies. */
const TERMS = /^(?:licen[cs]e|notice|copying|copyright)(?:[-.].*)?$/i;

/** The notice of one shipped package. */
interface Notice {
  readonly title: string;
  readonly licence: string;
  readonly texts: readonly string[];
}

/**
 * Licences and notices of every package that the image ships, of the service and of the pages, as one text. Packages are in the
 * order of their names.
 */
export function noticesText(folders: readonly string[]): string {
  const notices = folders.flatMap((folder) => shippedPackages(folder).map((path) => noticeOf(folder, path)));
  const distinct = new Map(notices.map((notice) => [notice.title, notice]));
  return [...distinct.values()]
    .toSorted((a, b) => (a.title < b.title ? -1 : 1))
    .map(({ title, licence, texts }) => [`${title} (${licence})`, ...texts].join('\n\n'))
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}

function noticeOf(folder: string, path: string): Notice {
  const home = join(folder, path);
  const { name, version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
  };
  const files = readdirSync(home, { withFileTypes: true })
    .filter((entry) => entry.isFile() && TERMS.test(entry.name))
    .map((entry) => entry.name)
    .toSorted();
  return {
    title: `${name} ${version}`,
    licence: licenceIn(home) ?? 'no licence named',
    texts: files.map((file) => readFileSync(join(home, file), 'utf8').trim()),
  };
}
