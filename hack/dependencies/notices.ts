import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { licenceIn } from './licences.ts';

/** Files in which authors put their terms and what must be repeated with copies. */
const TERMS = /^(?:licen[cs]e|notice|copying|copyright)(?:[-.].*)?$/i;

/** The notice of what the image ships. */
export interface Notice {
  /** Its name and version. */
  readonly title: string;
  readonly licence: string;
  readonly texts: readonly string[];
}

/** Licences and notices as one text, each once, in the order of their titles. */
export function noticesText(notices: readonly Notice[]): string {
  const distinct = new Map(notices.map((notice) => [notice.title, notice]));
  return [...distinct.values()]
    .toSorted((a, b) => (a.title < b.title ? -1 : 1))
    .map(({ title, licence, texts }) => [`${title} (${licence})`, ...texts].join('\n\n'))
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}

/**
 * The Node that runs this. Its distribution has the licences of all that is in it; an image of another maker, put in place of the
 * pinned one, may have left them out, and then they are named by their address.
 * @param home the folder of the distribution
 */
export function noticeOfNode(home = join(realpathSync(process.execPath), '../..')): Notice {
  const { node } = process.versions;
  const file = join(home, 'LICENSE');
  const text = existsSync(file)
    ? readFileSync(file, 'utf8').trim()
    : `https://github.com/nodejs/node/blob/v${node}/LICENSE`;
  return { title: `Node.js ${node}`, licence: 'MIT and others', texts: [text] };
}

/** @param home the folder of a package */
export function noticeOfPackage(home: string): Notice {
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
